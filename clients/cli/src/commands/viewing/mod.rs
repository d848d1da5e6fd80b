//! Commands that show a match.

pub(super) mod events;
pub(super) mod replay;
pub(super) mod show;
pub(super) mod watch;
