//! AD-7 to AD-10: the length of a match, its end, the counts, and what a clock needs.

use super::{ANGELS, DEMONS, VIEWERS, accepted, opening, refused, seen, turn};
use crate::games::angels_and_demons::{AngelsAndDemons, Options, Reason};
use crate::{BySide, Ending, Game, IllegalKind, Seed, Side, Sides};

#[test]
fn ad_7_a_match_takes_all_its_turns() {
    let mut state = opening(8, 8, 1000);
    for _ in 0..1000 {
        assert_eq!(AngelsAndDemons::ending(&state), None);
        // The position is the same each time: repetition ends nothing.
        state = turn(&state, (4, 4), (4, 4));
    }
    assert!(AngelsAndDemons::ending(&state).is_some());
    assert_eq!(AngelsAndDemons::to_act(&state), Sides::NONE);
}

#[test]
fn ad_7_turns_are_1_to_1000() {
    for turns in [0, 1001, u32::MAX] {
        let options = Options { turns, ..Options::default() };
        let bad =
            AngelsAndDemons::setup(&options, &Seed::new([0; 32])).err().expect("the number is out of range");
        assert_eq!((bad.option, bad.illegal.paragraph.as_str()), ("turns", "AD-7"));
    }
}

#[test]
fn ad_7_the_view_has_the_current_turn() {
    let first = opening(8, 8, 2);
    let second = turn(&first, (1, 1), (8, 8));
    let over = turn(&second, (1, 1), (8, 8));
    let turns = [&first, &second, &over].map(|state| {
        let view = seen(state, VIEWERS[0]);
        (view.turn, view.turns)
    });
    assert_eq!(turns, [(1, 2), (2, 2), (2, 2)]);
}

#[test]
fn ad_7_after_the_last_turn_nobody_moves() {
    let over = turn(&opening(8, 8, 1), (1, 1), (8, 8));
    for seat in Side::ALL {
        assert!(AngelsAndDemons::legal(&over, seat).moves.is_empty());
        let illegal = refused(&over, seat, 1, 1);
        assert_eq!((illegal.kind, illegal.paragraph.as_str()), (IllegalKind::MatchOver, "G-2"));
    }
}

#[test]
fn ad_8_more_covered_spaces_win() {
    let ending = |angels, demons| AngelsAndDemons::ending(&turn(&opening(8, 8, 1), angels, demons));
    assert_eq!(ending((4, 4), (8, 8)), Some(Ending { winner: Some(ANGELS), reason: Reason::Count }));
    assert_eq!(ending((1, 1), (5, 5)), Some(Ending { winner: Some(DEMONS), reason: Reason::Count }));
}

#[test]
fn ad_8_equal_counts_are_a_draw() {
    let over = turn(&opening(8, 8, 1), (1, 1), (8, 8));
    assert_eq!(AngelsAndDemons::ending(&over), Some(Ending { winner: None, reason: Reason::EqualCount }));
}

#[test]
fn ad_9_everybody_sees_the_current_counts() {
    let state = turn(&opening(8, 8, 20), (4, 4), (8, 8));
    let (mid_turn, _) = accepted(&state, DEMONS, 4, 4);
    for viewer in VIEWERS {
        assert_eq!(seen(&mid_turn, viewer).counts, BySide::new(4, 2));
    }
}

#[test]
fn ad_10_the_clock_knows_who_has_not_chosen() {
    let start = opening(8, 8, 20);
    assert_eq!(AngelsAndDemons::to_act(&start), Sides::BOTH);
    for seat in Side::ALL {
        let (sealed, _) = accepted(&start, seat, 4, 4);
        assert_eq!(AngelsAndDemons::to_act(&sealed), Sides::only(seat.other()));
    }
}
