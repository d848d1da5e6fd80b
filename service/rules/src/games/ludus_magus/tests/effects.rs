//! LM-20 to LM-25: suppression, negation, protection, borrowing.

use super::{after, far, goes, refused};

/// Returns whether White's piece on d4 may make this move with these other pieces.
fn may(others: &str, text: &str) -> bool {
    let state = far(others);
    let is_listed = super::listed(&state).iter().any(|listed| listed == text);
    assert_eq!(super::try_move(&state, text).is_ok(), is_listed, "{others}: {text}");
    is_listed
}

#[test]
fn lm_20_a_suppressed_element_borrows_nothing_and_lends_nothing() {
    assert!(may("w:terra@d4 w:aer@3,3", "d4-d6"));
    // The Aether on 4,4 is adjacent to d4; the one on 3,4 is not adjacent to the Aer on 3,3.
    assert!(!may("w:terra@d4 w:aer@3,3 b:aether@4,4", "d4-d6"));
    // The Aether on c3 is adjacent to 3,3.
    assert!(!may("w:terra@d4 w:aer@3,3 b:aether@c3", "d4-d6"));
    // Adjacent neither to d4 nor to 3,3.
    assert!(may("w:terra@d4 w:aer@3,3 b:aether@5,5 b:aether@b2", "d4-d6"));
    // An Aether suppresses enemies only.
    assert!(may("w:terra@d4 w:aer@3,3 w:aether@4,4", "d4-d6"));
}

#[test]
fn lm_20_a_suppressed_aether_still_suppresses() {
    // Black's Aether on 4,4 suppresses d4 and is suppressed by White's on e5.
    assert!(!may("w:terra@d4 w:aer@3,3 b:aether@4,4 w:aether@e5", "d4-d6"));
}

#[test]
fn lm_20_same_plane_neighbours_are_not_suppressed() {
    assert!(may("w:terra@d4 w:aer@3,3 b:aether@e4 b:aether@3,2", "d4-d6"));
}

#[test]
fn lm_21_an_enemy_of_the_lenders_kind_negates_it() {
    assert!(!may("w:terra@d4 w:aer@3,3 b:aer@4,4", "d4-d6"));
    // An Element of another kind, or not adjacent to the borrower, has no influence.
    assert!(may("w:terra@d4 w:aer@3,3 b:ignis@4,4", "d4-d6"));
    assert!(may("w:terra@d4 w:aer@3,3 b:aer@c3", "d4-d6"));
}

#[test]
fn lm_21_a_suppressed_enemy_negates_nothing() {
    // White's Aether on e5 suppresses the black Aer on 4,4.
    assert!(may("w:terra@d4 w:aer@3,3 b:aer@4,4 w:aether@e5", "d4-d6"));
}

#[test]
fn lm_21_effects_are_octagonal_only() {
    assert!(!may("w:terra@d4 w:aer@e4", "d4-d6"));
    assert!(!may("w:terra@d4 w:aer@2,3", "d4-d6"));
}

#[test]
fn lm_22_a_friend_of_the_same_kind_protects_against_any_capture() {
    for attacker in ["aer@d4", "aqua@d4", "terra@d4", "aether@d4"] {
        assert!(!may(&alloc::format!("w:{attacker} b:ignis@d5 b:ignis@3,5"), "d4-d5"), "{attacker}");
    }
    assert!(!may("w:ignis@d4 b:aer@d6 b:aer@3,6", "d4-d6"));
    assert!(!may("w:aqua@d4 w:codex@d5 b:aer@d6 b:aer@3,6", "d4-d6"));
    assert!(!may("w:terra@d4 b:aer@d5 b:aer@3,5", "d4xd5-d6"));
    assert_eq!(refused(&far("w:aer@d4 b:ignis@d5 b:ignis@3,5"), "d4-d5"), "LM-22");
    let magus = super::stage("w:magus@d4 b:magus@h8 b:ignis@d5 b:ignis@3,5");
    assert_eq!(refused(&magus, "d4-d5"), "LM-22");
}

#[test]
fn lm_22_protection_can_be_suppressed_or_negated() {
    // Suppressing either of the two is enough.
    assert!(may("w:aer@d4 b:ignis@d5 b:ignis@3,5 w:aether@4,5", "d4-d5"));
    assert!(may("w:aer@d4 b:ignis@d5 b:ignis@3,5 w:aether@c6", "d4-d5"));
    // An unsuppressed white Ignis adjacent to d5 negates.
    assert!(may("w:aer@d4 b:ignis@d5 b:ignis@3,5 w:ignis@4,5", "d4-d5"));
    // It does not when a black Aether suppresses it, here from e6.
    assert!(!may("w:aer@d4 b:ignis@d5 b:ignis@3,5 w:ignis@4,5 b:aether@e6", "d4-d5"));
}

#[test]
fn lm_22_aether_protects_aether() {
    assert!(!may("w:aer@d4 b:aether@d5 b:aether@3,5", "d4-d5"));
    assert!(may("w:aer@d4 b:aether@d5 b:aether@2,5", "d4-d5"));
    assert!(may("w:aer@d4 b:aether@d5 b:aether@3,5 w:aether@4,5", "d4-d5"));
}

#[test]
fn lm_22_other_friends_and_artifacts_have_no_protection() {
    assert!(may("w:aer@d4 b:ignis@d5 b:terra@3,5", "d4-d5"));
    assert!(may("w:aer@d4 b:codex@d5 b:famulus@3,5", "d4-d5"));
}

#[test]
fn lm_23_every_movement_can_be_borrowed() {
    assert!(may("w:aether@d4 w:aer@3,3", "d4-d6"));
    assert!(may("w:aether@d4 w:aqua@3,3 w:codex@d5 b:aer@d6", "d4-d6"));
    assert!(may("w:aether@d4 w:ignis@3,3 b:aer@d6", "d4-d6"));
    assert!(may("w:aether@d4 w:terra@3,3 b:aer@d5", "d4xd5-d6"));
    // The same from a cell to a point.
    assert!(may("w:aether@4,4 w:aer@d4", "4,4-4,6"));
}

#[test]
fn lm_23_aether_lends_nothing_and_artifacts_borrow_nothing() {
    let state = super::stage("w:magus@d4 b:magus@h8 w:aer@3,3 w:codex@d5 w:aether@4,4");
    assert_eq!(goes(&state, "d4"), "d4-c4 d4-d3 d4-e4");
    assert_eq!(goes(&far("w:terra@d4 w:aether@3,3"), "d4"), "d4-c4 d4-d3 d4-d5 d4-e4");
}

#[test]
fn lm_23_movements_are_not_combined() {
    // With Terra's and Ignis's movements d4 captures on d5 or on d6, never on both.
    let state = far("w:ignis@d4 w:terra@3,3 b:aer@d5 b:aqua@d6");
    assert_eq!(goes(&state, "d4"), "d4-c4 d4-d3 d4-d5 d4-e4 d4xd5-c5 d4xd5-e5");
}

#[test]
fn lm_24_a_suppressed_element_keeps_its_own_movement() {
    assert!(may("w:aer@d4 b:aether@4,4", "d4-d6"));
    assert!(may("w:aqua@d4 w:codex@d5 b:aer@d6 b:aether@4,4", "d4-d6"));
    assert!(may("w:ignis@d4 b:aer@d6 b:aether@4,4", "d4-d6"));
    assert!(may("w:terra@d4 b:aer@d5 b:aether@4,4", "d4xd5-d6"));
    assert!(may("w:aether@d4 b:aer@d5 b:aether@4,4", "d4-d5"));
}

#[test]
fn lm_25_effects_are_judged_before_the_move() {
    // The first step leaves the lender behind.
    assert!(may("w:terra@d4 w:aer@3,3", "d4-d6"));
    // A black Aether is adjacent to d6; it does not matter on the way.
    assert!(may("w:terra@d4 w:aer@3,3 b:aether@3,6", "d4-d6"));
    // The mover leaves the place from which it negated the protection of d6, which stays negated for this
    // move.
    assert!(may("w:ignis@4,4 b:aer@4,6 b:aer@e6 w:aer@d6", "4,4-4,6"));
    // A lender that becomes adjacent only after the first step does not count.
    assert!(!may("w:terra@d4 w:aer@3,6", "d4-d6"));
}

#[test]
fn lm_25_an_effect_is_new_in_each_position() {
    let state = far("w:terra@d4 w:aer@2,3");
    assert_eq!(refused(&state, "d4-d6"), "LM-16");
    let state = super::line(&state, "2,3-3,3 h8-h7");
    assert!(super::ending(&after(&state, "d4-d6")).is_none());
}
