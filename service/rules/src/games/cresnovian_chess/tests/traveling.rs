//! CC-20 to CC-22: travel.

use super::{after, at, is_legal, listed, q, refused, sketch, started, with_words};

#[test]
fn cc_20_any_number_of_squares_in_a_straight_line() {
    let state = sketch("ess@2,2 dua@3,1 cos@3,2");
    let expected = ["1,1", "1,2", "1,3", "2,1", "2,3", "2,4", "2,5", "2,6", "2,7", "2,8", "3,3"];
    assert_eq!(listed(&state, "travel ess "), expected);
}

#[test]
fn cc_20_no_jumps_no_captures_no_bends() {
    let state = with_words(&sketch("ess@1,1 dua@2,2 cap+1,4"), "", Some(("stop", "2,1")));
    for (to, paragraph) in [
        ("1,1", "CC-20"),
        ("1,4", "CC-20"),
        ("1,5", "CC-20"),
        ("2,2", "CC-20"),
        ("3,3", "CC-20"),
        ("2,1", "CC-20"),
        ("2,3", "CC-20"),
    ] {
        assert_eq!(refused(&state, &alloc::format!("travel ess {to}")), paragraph, "{to}");
    }
    assert_eq!(listed(&state, "travel ess "), ["1,2", "1,3"]);
}

#[test]
fn cc_20_a_dead_piece_cannot_travel_and_any_other_can() {
    let state = sketch("ess@1,1=0 inn@1,9=1");
    assert_eq!(refused(&state, "travel ess 1,2"), "CC-20");
    // A piece inside the other kingdom too.
    assert_eq!(at(&after(&state, &["travel inn 1,5"]), "inn"), "1,5");
}

#[test]
fn cc_20_moving_the_opponents_last_live_piece_out_wins() {
    use crate::{Ending, Game};
    let state = sketch("inn@1,9=3 cap@2,9=0 cog@3,9=0");
    let over = after(&state, &["travel inn 1,6"]);
    let ending = crate::games::cresnovian_chess::CresnovianChess::ending(&over);
    assert_eq!(
        ending,
        Some(Ending {
            winner: Some(super::TWO),
            reason: crate::games::cresnovian_chess::Reason::KingdomLost
        })
    );
}

#[test]
fn cc_21_the_piece_that_the_opponent_traveled_with_is_locked_for_one_turn() {
    let state = after(&started(), &["travel vel 2,4"]);
    assert_eq!(refused(&state, "travel vel 1,4"), "CC-21");
    assert!(listed(&state, "travel vel ").is_empty());
    let later = after(&state, &["travel inn 1,8"]);
    assert!(is_legal(&later, "travel vel 1,4"));
    assert_eq!(refused(&later, "travel inn 1,7"), "CC-21");
}

#[test]
fn cc_21_other_ways_of_moving_do_not_lock() {
    let state = after(&sketch("vel@3,2=9 rad@3,5"), &["teleport 3,5 2,5"]);
    assert!(is_legal(&state, "travel rad 1,5"));
}

#[test]
fn cc_22_a_travel_from_the_own_kingdom_gains_1q_per_square() {
    let state = sketch("ess@1,1=3 dua@2,1=4b cos@3,1=3e vel@3,4=3 inn@1,9=3");
    assert_eq!(q(&after(&state, &["travel ess 1,7"]), "ess"), "9");
    assert_eq!(q(&after(&state, &["travel ess 3,3"]), "ess"), "5");
    assert_eq!(q(&after(&state, &["travel dua 2,5"]), "dua"), "4b");
    assert_eq!(q(&after(&state, &["travel cos 3,3"]), "cos"), "3e");
    assert_eq!(q(&after(&state, &["travel vel 3,2"]), "vel"), "3");
    assert_eq!(q(&after(&state, &["travel inn 1,2"]), "inn"), "3");
}
