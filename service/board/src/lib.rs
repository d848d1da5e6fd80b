//! Views drawn as text, and events told in words, for people at a terminal.
//! Pure: a message goes in, a string comes out. Nothing here decides what a
//! viewer may see; that has happened before a view was made.

mod ace_exorcist;
mod angels_and_demons;
mod clocks;
mod cresnovian_chess;
mod event_line;
mod ludus_magus;
mod marks;
mod origin;
mod paint;
mod printable;
mod result_line;
mod seats;
mod style;
mod svg;
mod text;

pub use clocks::{counted_to, time_control};
pub use event_line::event_line;
pub use printable::{printable, printable_page};
pub use result_line::result_line;
pub use style::{Colour, Near, Style};
pub use svg::{LAST_MOVE_WITHIN, Look, SVG_CONTENT_TYPE, Theme, svg};
pub use text::{text, text_after};
