//! AD-1 to AD-5: the board, legal choices, and the secrecy of a choice.

use alloc::vec::Vec;

use super::{ANGELS, DEMONS, VIEWERS, accepted, choose, drawn, opening, play, refused, seen, turn};
use crate::games::angels_and_demons::{AngelsAndDemons, Cover, Fact, Move, Options, Space};
use crate::{Game, IllegalKind, Seed, Side, Sides, Viewer};

fn refused_option(rows: u32, cols: u32, turns: u32) -> (&'static str, &'static str) {
    let setup = AngelsAndDemons::setup(&Options { rows, cols, turns }, &Seed::new([0; 32]));
    let bad = setup.err().expect("the options are out of range");
    (bad.option, bad.illegal.paragraph.as_str())
}

fn blacks(rows: u32, cols: u32) -> Vec<Move> {
    AngelsAndDemons::legal(&opening(rows, cols, 1), ANGELS).moves
}

#[test]
fn ad_1_the_board_is_8_by_8_by_default() {
    assert_eq!(Options::default(), Options { rows: 8, cols: 8, turns: 20 });
    let view = seen(&opening(3, 5, 1), Viewer::Spectator);
    assert_eq!((view.rows, view.cols, view.covers.len()), (3, 5, 15));
}

#[test]
fn ad_1_sides_are_3_to_26_and_even_together() {
    assert_eq!(refused_option(2, 8, 20), ("rows", "AD-1"));
    assert_eq!(refused_option(27, 8, 20), ("rows", "AD-1"));
    assert_eq!(refused_option(8, 2, 20), ("cols", "AD-1"));
    assert_eq!(refused_option(8, u32::MAX, 20), ("cols", "AD-1"));
    assert_eq!(refused_option(8, 9, 20), ("cols", "AD-1"));
    for (rows, cols) in [(3, 3), (3, 25), (26, 4), (26, 26)] {
        opening(rows, cols, 1);
    }
}

#[test]
fn ad_1_both_seats_use_the_angels_coordinates() {
    let state = turn(&opening(3, 5, 2), (1, 1), (3, 5));
    assert_eq!(drawn(&state), ".A.../A...D/...D.");
}

#[test]
fn ad_2_a_space_is_black_if_row_plus_column_is_even() {
    let expected = [(1, 1), (1, 3), (2, 2), (3, 1), (3, 3)].map(|(row, col)| choose(row, col));
    assert_eq!(blacks(3, 3), expected);
    assert!(Space { row: u32::MAX, col: u32::MAX }.is_black());
}

#[test]
fn ad_2_the_near_left_corner_is_black_for_both_seats() {
    for (rows, cols) in [(3, 5), (8, 8), (26, 4)] {
        let blacks = blacks(rows, cols);
        assert_eq!((blacks.first(), blacks.last()), (Some(&choose(1, 1)), Some(&choose(rows, cols))));
    }
}

#[test]
fn ad_3_the_board_starts_empty_and_black_spaces_stay_empty() {
    let mut state = opening(4, 4, 8);
    assert_eq!(drawn(&state), "..../..../..../....");
    let blacks = blacks(4, 4);
    for mv in &blacks {
        let Move::Choose(Space { row, col }) = *mv;
        state = turn(&state, (row, col), (1, 1));
    }
    let view = seen(&state, Viewer::Spectator);
    for mv in blacks {
        let Move::Choose(Space { row, col }) = mv;
        assert_eq!(view.covers[((row - 1) * 4 + col - 1) as usize], Cover::Empty);
    }
}

#[test]
fn ad_4_every_black_space_is_legal_on_every_turn() {
    let mut state = opening(8, 8, 5);
    for _ in 0..4 {
        let listing = AngelsAndDemons::legal(&state, DEMONS);
        assert!(listing.is_complete());
        assert_eq!(listing.moves.len(), 32);
        state = turn(&state, (4, 4), (4, 4));
    }
}

#[test]
fn ad_4_a_white_space_is_refused() {
    let illegal = refused(&opening(8, 8, 20), ANGELS, 3, 4);
    assert_eq!((illegal.paragraph.as_str(), illegal.kind), ("AD-4", IllegalKind::Move));
}

#[test]
fn ad_4_there_is_no_pass() {
    assert!(AngelsAndDemons::parse_move("pass").is_err());
    assert!(AngelsAndDemons::parse_move("").is_err());
    assert_eq!(refused(&opening(8, 8, 20), ANGELS, 0, 0).paragraph.as_str(), "G-2");
}

#[test]
fn ad_5_a_choice_is_final() {
    let (sealed, _) = accepted(&opening(8, 8, 20), DEMONS, 4, 4);
    assert_eq!(AngelsAndDemons::to_act(&sealed), Sides::only(ANGELS));
    assert!(AngelsAndDemons::legal(&sealed, DEMONS).moves.is_empty());
    let illegal = refused(&sealed, DEMONS, 5, 5);
    assert_eq!(illegal.kind, IllegalKind::NotToAct);
    assert_eq!(illegal.paragraph.as_str(), "G-2");
    assert_eq!(illegal.text, "this seat has already chosen in this turn, and a choice is final");
    let asked = AngelsAndDemons::choices(&sealed, DEMONS, &[]).expect_err("the seat waits");
    assert_eq!(asked.illegal, illegal);
}

#[test]
fn ad_5_nobody_but_the_seat_sees_its_choice() {
    let start = opening(8, 8, 20);
    let (sealed, facts) = accepted(&start, ANGELS, 4, 4);
    let (other, other_facts) = accepted(&start, ANGELS, 8, 8);
    assert_eq!(facts, [Fact::Chosen { seat: ANGELS }]);
    assert_eq!(facts, other_facts);
    for viewer in VIEWERS {
        let view = seen(&sealed, viewer);
        assert_eq!(view.chosen, Sides::only(ANGELS));
        let own = viewer == Viewer::Seat(ANGELS);
        assert_eq!(view.own_choice, own.then_some(Space { row: 4, col: 4 }), "{viewer:?}");
        assert_eq!(view == seen(&other, viewer), !own, "{viewer:?}");
    }
}

#[test]
fn ad_5_the_other_seats_refusals_do_not_depend_on_a_sealed_choice() {
    let start = opening(4, 4, 2);
    let sealed = [(1, 1), (4, 4)].map(|(row, col)| accepted(&start, ANGELS, row, col).0);
    for row in 0..6 {
        for col in 0..6 {
            let [one, other] = [0, 1].map(|i| play(&sealed[i], DEMONS, row, col).err());
            assert_eq!(one, other);
        }
    }
}

#[test]
fn ad_5_the_digest_leaves_out_sealed_choices() {
    let start = opening(8, 8, 20);
    for seat in Side::ALL {
        assert_eq!(accepted(&start, seat, 4, 4).0.canonical(), start.canonical());
    }
}

#[test]
fn ad_5_the_angels_choice_is_revealed_first_whatever_the_order() {
    let start = opening(8, 8, 20);
    let (angels_first, angels_facts) = accepted(&accepted(&start, ANGELS, 2, 2).0, DEMONS, 7, 7);
    let (demons_first, demons_facts) = accepted(&accepted(&start, DEMONS, 7, 7).0, ANGELS, 2, 2);
    assert_eq!(angels_facts[0], Fact::Chosen { seat: DEMONS });
    assert_eq!(demons_facts[0], Fact::Chosen { seat: ANGELS });
    assert_eq!(angels_facts[1..], demons_facts[1..]);
    let revealed = [
        Fact::Revealed { seat: ANGELS, space: Space { row: 2, col: 2 } },
        Fact::Revealed { seat: DEMONS, space: Space { row: 7, col: 7 } },
    ];
    assert_eq!(angels_facts[1..3], revealed);
    assert_eq!(angels_first.canonical(), demons_first.canonical());
}

#[test]
fn ad_5_a_turn_resolves_only_at_its_reveal() {
    let start = opening(8, 8, 1);
    let sealed = play(&start, ANGELS, 2, 2).expect("the choice is legal").state;
    let both = play(&sealed, DEMONS, 7, 7).expect("the choice is legal").state;
    let over = AngelsAndDemons::reveal(&both).expect("both choices are in").state;
    for state in [&start, &sealed, &over] {
        assert!(AngelsAndDemons::reveal(state).is_none());
    }
    assert_eq!(AngelsAndDemons::to_act(&both), Sides::NONE);
    assert_eq!(AngelsAndDemons::ending(&both), None);
    assert_eq!(both.canonical(), start.canonical());
    for seat in Side::ALL {
        assert_eq!(refused(&both, seat, 1, 1).kind, IllegalKind::NotToAct);
    }
    assert_eq!(seen(&both, Viewer::Spectator).chosen, Sides::BOTH);
    assert_eq!(seen(&both, Viewer::Open).own_choice, None);
}

#[test]
fn ad_5_a_resolved_turn_leaves_nothing_sealed() {
    let state = turn(&opening(8, 8, 20), (2, 2), (7, 7));
    assert_eq!(AngelsAndDemons::to_act(&state), Sides::BOTH);
    for viewer in VIEWERS {
        let view = seen(&state, viewer);
        assert_eq!((view.chosen, view.own_choice), (Sides::NONE, None));
    }
}
