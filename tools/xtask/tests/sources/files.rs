//! Length, opening lines, and marks of unfinished work.

use crate::reading::violations;

const EXTENSIONS: [&str; 6] = ["rs", "proto", "sql", "py", "ts", "sh"];
const MAX_LINES: usize = 400;

#[test]
fn no_file_is_too_long() {
    let long = violations(&EXTENSIONS, |source| {
        let lines = source.text.lines().count();
        (lines > MAX_LINES).then(|| format!("{lines} lines"))
    });
    assert!(long.is_empty(), "more than {MAX_LINES} lines:\n{}", long.join("\n"));
}

#[test]
fn rust_files_open_with_a_summary() {
    let without = violations(&["rs"], |source| {
        (!source.text.starts_with("//! ")).then(|| "does not open with `//! `".to_owned())
    });
    assert!(without.is_empty(), "{}", without.join("\n"));
}

#[test]
fn no_file_has_marks_of_unfinished_work() {
    let found = violations(&EXTENSIONS, |source| {
        source.text.lines().enumerate().find_map(|(index, line)| {
            let mark = unfinished(line)?;
            Some(format!("line {} contains {mark}", index + 1))
        })
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn marks_are_found_and_similar_words_are_not() {
    for [first, second] in [
        ["// TO", "DO: later"],
        ["-- FIX", "ME"],
        ["to", "do!()"],
        ["#[ign", "ore]"],
        ["#[ign", "ore = \"slow\"]"],
    ] {
        assert!(unfinished(&format!("{first}{second}")).is_some(), "{first}{second}");
    }
    for similar in ["ignore(this)", "MASTODON", "AUTODOC", "a to-do list"] {
        assert_eq!(unfinished(similar), None, "{similar}");
    }
}

/// Returns the mark of unfinished work in `line`.
fn unfinished(line: &str) -> Option<String> {
    // In pieces, so that this file passes its own test.
    let words = [["TO", "DO"], ["FIX", "ME"]].map(|pieces| pieces.concat());
    let marks = [["to", "do!"], ["#[ign", "ore"]].map(|pieces| pieces.concat());
    let has_word = |word: &str| line.split(|c: char| !c.is_alphanumeric()).any(|other| other == word);
    words
        .into_iter()
        .find(|word| has_word(word))
        .or_else(|| marks.into_iter().find(|mark| line.contains(mark)))
}
