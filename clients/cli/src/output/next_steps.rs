//! The commands that follow the creation of a match.

use crate::arguments::SeatTitles;

/// Returns the commands to type next, one per line: to claim the free seats, and to watch.
pub(crate) fn next_steps(match_id: &str, claimed: Option<u32>, titles: &SeatTitles) -> String {
    let match_id = board::printable(match_id);
    let mut text = "Next:\n".to_owned();
    for seat in [0, 1].into_iter().filter(|seat| Some(*seat) != claimed) {
        let title = shell_word(&titles.title(seat).to_lowercase());
        text.push_str(&format!("  matchbook claim {match_id} {title} --name NAME\n"));
    }
    text.push_str(&format!("  matchbook watch {match_id}\n"));
    text
}

/// Quotes a title of several words, so that the printed command can be pasted.
fn shell_word(title: &str) -> String {
    if title.contains(' ') { format!("'{title}'") } else { title.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::shell_word;

    #[test]
    fn a_title_of_several_words_is_one_argument() {
        assert_eq!(shell_word("player two"), "'player two'");
        assert_eq!(shell_word("demons"), "demons");
    }
}
