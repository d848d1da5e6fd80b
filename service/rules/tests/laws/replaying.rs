//! Law: equal options, seed and moves give equal matches.

use rules::Game;

use crate::subject::{Outcome, Subject};
use crate::walk::{VIEWERS, Walk, every_position};

pub(crate) fn the_same_moves_give_the_same_match<S: Subject>() {
    every_position::<S>(|walk, _| {
        if walk.is_over() {
            replay(walk);
        }
    });
}

fn replay<S: Subject>(walk: &Walk<S>) {
    let state = S::Game::setup(&walk.options, &walk.seed).expect("the options were accepted before");
    let opening = Outcome::<S::Game> { state, facts: Vec::new() };
    let again = walk.history.iter().fold(opening, |now, (seat, mv)| Outcome::of(&now.state, *seat, mv));
    assert_eq!(S::Game::canonical(&again.state), S::Game::canonical(&walk.now.state));
    assert_eq!(again.facts, walk.now.facts);
    assert_eq!(S::Game::ending(&again.state), S::Game::ending(&walk.now.state));
    for viewer in VIEWERS {
        assert_eq!(S::Game::view(&again.state, viewer), S::Game::view(&walk.now.state, viewer));
    }
}
