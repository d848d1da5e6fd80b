//! Following a match live, as a spectator or at its table, stepping through it, and reading its poem.

mod all_events;
mod clocks;
mod playback;
mod poem;
mod spectator;
mod table;

pub(crate) use all_events::all_events;
pub(crate) use clocks::with_current_clocks;
pub(crate) use playback::Playback;
pub(crate) use poem::whole_poem;
pub(crate) use spectator::Spectator;
pub(crate) use table::{News, Table};
