//! CC-50 and CC-51: Corporeality builds, destroys, shifts the ground.

use alloc::collections::BTreeSet;

use super::{after, at, built, families, listed, monuments, refused, sketch, with_words};
use crate::Game;
use crate::games::cresnovian_chess::{CresnovianChess, Elite, Move, Performance};

#[test]
fn cc_50_a_monument_of_any_umbration_next_to_the_performer() {
    let state = sketch("cor@2,2=3 ess@1,1 dua@2,1 cos@3,1 inn+1,2");
    assert_eq!(monuments(&after(&state, &["build ess@1,3"])), ["inn@1,2", "ess@1,3"]);
    for wrong in ["build ess@1,2", "build ess@1,1", "build ess@2,4", "build ess@2,2"] {
        assert_eq!(refused(&state, wrong), "CC-50", "{wrong}");
    }
    // 1,3 2,3 3,2 3,3 are blank.
    assert_eq!(listed(&state, "build ").len(), 4 * 9);
}

#[test]
fn cc_50_or_any_set_of_adjacent_monuments_is_destroyed() {
    let state = sketch("cor@2,2=3 ess+1,2 inn+1,3 cap+2,3 cap+2,4");
    assert_eq!(monuments(&after(&state, &["destroy 1,2 2,3"])), ["inn@1,3", "cap@2,4"]);
    for wrong in ["destroy", "destroy 2,4", "destroy 1,2 2,4", "destroy 3,3", "destroy 1,1"] {
        assert_eq!(refused(&state, wrong), "CC-50", "{wrong}");
    }
    assert!(families(&state).contains(&"destroy-monuments"));
    assert!(!families(&sketch("cor@2,2=3 cap+2,4")).contains(&"destroy-monuments"));
    assert_eq!(built(&state, &["perform", "cor", "basic", "destroy"]).len(), 7);
}

#[test]
fn cc_50_without_a_blank_square_only_destroying_is_offered() {
    let state = sketch("cor@1,1=3 ess@1,2 dua@2,1 cap+2,2");
    let all = built(&state, &["perform", "cor", "basic"]);
    assert_eq!(
        all.iter().map(CresnovianChess::print_move).collect::<BTreeSet<_>>(),
        ["destroy 2,2".into()].into()
    );
    let shut_in = sketch("cor@1,1=3 ess@1,2 dua@2,1 cos@2,2");
    let offered = CresnovianChess::choices(&shut_in, super::TWO, &["perform".into(), "cor".into()]);
    assert!(offered.is_err());
}

#[test]
fn cc_51_single_steps_one_after_another() {
    let state = sketch("cor@2,2=9 ess@1,1 dua@2,1=0 cos@3,1 inn+1,2");
    let shifted = after(&state, &["tectonic 2,2r 2,1r 1,1d 1,2l"]);
    assert_eq!(
        (at(&shifted, "cor"), at(&shifted, "dua"), at(&shifted, "ess")),
        ("2,3".into(), "2,2".into(), "2,1".into())
    );
    assert_eq!(monuments(&shifted), ["inn@1,1"]);
}

#[test]
fn cc_51_refused_steps() {
    let state = with_words(&sketch("cor@2,2=9 ess@1,1 dua@2,1 cos@3,1 inn+1,2"), "", Some(("stays", "3,2")));
    for wrong in [
        "tectonic",
        "tectonic 1,1u",
        "tectonic 1,1l",
        "tectonic 1,1r",
        "tectonic 1,1d",
        "tectonic 3,2r",
        "tectonic 3,3r",
        // A swap, and a thing that moves twice.
        "tectonic 1,1r 1,2l",
        "tectonic 2,2r 2,3r",
        "tectonic 1,2r 1,3l",
        "tectonic 2,2dr 3,3l",
    ] {
        assert_eq!(refused(&state, wrong), "CC-51", "{wrong}");
    }
}

#[test]
fn cc_51_another_order_is_another_move_and_each_is_built_once() {
    // Everything else is far away or walled in.
    let state = sketch("cor@1,1=9 ess+1,2 ess+2,1 ess+2,2 dua@1,4 cos@1,5 ess@1,6 rad@2,4 inn@2,5 cap@2,6");
    let all = built_short_lists(&state);
    let once: BTreeSet<_> = all.iter().collect();
    assert_eq!(once.len(), all.len());
    for mv in &all {
        assert!(CresnovianChess::play(&state, super::TWO, mv).is_ok());
    }
    let texts: BTreeSet<_> = all.iter().map(CresnovianChess::print_move).collect();
    assert!(texts.contains("tectonic 1,2r 2,1d") && texts.contains("tectonic 2,1d 1,2r"));
}

/// Returns the lists of one and two steps.
fn built_short_lists(state: &crate::games::cresnovian_chess::State) -> alloc::vec::Vec<Move> {
    let start = ["perform", "cor", "elite"].map(alloc::string::String::from).to_vec();
    let mut found = alloc::vec::Vec::new();
    let mut open = alloc::vec![start];
    while let Some(path) = open.pop() {
        match CresnovianChess::choices(state, super::TWO, &path).expect("no dead end") {
            crate::Step::Done(mv) => found.push(mv),
            crate::Step::Ask(question) => {
                let crate::QuestionKind::OneOf(choices) = question.kind else { panic!("a step is picked") };
                let is_deep = path.len() >= 3 + 4;
                for choice in choices.into_iter().filter(|choice| !is_deep || choice.value == "enough") {
                    open.push(path.iter().cloned().chain([choice.value]).collect());
                }
            }
        }
    }
    found
}

#[test]
fn cc_51_tectonic_failures_are_never_listed() {
    let state = sketch("cor@2,2=9");
    assert!(families(&state).contains(&"tectonic-failure"));
    let is_tectonic = |mv: &Move| matches!(mv, Move::Perform(Performance::Elite(Elite::TectonicFailure(_))));
    assert!(!CresnovianChess::legal(&state, super::TWO).moves.iter().any(is_tectonic));
}
