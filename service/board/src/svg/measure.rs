//! How wide a text will be, as well as that can be told without its font, and
//! what to do with one that is too wide.

use unicode_width::UnicodeWidthChar as _;

/// Stands for what was left out.
const ELLIPSIS: char = '…';

/// The width of a text of this size; rather too much than too little.
pub(super) fn width(text: &str, size: i32) -> i32 {
    let thousandths = text.chars().map(|c| i64::from(advance(c))).sum::<i64>() * i64::from(size);
    i32::try_from(thousandths / 1000).unwrap_or(i32::MAX)
}

/// The text, cut so that it fits.
pub(super) fn fit(text: &str, size: i32, available: i32) -> String {
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

/// Words put into lines that fit; a word wider than a line is cut.
pub(super) fn lines<'a>(
    words: impl IntoIterator<Item = &'a str>,
    size: i32,
    available: i32,
) -> Vec<Vec<String>> {
    let mut lines: Vec<Vec<String>> = Vec::new();
    let mut used = 0;
    for word in words {
        let word = fit(word, size, available);
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

/// Thousandths of the size.
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
    fn what_fits_stays_whole_and_the_rest_is_cut() {
        assert_eq!(fit("Gabriel", 20, 200), "Gabriel");
        let cut = fit(&"W".repeat(40), 20, 200);
        assert!(cut.ends_with('…') && width(&cut, 20) <= 200, "{cut}");
        assert_eq!(fit("天使天使天使天使", 20, 120), "天使天使…");
    }

    #[test]
    fn words_are_put_into_lines_in_their_order() {
        let words = "no one owns what stands where you stand now".split(' ');
        let lines = lines(words.clone(), 10, 100);
        assert!(lines.len() > 2 && lines.iter().all(|line| width(&line.join(" "), 10) <= 100), "{lines:?}");
        assert_eq!(lines.concat(), words.collect::<Vec<_>>());
        assert_eq!(super::lines(["a", "\u{1F608}\u{1F608}\u{1F608}"], 10, 25), [["a"], ["\u{1F608}…"]]);
    }
}
