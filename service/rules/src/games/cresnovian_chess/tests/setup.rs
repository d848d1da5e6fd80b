//! CC-1 to CC-13: the field, the pieces, placement and choice.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::{
    ONE, PLACEMENT, TWO, after, at, built, families, listed, opening, playing, q, read, refused, seat_to_act,
    sketch, started,
};
use crate::games::cresnovian_chess::field::square::{Square, SquareSet, WORLD};
use crate::games::cresnovian_chess::{CresnovianChess, Kingdom, Phase, Umbration};
use crate::{Game, Listing, Sides, Viewer};

#[test]
fn cc_1_the_field_has_3_rows_and_9_columns_in_three_regions() {
    assert_eq!(Square::ALL.len(), 27);
    for (row, col) in [(0, 1), (4, 1), (1, 0), (1, 10), (u32::MAX, u32::MAX)] {
        assert_eq!(Square::new(row, col), None);
    }
    for square in Square::ALL {
        assert_eq!(Square::new(square.row(), square.col()), Some(square));
        assert_eq!(Kingdom::Left.squares().contains(square), square.col() <= 3);
        assert_eq!(WORLD.contains(square), (4..=6).contains(&square.col()));
        assert_eq!(Kingdom::Right.squares().contains(square), square.col() >= 7);
    }
    assert_eq!(Square::ALL[0].to_string(), "1,1");
    assert_eq!(Square::ALL[26].to_string(), "3,9");
}

#[test]
fn cc_2_nine_pieces_with_q_and_status() {
    let view = CresnovianChess::view(&sketch("ess@1,1=0 dua@2,1=5b cos@3,1=3e"), Viewer::Spectator);
    assert_eq!(view.field.pieces.iter().map(|piece| piece.umbration).collect::<Vec<_>>(), Umbration::ALL);
    let state = sketch("ess@1,1=0 dua@2,1=5b cos@3,1=3e");
    assert_eq!(["ess", "dua", "cos", "vel"].map(|piece| q(&state, piece)), ["0", "5b", "3e", "3"]);
}

#[test]
fn cc_2_a_dead_piece_stays_and_blocks() {
    let state = sketch("ess@1,1 dua@1,3=0");
    assert!(!listed(&state, "travel ess ").contains(&"1,3".into()));
    assert!(!listed(&state, "travel ess ").contains(&"1,4".into()));
}

#[test]
fn cc_3_a_square_holds_one_thing_and_all_things_block() {
    let state = sketch("ess@1,1 dua@3,2 cap+1,3 inn+2,2");
    assert_eq!(listed(&state, "travel ess "), ["1,2", "2,1"]);
    let worded = super::with_words(&state, "", Some(("wall", "1,2")));
    assert_eq!(listed(&worded, "travel ess "), ["2,1"]);
}

#[test]
fn cc_4_pieces_belong_to_the_kingdom_where_they_stand() {
    let state = after(&started(), &["travel ess 1,8"]);
    assert!(super::is_legal(&state, "home cog") || refused(&state, "home cog") == "CC-40");
    // Essence now stands in the right kingdom, so Player One performs with it.
    assert_eq!(refused(&sketch("ess@1,8=9"), "eternal dua"), "CC-30");
}

#[test]
fn cc_5_adjacent_are_the_squares_around() {
    let around = |row, col| {
        let square = Square::new(row, col).expect("it is on the field");
        square.neighbours()
    };
    for one in Square::ALL {
        for other in Square::ALL {
            let near =
                one != other && one.row().abs_diff(other.row()) <= 1 && one.col().abs_diff(other.col()) <= 1;
            assert_eq!(one.neighbours().contains(other), near, "{one} {other}");
        }
    }
    assert_eq!((around(1, 1).len(), around(1, 5).len(), around(2, 5).len()), (3, 5, 8));
    assert!(SquareSet::EMPTY.is_empty());
}

#[test]
fn cc_6_q_never_falls_below_0_and_changes_of_an_eternal_piece_are_void() {
    let state = sketch("dua@2,1=3 ess@1,1=3e vel@3,4=1 cog@2,2=3");
    assert_eq!(q(&after(&state, &["cut ess"]), "ess"), "3e");
    assert_eq!(q(&after(&state, &["propaganda ess dua"]), "ess"), "3e");
    let poor = after(&sketch("cog@2,2=3 vel@3,4=0"), &["propaganda vel"]);
    assert_eq!((q(&poor, "vel"), q(&poor, "cog")), ("0".into(), "2".into()));
}

#[test]
fn cc_6_a_target_may_be_dead_or_the_performer() {
    let state = sketch("dua@2,1=6 ess@1,1=0");
    assert_eq!(q(&after(&state, &["cut ess"]), "ess"), "0");
    assert_eq!(q(&after(&state, &["cut dua"]), "dua"), "2");
}

#[test]
fn cc_7_everything_is_public() {
    let state = after(&started(), &["travel ess 1,2", "travel inn 1,8"]);
    let seen = CresnovianChess::view(&state, Viewer::Spectator);
    for viewer in [Viewer::Seat(ONE), Viewer::Seat(TWO), Viewer::Open] {
        assert_eq!(CresnovianChess::view(&state, viewer), seen);
    }
    assert_eq!(seen.locked, Some(Umbration::Innervation));
    let undo = seen.undo.expect("a turn was taken");
    assert_eq!(undo.field.pieces[Umbration::Innervation.index()].square.to_string(), "1,9");
}

#[test]
fn cc_10_player_one_places_nine_pieces_with_3q() {
    let start = opening(400);
    assert_eq!(CresnovianChess::to_act(&start), Sides::only(ONE));
    let played = CresnovianChess::play(&start, ONE, &read(PLACEMENT)).expect("it is a placement");
    assert_eq!(played.facts.len(), 9);
    let view = CresnovianChess::view(&played.state, Viewer::Spectator);
    assert!(view.field.pieces.iter().all(|piece| piece.condition.q == 3 && piece.home == piece.square));
    assert_eq!(view.phase, Phase::Choosing);
}

#[test]
fn cc_10_only_foundation_squares_each_once() {
    let start = opening(400);
    for wrong in [
        "place ess@1,2 dua@2,1 cos@3,1 vel@3,4 rad@3,5 cor@3,6 inn@1,9 cap@2,9 cog@3,9",
        "place ess@2,1 dua@2,1 cos@3,1 vel@3,4 rad@3,5 cor@3,6 inn@1,9 cap@2,9 cog@3,9",
    ] {
        assert_eq!(refused(&start, wrong), "CC-10");
    }
    for other in ["left", "travel ess 1,2", "cut ess", "document a b c d e f g h i", "pass"] {
        assert_eq!(refused(&start, other), "CC-10", "{other}");
    }
}

#[test]
fn cc_11_player_two_chooses_and_player_one_gets_the_other() {
    let placed = after(&opening(400), &[PLACEMENT]);
    assert_eq!(CresnovianChess::to_act(&placed), Sides::only(TWO));
    assert_eq!(CresnovianChess::legal(&placed, TWO), Listing::complete([read("left"), read("right")].into()));
    let state = after(&placed, &["right"]);
    assert_eq!(playing(&state).kingdoms[TWO], Kingdom::Right);
    assert_eq!(playing(&state).kingdoms[ONE], Kingdom::Left);
    for other in [PLACEMENT, "travel ess 1,2", "pass", "rewind"] {
        assert_eq!(refused(&placed, other), "CC-11", "{other}");
    }
}

#[test]
fn cc_11_placement_and_choice_are_no_turns() {
    assert_eq!(playing(&started()).turns_taken, 0);
    assert_eq!(refused(&sketch("vel@3,2"), "rewind"), "CC-46");
}

#[test]
fn cc_12_the_poem_starts_empty() {
    assert!(playing(&started()).field.poem.is_empty());
    assert_eq!(refused(&sketch("cos@3,1=9"), "redefine 0 1,2"), "CC-45");
}

#[test]
fn cc_13_turns_alternate_and_player_two_begins() {
    let start = started();
    assert_eq!(seat_to_act(&start), TWO);
    let one = after(&start, &["travel ess 1,2"]);
    assert_eq!(seat_to_act(&one), ONE);
    assert_eq!(seat_to_act(&after(&one, &["travel inn 1,8"])), TWO);
    for other in [PLACEMENT, "left", "right"] {
        assert_eq!(refused(&start, other), "CC-13", "{other}");
    }
}

#[test]
fn cc_80_a_placement_is_built_piece_by_piece() {
    let start = opening(400);
    assert_eq!(families(&start), ["placement"]);
    assert!(CresnovianChess::legal(&start, ONE).moves.is_empty());
    let some = built(&start, &["ess", "dua", "cos", "vel", "rad", "cor"]);
    assert_eq!(some.len(), 6);
    let state = after(&start, &[&CresnovianChess::print_move(&some[0]), "left"]);
    assert_eq!(
        (at(&state, "ess"), at(&state, "dua"), at(&state, "cog")),
        ("1,1".into(), "1,9".into(), "3,9".into())
    );
    assert!(some.iter().all(|mv| CresnovianChess::play(&start, ONE, mv).is_ok()));
}
