//! The options of a match: there are none.

/// The options of a match, of which there are none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Options;
