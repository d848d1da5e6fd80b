//! Following a match live and stepping through it.

mod clocks;
mod playback;
mod spectator;

pub(crate) use clocks::with_current_clocks;
pub(crate) use playback::Playback;
pub(crate) use spectator::Spectator;
