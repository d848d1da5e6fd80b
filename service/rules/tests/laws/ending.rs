//! Laws of the end: it comes within the game's bound, and nobody moves after it.

use rules::Game;

use crate::subject::Subject;
use crate::walk::every_position;

pub(crate) fn every_match_ends_within_its_bound<S: Subject>() {
    every_position::<S>(|walk, _| {
        assert!(walk.history.len() <= S::longest(&walk.options));
    });
}

pub(crate) fn a_match_is_over_exactly_when_nobody_is_to_act<S: Subject>() {
    every_position::<S>(|walk, _| {
        let ending = S::Game::ending(&walk.now.state);
        assert_eq!(ending.is_some(), walk.is_over());
        if let Some(ending) = ending {
            assert!(
                ending.reason.chars().all(|c| c.is_ascii_lowercase() || c == '-'),
                "a reason is a fixed word"
            );
            assert!(S::Game::INFO.rules_text.contains(ending.reason), "the rules page has the reason");
        }
    });
}
