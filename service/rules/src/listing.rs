//! Listing the legal moves of a seat.

use alloc::vec::Vec;

/// A seat's legal moves in a fixed order, as far as they can be listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing<M> {
    /// The listed moves, without duplicates.
    pub moves: Vec<M>,
    /// Names of families of legal moves that are too large to list; `choices` builds their moves.
    pub unlisted_families: Vec<&'static str>,
}

impl<M> Listing<M> {
    /// Creates a listing without unlisted families.
    #[must_use]
    pub const fn complete(moves: Vec<M>) -> Self {
        Self { moves, unlisted_families: Vec::new() }
    }

    /// Returns whether `moves` holds every legal move.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.unlisted_families.is_empty()
    }

    /// Converts the moves.
    pub fn map<N>(self, change: impl FnMut(M) -> N) -> Listing<N> {
        Listing {
            moves: self.moves.into_iter().map(change).collect(),
            unlisted_families: self.unlisted_families,
        }
    }
}
