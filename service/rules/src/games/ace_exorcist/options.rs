//! The options of a match: there are none.

/// What is fixed before a match starts: nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Options;
