//! Rules every source file keeps: its length, its opening lines, no unfinished marks, one module and import
//! style.

mod imports;

use std::fs;
use std::path::{Path, PathBuf};

const EXTENSIONS: [&str; 6] = ["rs", "proto", "sql", "py", "ts", "sh"];
const MAX_LINES: usize = 400;

/// Folders that hold what was built or downloaded; hidden ones are skipped as well.
const NOT_OURS: [&str; 5] = ["target", "node_modules", "__pycache__", "dist", "build"];

struct Source {
    path: PathBuf,
    text: String,
}

impl Source {
    fn is_rust(&self) -> bool {
        self.path.extension().is_some_and(|extension| extension == "rs")
    }
}

#[test]
fn no_file_is_too_long() {
    let long = complaints(|source| {
        let lines = source.text.lines().count();
        (lines > MAX_LINES).then(|| format!("{lines} lines"))
    });
    assert!(long.is_empty(), "more than {MAX_LINES} lines:\n{}", long.join("\n"));
}

#[test]
fn rust_files_open_by_saying_what_lives_here() {
    let silent = complaints(|source| {
        (source.is_rust() && !source.text.starts_with("//! ")).then(|| "does not open with `//! `".to_owned())
    });
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

#[test]
fn nothing_is_left_for_later() {
    let found = complaints(|source| {
        source.text.lines().enumerate().find_map(|(index, line)| {
            let mark = unfinished(line)?;
            Some(format!("line {} says {mark}", index + 1))
        })
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn marks_are_found_and_innocent_words_are_not() {
    for [first, second] in [
        ["// TO", "DO: later"],
        ["-- FIX", "ME"],
        ["to", "do!()"],
        ["#[ign", "ore]"],
        ["#[ign", "ore = \"slow\"]"],
    ] {
        assert!(unfinished(&format!("{first}{second}")).is_some(), "{first}{second}");
    }
    for innocent in ["ignore(this)", "MASTODON", "AUTODOC", "a to-do list"] {
        assert_eq!(unfinished(innocent), None, "{innocent}");
    }
}

/// The mark of unfinished work in `line`, if it has one.
fn unfinished(line: &str) -> Option<String> {
    // In pieces, so that this file does not accuse itself.
    let words = [["TO", "DO"], ["FIX", "ME"]].map(|pieces| pieces.concat());
    let marks = [["to", "do!"], ["#[ign", "ore"]].map(|pieces| pieces.concat());
    let spoken = |word: &str| line.split(|c: char| !c.is_alphanumeric()).any(|other| other == word);
    words.into_iter().find(|word| spoken(word)).or_else(|| marks.into_iter().find(|mark| line.contains(mark)))
}

/// One line a file of which `judge` has something to say.
fn complaints(judge: impl Fn(&Source) -> Option<String>) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("xtask lives two folders below the root");
    let sources = sources_in(root);
    assert!(
        sources.iter().any(|source| source.path.ends_with(file!())),
        "this file was not found below {}",
        root.display()
    );
    sources
        .iter()
        .filter_map(|source| Some(format!("{}: {}", source.path.display(), judge(source)?)))
        .collect()
}

fn sources_in(folder: &Path) -> Vec<Source> {
    let mut sources = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
        if path.is_symlink() || name.starts_with('.') {
            continue;
        }
        if path.is_dir() && !NOT_OURS.contains(&name.as_str()) {
            sources.extend(sources_in(&path));
        } else if path.extension().is_some_and(|extension| EXTENSIONS.iter().any(|known| extension == *known))
        {
            let text = fs::read_to_string(&path).expect("a source is a text");
            sources.push(Source { path, text });
        }
    }
    sources
}
