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
            // A sentence that named another paragraph would contradict the one beside it.
            let (family, _) = number.split_once('-').expect("a number has a family");
            for family in [family, "G"] {
                assert!(!illegal.text.contains(&format!("{family}-")), "{}", illegal.text);
            }
            // AD-1 must not match AD-10.
            let mut words = S::Game::INFO.rules_text.split(|c: char| !c.is_alphanumeric() && c != '-');
            assert!(words.any(|word| word == number), "the page has no {number}");
        }
    });
}

fn refusals<S: Subject>(walk: &Walk<S>, dice: &mut Dice) -> Vec<(Side, Illegal)> {
    let mut probes = S::probes(&walk.options, dice);
    // A past move is well formed, though it may be the other seat's.
    probes.extend(walk.history.last().map(|(_, mv)| mv.clone()));
    let tries = Side::ALL.into_iter().flat_map(|seat| probes.iter().map(move |mv| (seat, mv)));
    tries.filter_map(|(seat, mv)| Some((seat, S::Game::play(&walk.now.state, seat, mv).err()?))).collect()
}
