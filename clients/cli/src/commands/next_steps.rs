//! What can be done with a match that was just made.

use wire::v1::Seat;

use crate::seat_name::Titles;

/// The commands to type next, one a line: to take the seats but the one that is
/// taken, and to watch.
pub(super) fn next_steps(match_id: &str, taken: Option<Seat>, titles: &Titles) -> String {
    let match_id = board::printable(match_id);
    let mut text = "Next:\n".to_owned();
    for seat in [Seat::Zero, Seat::One].into_iter().filter(|seat| Some(*seat) != taken) {
        let title = titles.title(seat).to_lowercase();
        text.push_str(&format!("  matchbook claim {match_id} {title} --name NAME\n"));
    }
    text.push_str(&format!("  matchbook watch {match_id}\n"));
    text
}
