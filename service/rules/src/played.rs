//! The outcome of an accepted move.

use alloc::vec::Vec;

/// The state after an accepted move and what the move brought about.
pub struct Played<S, F> {
    /// The state after the move.
    pub state: S,
    /// The facts in the order in which they happened, not yet redacted for any viewer.
    pub facts: Vec<F>,
}

impl<S, F> Played<S, F> {
    /// Converts the state and each fact.
    pub fn map<T, G>(self, state: impl FnOnce(S) -> T, fact: impl FnMut(F) -> G) -> Played<T, G> {
        Played { state: state(self.state), facts: self.facts.into_iter().map(fact).collect() }
    }
}
