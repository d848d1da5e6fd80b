//! The length of lines.

use crate::reading::{Source, violations};

const EXTENSIONS: [&str; 10] = ["rs", "proto", "sql", "py", "ts", "js", "mjs", "css", "sh", "md"];
const MAX_COLUMNS: usize = 110;

/// What others wrote, as they publish it.
const VENDORED: &str = "clients/web/vendor";

#[test]
fn no_line_is_too_long() {
    let long = violations(&EXTENSIONS, |source| {
        let (number, columns) = first_long_line(source).filter(|_| !source.path.starts_with(VENDORED))?;
        Some(format!("line {number} has {columns} columns"))
    });
    assert!(long.is_empty(), "more than {MAX_COLUMNS} columns:\n{}", long.join("\n"));
}

#[test]
fn tables_and_code_in_markdown_may_be_longer() {
    let words = "word ".repeat(MAX_COLUMNS);
    let page = |text: String| first_long_line(&Source { path: "page.md".into(), text });
    assert_eq!(page(format!("short\n{words}")), Some((2, words.len())));
    assert_eq!(page(format!("```\n{words}\n```\n| {words} |\n\n    {words}\n")), None);
    assert_eq!(page(format!("```\n```\n- {words}")), Some((3, words.len() + 2)));
    let source = |text: String| first_long_line(&Source { path: "source.rs".into(), text });
    assert_eq!(source("x".repeat(MAX_COLUMNS)), None);
    assert_eq!(source(format!("    // {}", "x".repeat(MAX_COLUMNS))), Some((1, MAX_COLUMNS + 7)));
}

/// Returns the number and the columns of the first line that is too long.
fn first_long_line(source: &Source) -> Option<(usize, usize)> {
    let is_markdown = source.has_extension("md");
    let mut is_in_code = false;
    for (index, line) in source.text.lines().enumerate() {
        let is_fence = line.trim_start().starts_with("```");
        is_in_code ^= is_fence;
        let is_exempt = is_markdown && (is_in_code || is_fence || is_table_or_code(line));
        let columns = line.chars().count();
        if columns > MAX_COLUMNS && !is_exempt {
            return Some((index + 1, columns));
        }
    }
    None
}

fn is_table_or_code(line: &str) -> bool {
    line.starts_with('|') || line.starts_with("    ")
}
