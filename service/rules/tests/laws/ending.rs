//! Laws of the end: it comes within the game's bound, and nobody moves after it.

use std::collections::BTreeSet;

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
            assert!(S::Game::REASONS.contains(&ending.reason), "the game does not list {:?}", ending.reason);
        }
    });
}

pub(crate) fn reasons_have_words_of_the_rules_page<S: Subject>() {
    let mut words = BTreeSet::new();
    for &reason in S::Game::REASONS {
        let word = S::Game::reason_word(reason);
        assert!(word.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{word} is no fixed word");
        assert!(S::Game::INFO.rules_text.contains(word), "the rules page lacks {word}");
        assert!(words.insert(word), "{word} stands for two reasons");
    }
    assert!(!words.is_empty());
}
