//! What a seat can do in a turn: travel, perform or document (CC-13). Each module checks an action and
//! carries it out. A pass needs neither; `legal` and `play` handle it.

pub(super) mod abilities;
pub(super) mod answers;
pub(super) mod document;
pub(super) mod perform;
pub(super) mod travel;
