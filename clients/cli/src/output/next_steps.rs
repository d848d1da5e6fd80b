//! The commands that follow the creation of a match.

use wire::v1::Seat;

use crate::arguments::SeatTitles;

/// Returns the commands to type next, one per line: to claim the free seats, and to watch.
pub(crate) fn next_steps(match_id: &str, claimed: Option<Seat>, titles: &SeatTitles) -> String {
    let match_id = board::printable(match_id);
    let mut text = "Next:\n".to_owned();
    for seat in [Seat::Zero, Seat::One].into_iter().filter(|seat| Some(*seat) != claimed) {
        let title = titles.title(seat).to_lowercase();
        text.push_str(&format!("  matchbook claim {match_id} {title} --name NAME\n"));
    }
    text.push_str(&format!("  matchbook watch {match_id}\n"));
    text
}
