//! Playing a match in the terminal. `lobby` finds the match and the seat, `call` carries out what the player
//! asks for. There are two forms: `full_screen` redraws the board in
//! place, on what `screen` offers; `line_mode` prints lines, for pipes and terminals without a cursor.

mod call;
mod full_screen;
mod line_mode;
mod lobby;
mod paragraphs;
mod rematch;
mod screen;
mod seated;
mod typed;

pub(crate) use full_screen::play_on_screen;
pub(crate) use line_mode::play_in_lines;
pub(crate) use lobby::{Against, Wishes, find_seat, take_seat};
pub(crate) use screen::{Screen, has_screen};
pub(crate) use seated::Seated;
