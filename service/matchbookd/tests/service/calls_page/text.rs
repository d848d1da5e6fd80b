//! Markdown and JSON within 110 columns.

use serde_json::Value;
use transcode::one_line;

const COLUMNS: usize = 110;

/// Returns the anchor that GitHub gives a heading.
pub(super) fn anchor(heading: &str) -> String {
    heading.trim_start_matches(['#', ' ']).to_lowercase().replace(' ', "-").replace('`', "")
}

/// Breaks a line between words; further lines begin with `indent`. Ends with a line break.
pub(super) fn wrapped(line: &str, indent: &str) -> String {
    let (mut text, mut columns) = (String::new(), 0);
    for word in line.split(' ') {
        let width = word.chars().count();
        if columns > 0 && columns + 1 + width > COLUMNS {
            text += &format!("\n{indent}{word}");
            columns = indent.len() + width;
        } else {
            let space = if columns > 0 { " " } else { "" };
            text += &format!("{space}{word}");
            columns += space.len() + width;
        }
    }
    text + "\n"
}

/// Wraps a description, which has paragraphs of one line and lists.
pub(super) fn prose(text: &str) -> String {
    let mut lines = String::new();
    for line in text.trim().lines() {
        lines += &wrapped(line, if line.starts_with("- ") { "  " } else { "" });
    }
    lines
}

/// Returns a description as the cell of a table.
pub(super) fn cell(text: &str) -> String {
    let paragraphs: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    paragraphs.join("<br>").replace('|', "\\|")
}

/// Formats JSON: whatever fits goes on one line.
pub(super) fn layout(value: &Value, indent: &str) -> String {
    let line = one_line(value);
    let fits = indent.len() + line.chars().count() <= COLUMNS;
    let inner = format!("{indent}  ");
    let (open, parts, close): (_, Vec<String>, _) = match value {
        Value::Object(fields) if !fits => {
            let field = |(name, value)| format!("\"{name}\": {}", layout(value, &inner));
            ('{', fields.iter().map(field).collect(), '}')
        }
        Value::Array(items) if !fits => ('[', items.iter().map(|item| layout(item, &inner)).collect(), ']'),
        _ => return line,
    };
    format!("{open}\n{inner}{}\n{indent}{close}", parts.join(&format!(",\n{inner}")))
}

#[test]
fn lines_break_between_words_and_json_where_it_is_too_wide() {
    let text = wrapped(&"word ".repeat(30), "  ");
    assert!(text.lines().all(|line| line.len() <= COLUMNS), "{text}");
    assert!(text.lines().nth(1).unwrap().starts_with("  word"), "{text}");
    let list = serde_json::json!({"short": [1, 2], "long": vec![7; 50]});
    let text = layout(&list, "");
    assert!(text.contains("\n  \"short\": [1, 2]\n}") && text.contains("\n    7,\n"), "{text}");
}
