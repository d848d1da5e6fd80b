//! Commands of a seat while a match is played.

pub(super) mod abort;
pub(super) mod bot;
pub(super) mod check;
pub(super) mod draw;
pub(super) mod legal;
pub(super) mod make_move;
pub(super) mod resign;
