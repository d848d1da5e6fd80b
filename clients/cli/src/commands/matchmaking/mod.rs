//! Commands that find, create and join matches.

pub(super) mod claim;
pub(super) mod fork;
pub(super) mod games;
pub(super) mod matches;
pub(super) mod new;
pub(super) mod rematch;
