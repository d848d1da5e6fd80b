//! The repository's files with their text.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders of built or downloaded files. Hidden folders are skipped too.
const NOT_OURS: [&str; 6] = ["target", "node_modules", "__pycache__", "dist", "build", "gen"];

/// A file of the repository.
pub(crate) struct Source {
    /// Relative to the root.
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

impl Source {
    pub(crate) fn has_extension(&self, wanted: &str) -> bool {
        self.path.extension().is_some_and(|extension| extension == wanted)
    }
}

/// Returns one line per file of these kinds that `check` objects to.
pub(crate) fn violations(extensions: &[&str], check: impl Fn(&Source) -> Option<String>) -> Vec<String> {
    sources(extensions)
        .iter()
        .filter_map(|source| Some(format!("{}: {}", source.path.display(), check(source)?)))
        .collect()
}

/// Returns all files of these kinds, in order of their paths.
pub(crate) fn sources(extensions: &[&str]) -> Vec<Source> {
    let mut found = Vec::new();
    collect(root(), &mut found);
    found.retain(|source| extensions.iter().any(|extension| source.has_extension(extension)));
    assert!(!found.is_empty(), "no files with extensions {extensions:?} below {}", root().display());
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("xtask is two folders below the root")
}

fn collect(folder: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
        if path.is_symlink() || name.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            if !NOT_OURS.contains(&name.as_str()) {
                collect(&path, found);
            }
        } else if let Ok(text) = fs::read_to_string(&path) {
            let path = path.strip_prefix(root()).expect("it is below the root").to_owned();
            found.push(Source { path, text });
        }
    }
}
