//! Laws: who has moves, and that `play` accepts exactly the legal ones.

use std::collections::BTreeSet;

use rules::{Game, Side};

use crate::subject::Subject;
use crate::walk::every_position;

pub(crate) fn only_seats_to_act_have_moves<S: Subject>() {
    every_position::<S>(|walk, dice| {
        let state = &walk.now.state;
        for seat in Side::ALL {
            let listing = S::Game::legal(state, seat);
            let has_moves = !listing.moves.is_empty() || !listing.is_complete();
            let to_act = S::Game::to_act(state).contains(seat);
            assert_eq!(has_moves, to_act);
            assert_eq!(S::Game::sample(state, seat, dice).is_some(), to_act);
            assert_eq!(S::Game::choices(state, seat, &[]).is_ok(), to_act);
        }
    });
}

pub(crate) fn the_order_of_moves_is_fixed_and_moves_are_unique<S: Subject>() {
    every_position::<S>(|walk, _| {
        for seat in Side::ALL {
            let listing = S::Game::legal(&walk.now.state, seat);
            assert_eq!(listing, S::Game::legal(&walk.now.state.clone(), seat));
            let once: BTreeSet<_> = listing.moves.iter().collect();
            assert_eq!(once.len(), listing.moves.len());
        }
    });
}

pub(crate) fn play_accepts_exactly_the_legal_moves<S: Subject>() {
    every_position::<S>(|walk, dice| {
        let state = &walk.now.state;
        for seat in Side::ALL {
            let listing = S::Game::legal(state, seat);
            for mv in &listing.moves {
                assert!(S::Game::play(state, seat, mv).is_ok(), "{mv:?} is listed");
            }
            if let Some(mv) = S::Game::sample(state, seat, dice) {
                assert!(S::Game::play(state, seat, &mv).is_ok(), "{mv:?} was sampled");
            }
            for mv in S::probes(&walk.options, dice) {
                // The law of choices covers the moves of unlisted families.
                let may_be_legal = listing.moves.contains(&mv) || !listing.is_complete();
                let accepted = S::Game::play(state, seat, &mv).is_ok();
                assert!(may_be_legal || !accepted, "{mv:?} is not listed");
            }
        }
    });
}
