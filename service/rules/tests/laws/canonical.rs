//! Laws: the bytes from which a position's digest is made tell positions apart, and their number does not
//! grow with the match.

use std::collections::BTreeMap;

use rules::{Ending, Game, Sides, Viewer};

use crate::subject::Subject;
use crate::walk::every_position;

pub(crate) fn canonical_bytes_are_bounded<S: Subject>() {
    every_position::<S>(|walk, _| {
        let length = S::Game::canonical(&walk.now.state).len();
        assert!(length <= S::LARGEST_CANONICAL, "{length} bytes after {} moves", walk.history.len());
    });
}

/// What everybody may learn of a position after the match.
type Truth<G> = (<G as Game>::View, Sides, Option<Ending<<G as Game>::Reason>>);

pub(crate) fn different_positions_have_different_canonical_bytes<S: Subject>() {
    let mut seen: BTreeMap<Vec<u8>, Truth<S::Game>> = BTreeMap::new();
    every_position::<S>(|walk, _| {
        let state = &walk.now.state;
        let to_act = S::Game::to_act(state);
        // A sealed choice is left out until its turn is revealed (AD-5).
        let is_sealed = S::Game::INFO.simultaneous && !walk.is_over() && to_act != Sides::BOTH;
        if !is_sealed {
            let truth = (S::Game::view(state, Viewer::Open), to_act, S::Game::ending(state));
            let before = seen.entry(S::Game::canonical(state)).or_insert_with(|| truth.clone());
            assert!(*before == truth, "{before:?} and {truth:?} have equal bytes");
        }
    });
}
