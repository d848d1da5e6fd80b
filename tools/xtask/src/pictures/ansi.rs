//! Colours of a terminal: the escape sequences that `matchbook` prints.

use anyhow::{Context, Result, bail};

/// A piece of a line in one style.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) column: usize,
    pub(super) text: String,
    pub(super) style: Style,
}

/// How a piece is printed; colours are numbers of the 256-colour palette.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Style {
    pub(super) bold: bool,
    pub(super) dim: bool,
    pub(super) ink: Option<u8>,
    pub(super) paper: Option<u8>,
}

/// Returns the pieces of a line.
pub(super) fn spans(line: &str) -> Result<Vec<Span>> {
    let (mut spans, mut style, mut column) = (Vec::new(), Style::default(), 0);
    for (index, part) in line.split("\u{1b}[").enumerate() {
        let text = match index {
            0 => part,
            _ => {
                let (codes, text) = part.split_once('m').context("an escape sequence is not a style")?;
                style = styled(style, codes)?;
                text
            }
        };
        if !text.is_empty() {
            spans.push(Span { column, text: text.to_owned(), style });
            column += text.chars().count();
        }
    }
    Ok(spans)
}

fn styled(mut style: Style, codes: &str) -> Result<Style> {
    let mut codes = codes.split(';');
    while let Some(code) = codes.next() {
        match code {
            "" | "0" => style = Style::default(),
            "1" => style.bold = true,
            "2" => style.dim = true,
            "38" | "48" => {
                let (Some("5"), Some(number)) = (codes.next(), codes.next()) else {
                    bail!("a colour is not of the 256-colour palette")
                };
                let number = number.parse().with_context(|| format!("{number} is no colour"))?;
                let colour = if code == "38" { &mut style.ink } else { &mut style.paper };
                *colour = Some(number);
            }
            _ => bail!("unknown style {code}"),
        }
    }
    Ok(style)
}

/// Returns a colour of the palette as in CSS. The first 16, which terminals define, are refused.
pub(super) fn css(colour: u8) -> Result<String> {
    let [red, green, blue] = match colour {
        0..16 => bail!("colour {colour} depends on the terminal"),
        16..232 => [(colour - 16) / 36, (colour - 16) / 6 % 6, (colour - 16) % 6].map(|level| match level {
            0 => 0,
            _ => 55 + 40 * level,
        }),
        232.. => [8 + 10 * (colour - 232); 3],
    };
    Ok(format!("#{red:02x}{green:02x}{blue:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_where_its_style_changes() {
        let spans = spans("a\u{1b}[1;38;5;160;48;5;255mbc\u{1b}[0md").unwrap();
        let coloured = Style { bold: true, dim: false, ink: Some(160), paper: Some(255) };
        let expected = [(0, "a", Style::default()), (1, "bc", coloured), (3, "d", Style::default())];
        assert_eq!(
            spans,
            expected.map(|(column, text, style)| Span { column, text: text.to_owned(), style })
        );
    }

    #[test]
    fn colours_are_those_of_xterm() {
        assert_eq!(css(160).unwrap(), "#d70000");
        assert_eq!(css(231).unwrap(), "#ffffff");
        assert_eq!(css(255).unwrap(), "#eeeeee");
        assert!(css(7).is_err());
    }
}
