//! The newest event of a match.

use event::ChainHash;

use crate::Seq;

/// The newest event of a match. Its hash covers all events before it, so two equal heads have equal logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its number.
    pub seq: Seq,
    /// Its hash.
    pub hash: ChainHash,
}
