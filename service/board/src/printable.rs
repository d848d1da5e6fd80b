//! Makes untrusted text safe to print: none of its characters can move the cursor, change colours, reorder
//! the line or hide.

/// Replaces characters that must not reach a terminal.
const REPLACEMENT: char = '\u{FFFD}';

/// Returns one line of text for a terminal, such as a player's name. Line breaks and tabs are replaced too.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if is_unsafe(c) { REPLACEMENT } else { c }).collect()
}

/// Returns text for a terminal, such as a game's rules. Unlike [`printable`] it keeps line breaks and tabs.
pub fn printable_page(text: &str) -> String {
    text.chars().map(|c| if is_unsafe(c) && c != '\n' && c != '\t' { REPLACEMENT } else { c }).collect()
}

/// Returns whether a character is a control character (C0, DEL, C1), invisible, or changes the text
/// direction.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}'
            | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_lose_their_escape() {
        assert_eq!(printable("Eve\u{1b}[2J\u{9b}31m\r\n"), "Eve\u{FFFD}[2J\u{FFFD}31m\u{FFFD}\u{FFFD}");
    }

    #[test]
    fn text_cannot_reverse_the_line_or_hide() {
        assert_eq!(printable("a\u{202e}b\u{200b}c\u{e0041}"), "a\u{FFFD}b\u{FFFD}c\u{FFFD}");
    }

    #[test]
    fn ordinary_names_in_any_script_are_unchanged() {
        for name in ["Gabriel", "Łucja O'Neil", "天使", "Ангел 2", "ملاك", "😈"] {
            assert_eq!(printable(name), name);
        }
    }

    #[test]
    fn a_page_keeps_line_breaks_and_tabs_only() {
        assert_eq!(printable_page("# Rules\n\tone\u{1b}]0;x\u{7}"), "# Rules\n\tone\u{FFFD}]0;x\u{FFFD}");
    }
}
