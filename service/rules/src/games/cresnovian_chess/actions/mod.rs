//! What a seat can do in a turn: travel, perform, document (CC-13). Each room checks an action and carries it out; a pass
//! needs nothing and is in `legal` and `play`.

pub(super) mod abilities;
pub(super) mod document;
pub(super) mod perform;
pub(super) mod travel;
