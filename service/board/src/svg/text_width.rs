//! Estimates the width of texts without knowing their font, and truncates or wraps texts that are too wide.

use unicode_width::UnicodeWidthChar as _;

/// Marks the end of a truncated text.
const ELLIPSIS: char = '…';

/// Estimates the width of a text at a font size; rather too large than too small.
pub(super) fn width(text: &str, size: i32) -> i32 {
    let thousandths = text.chars().map(|c| i64::from(advance(c))).sum::<i64>() * i64::from(size);
    i32::try_from(thousandths / 1000).unwrap_or(i32::MAX)
}

/// Returns the text, truncated to the available width.
pub(super) fn truncate(text: &str, size: i32, available: i32) -> String {
    if width(text, size) <= available {
        return text.to_owned();
    }
    let mut out = String::new();
    for c in text.chars() {
        let mut longer = out.clone();
        longer.push(c);
        longer.push(ELLIPSIS);
        if width(&longer, size) > available {
            break;
        }
        out.push(c);
    }
    out.push(ELLIPSIS);
    out
}

/// Wraps words into lines of the available width; a word wider than a line is truncated.
pub(super) fn wrap<'a>(
    words: impl IntoIterator<Item = &'a str>,
    size: i32,
    available: i32,
) -> Vec<Vec<String>> {
    let mut lines: Vec<Vec<String>> = Vec::new();
    let mut used = 0;
    for word in words {
        let word = truncate(word, size, available);
        let more = width(&format!(" {word}"), size);
        match lines.last_mut() {
            Some(line) if used + more <= available => {
                line.push(word);
                used += more;
            }
            _ => {
                used = width(&word, size);
                lines.push(vec![word]);
            }
        }
    }
    lines
}

/// Returns the estimated advance of a character, in thousandths of the font size.
fn advance(c: char) -> u16 {
    match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' | 'f' | 't' | 'r' => 380,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 980,
        'A'..='Z' => 740,
        c if c.is_ascii() => 630,
        c => match c.width() {
            Some(0) => 0,
            Some(1) => 720,
            Some(_) | None => 1100,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_do_not_fit_are_truncated() {
        assert_eq!(truncate("Gabriel", 20, 200), "Gabriel");
        let cut = truncate(&"W".repeat(40), 20, 200);
        assert!(cut.ends_with('…') && width(&cut, 20) <= 200, "{cut}");
        assert_eq!(truncate("天使天使天使天使", 20, 120), "天使天使…");
    }

    #[test]
    fn lines_keep_the_order_of_words() {
        let words = "no one owns what stands where you stand now".split(' ');
        let lines = wrap(words.clone(), 10, 100);
        assert!(lines.len() > 2 && lines.iter().all(|line| width(&line.join(" "), 10) <= 100), "{lines:?}");
        assert_eq!(lines.concat(), words.collect::<Vec<_>>());
        assert_eq!(super::wrap(["a", "\u{1F608}\u{1F608}\u{1F608}"], 10, 25), [["a"], ["\u{1F608}…"]]);
    }
}
