//! The answer to "what may this seat do now?".

use alloc::vec::Vec;

/// A seat's legal moves in the game's fixed order, as far as they can be listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing<M> {
    /// Concrete moves, each once.
    pub moves: Vec<M>,
    /// Names of kinds of moves that are legal now but too many to list; `choices` builds them.
    pub unlisted_families: Vec<&'static str>,
}

impl<M> Listing<M> {
    /// A listing that leaves nothing out.
    #[must_use]
    pub const fn complete(moves: Vec<M>) -> Self {
        Self { moves, unlisted_families: Vec::new() }
    }

    /// Whether `moves` holds every legal move.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.unlisted_families.is_empty()
    }

    /// The same listing of moves in another form.
    pub fn map<N>(self, change: impl FnMut(M) -> N) -> Listing<N> {
        Listing {
            moves: self.moves.into_iter().map(change).collect(),
            unlisted_families: self.unlisted_families,
        }
    }
}
