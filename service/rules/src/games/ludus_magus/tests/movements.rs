//! LM-11 to LM-16: the movements of the Elements.

use super::{WHITE, after, at, far, goes, refused, stage};
use crate::games::ludus_magus::Kind;

#[test]
fn lm_11_aer_goes_two_steps_over_vacant_places_and_may_turn() {
    let state = far("w:aer@d4");
    let all = "d4-b4 d4-c3 d4-c4 d4-c5 d4-d2 d4-d3 d4-d5 d4-d6 d4-e3 d4-e4 d4-e5 d4-f4";
    assert_eq!(goes(&state, "d4"), all);
    assert_eq!(goes(&far("w:aer@0,0"), "0,0"), "0,0-0,1 0,0-0,2 0,0-1,0 0,0-1,1 0,0-2,0");
}

#[test]
fn lm_11_either_way_around_a_corner_is_enough() {
    assert!(goes(&far("w:aer@d4 w:terra@d5"), "d4").contains("d4-e5"));
    assert!(goes(&far("w:aer@d4 w:terra@e4"), "d4").contains("d4-e5"));
    assert_eq!(refused(&far("w:aer@d4 w:terra@d5 w:terra@e4"), "d4-e5"), "LM-11");
    assert_eq!(refused(&far("w:aer@d4 b:terra@d5"), "d4-d6"), "LM-11");
}

#[test]
fn lm_11_aer_does_not_capture_with_its_second_step() {
    assert_eq!(refused(&far("w:aer@d4 b:terra@d6"), "d4-d6"), "LM-16");
}

#[test]
fn lm_12_aqua_captures_over_a_friend() {
    let state = far("w:aqua@d4 w:codex@d5 b:aer@d6 b:terra@c5 b:ignis@e5 b:aether@f4");
    assert_eq!(goes(&state, "d4"), "d4-c4 d4-c5 d4-d3 d4-d6 d4-e4 d4-e5");
    assert_eq!(refused(&state, "d4-f4"), "LM-12");
    // The Magus itself can be the friend between.
    let state = stage("w:aqua@d4 w:magus@d5 b:magus@h8 b:aer@d6");
    assert_eq!(at(&after(&state, "d4-d6"), "d6"), Some((WHITE, Kind::Aqua)));
}

#[test]
fn lm_12_the_second_step_must_capture() {
    assert_eq!(refused(&far("w:aqua@d4 w:codex@d5"), "d4-d6"), "LM-16");
    assert_eq!(refused(&far("w:aqua@d4 w:codex@d5 w:terra@d6"), "d4-d6"), "LM-3");
}

#[test]
fn lm_13_ignis_captures_over_a_vacant_place() {
    let state = far("w:ignis@d4 b:aer@d6 b:terra@e5 b:aqua@b4 w:codex@c4");
    assert_eq!(goes(&state, "d4"), "d4-d3 d4-d5 d4-d6 d4-e4 d4-e5");
    assert_eq!(refused(&state, "d4-b4"), "LM-13");
    assert_eq!(refused(&far("w:ignis@d4 b:aer@d5 b:aer@d6"), "d4-d6"), "LM-13");
    assert_eq!(refused(&far("w:ignis@d4"), "d4-d6"), "LM-16");
}

#[test]
fn lm_13_one_free_way_around_a_corner_is_enough() {
    assert!(goes(&far("w:ignis@d4 b:aer@d5 b:aqua@e5"), "d4").contains("d4-e5"));
    assert_eq!(refused(&far("w:ignis@d4 b:aer@d5 w:aer@e4 b:aqua@e5"), "d4-e5"), "LM-13");
}

#[test]
fn lm_14_terra_captures_and_makes_a_second_step() {
    let state = far("w:terra@d4 b:aer@d5 w:codex@c5");
    let all = "d4-c4 d4-d3 d4-d5 d4-e4 d4xd5-d6 d4xd5-e5";
    assert_eq!(goes(&state, "d4"), all);
}

#[test]
fn lm_14_terra_needs_an_enemy_and_a_place_other_than_its_start() {
    let state = far("w:terra@d4 b:aer@d5 w:codex@c4 b:aqua@d6");
    assert_eq!(refused(&state, "d4xc4-c5"), "LM-14");
    assert_eq!(refused(&state, "d4xe4-e5"), "LM-14");
    assert_eq!(refused(&state, "d4xd5-d4"), "LM-14");
    assert_eq!(refused(&state, "d4xd5-d6"), "LM-14");
}

#[test]
fn lm_15_both_steps_are_orthogonal_on_the_same_plane() {
    let state = far("w:aer@d4 w:terra@4,4 b:aqua@4,5");
    for text in
        ["d4-d7", "d4-e6", "d4-3,3", "4,4-e5", "4,4x4,5-d5", "4,4x5,5-5,6", "4,4x4,5-4,7", "4,4x4,5-5,6"]
    {
        assert_eq!(refused(&state, text), "LM-15", "{text}");
    }
}

#[test]
fn lm_15_an_enemy_that_cannot_be_captured_blocks() {
    // The black Aer on d5 is of the mover's kind: the mover can neither step onto it nor move over it.
    let state = far("w:aer@d4 b:aer@d5");
    assert_eq!(goes(&state, "d4"), "d4-b4 d4-c3 d4-c4 d4-c5 d4-d2 d4-d3 d4-e3 d4-e4 d4-e5 d4-f4");
    // For Aqua it is no friend either.
    assert_eq!(refused(&far("w:aqua@d4 b:aqua@d5 b:aer@d6"), "d4-d6"), "LM-12");
}

#[test]
fn lm_16_aether_has_no_movement_of_its_own() {
    let state = far("w:aether@d4 b:aer@d6 w:codex@c4 b:terra@b4 b:ignis@e4");
    for text in ["d4-d6", "d4-b4", "d4-d2", "d4xe4-e5"] {
        assert_eq!(refused(&state, text), "LM-16", "{text}");
    }
    // A single step still captures.
    assert_eq!(goes(&state, "d4"), "d4-d3 d4-d5 d4-e4");
}

#[test]
fn lm_16_without_borrowing_an_element_has_only_its_own_movement() {
    for (mover, text) in [("terra", "d4-d2"), ("aer", "d4xe4-e5"), ("ignis", "d4xe4-e5"), ("aqua", "d4-d2")] {
        let state = far(&alloc::format!("w:{mover}@d4 b:aether@e4"));
        assert_eq!(refused(&state, text), "LM-16", "{mover}");
    }
}

#[test]
fn lm_16_borrowing_does_not_change_the_movers_kind() {
    // An Aer that borrows from an Ignis captures an Ignis but no Aer.
    let state = far("w:aer@d4 w:ignis@3,3 b:ignis@d6 b:aer@f4");
    assert!(goes(&state, "d4").contains("d4-d6"));
    assert_eq!(refused(&state, "d4-f4"), "LM-7");
}
