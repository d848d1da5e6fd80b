//! Laws of refused moves: they change nothing, follow the order of G-2, and name a paragraph of the rules
//! page.

use rules::{Dice, Game, Illegal, IllegalKind, Side};

use crate::subject::Subject;
use crate::walk::{VIEWERS, Walk, every_position};

pub(crate) fn a_refused_move_changes_nothing<S: Subject>() {
    every_position::<S>(|walk, dice| {
        let state = &walk.now.state;
        let snapshot = || {
            let views = VIEWERS.map(|viewer| S::Game::view(state, viewer));
            let listings = Side::ALL.map(|seat| S::Game::legal(state, seat));
            (S::Game::canonical(state), S::Game::to_act(state), views, listings)
        };
        let before = snapshot();
        refusals(walk, dice);
        assert_eq!(snapshot(), before);
    });
}

pub(crate) fn the_first_failing_test_is_reported<S: Subject>() {
    every_position::<S>(|walk, dice| {
        let to_act = S::Game::to_act(&walk.now.state);
        for (seat, illegal) in refusals(walk, dice) {
            let expected = match (walk.is_over(), to_act.contains(seat)) {
                (true, _) => IllegalKind::MatchOver,
                (false, false) => IllegalKind::NotToAct,
                (false, true) => IllegalKind::Move,
            };
            assert_eq!(illegal.kind, expected);
        }
    });
}

pub(crate) fn every_refusal_names_a_paragraph_of_the_rules_page<S: Subject>() {
    every_position::<S>(|walk, dice| {
        for (_, illegal) in refusals(walk, dice) {
            assert!(!illegal.text.is_empty());
            let number = illegal.paragraph.as_str();
            // A number in the sentence could contradict the one beside it.
            assert!(!illegal.text.split(not_in_number).any(is_number), "{}", illegal.text);
            // AD-1 must not match AD-10.
            let mut words = S::Game::INFO.rules_text.split(not_in_number);
            assert!(words.any(|word| word == number), "the page has no {number}");
        }
    });
}

fn not_in_number(c: char) -> bool {
    !c.is_alphanumeric() && c != '-'
}

/// Returns whether a word is the number of a paragraph, such as AD-5.
fn is_number(word: &str) -> bool {
    word.split_once('-').is_some_and(|(family, number)| {
        let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        digits && !family.is_empty() && family.bytes().all(|byte| byte.is_ascii_uppercase())
    })
}

fn refusals<S: Subject>(walk: &Walk<S>, dice: &mut Dice) -> Vec<(Side, Illegal)> {
    let mut probes = S::probes(&walk.options, dice);
    // A past move is well formed, though it may be the other seat's.
    probes.extend(walk.history.last().map(|(_, mv)| mv.clone()));
    let tries = Side::ALL.into_iter().flat_map(|seat| probes.iter().map(move |mv| (seat, mv)));
    tries.filter_map(|(seat, mv)| Some((seat, S::Game::play(&walk.now.state, seat, mv).err()?))).collect()
}
