//! The files under `deploy/`, as text.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder of the workspace's `Cargo.toml`.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("xtask is two folders below the root")
}

/// Returns the text of a file of the repository.
pub(crate) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns all texts under `deploy/` with their paths, except those that `new-secrets.sh` generates.
pub(crate) fn all() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    collect(&root().join("deploy"), &mut found);
    assert!(found.len() > 10, "the files under deploy/ were not found");
    found
}

fn collect(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
        if name.starts_with("secrets") || name == ".env" {
            continue;
        }
        if path.is_dir() {
            collect(&path, found);
        } else if let Ok(text) = fs::read_to_string(&path) {
            found.push((path, text));
        }
    }
}

/// Returns the Rust sources below `folder`, without tests.
pub(crate) fn rust_sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    collect(folder, &mut found);
    found.retain(|(path, _)| {
        let rust = path.extension().is_some_and(|extension| extension == "rs");
        rust && !path.iter().any(|part| part == "tests")
    });
    found
}

/// Returns what follows `key` in the first line that starts with it, without quotes.
#[track_caller]
pub(crate) fn value(text: &str, key: &str) -> String {
    let line = text.lines().find_map(|line| line.trim_start().trim_start_matches("- ").strip_prefix(key));
    line.unwrap_or_else(|| panic!("no line starts with {key:?}")).trim().trim_matches('"').to_owned()
}

/// Returns what follows `key` as a number, without its unit.
#[track_caller]
pub(crate) fn number(text: &str, key: &str) -> u64 {
    let value = value(text, key);
    let digits: String = value.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_else(|_| panic!("{key} {value} is not a number"))
}
