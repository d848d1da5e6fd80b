//! Pages of Markdown for screens of any width.

/// Joins the lines of each paragraph and list item, so that the screen wraps them by its own width. Tables,
/// headings and code keep their lines.
pub(super) fn joined_lines(page: &str) -> String {
    let mut joined = String::new();
    let mut continues = false;
    for line in page.lines() {
        let text = line.trim_start();
        if continues && !text.is_empty() && !begins_a_block(text) {
            joined.push(' ');
            joined.push_str(text);
        } else {
            joined.push('\n');
            joined.push_str(line);
        }
        let is_code = line.starts_with("    ") && !continues;
        continues = !text.is_empty() && !text.starts_with(['#', '|']) && !is_code;
    }
    joined.trim_start_matches('\n').to_owned()
}

fn begins_a_block(text: &str) -> bool {
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = number.len() < text.len() && number.starts_with(". ");
    numbered || text.starts_with(['#', '|', '>']) || text.starts_with("- ") || text.starts_with("* ")
}

#[cfg(test)]
mod tests {
    use super::joined_lines;

    #[test]
    fn paragraphs_and_items_are_joined_and_blocks_are_not() {
        let page = "# Title\nOne\ntwo.\n\n- item\n  goes on\n- item\n1. first\n2. second\n\n\
                    | a |\n| b |\n\n    code\n    code\n";
        let expected = "# Title\nOne two.\n\n- item goes on\n- item\n1. first\n2. second\n\n\
                        | a |\n| b |\n\n    code\n    code";
        assert_eq!(joined_lines(page), expected);
    }
}
