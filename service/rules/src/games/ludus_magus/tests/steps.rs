//! LM-10, LM-17 to LM-19: steps and the swap.

use super::{BLACK, FAR, WHITE, after, at, far, goes, played, refused, stage};
use crate::games::ludus_magus::{Fact, Kind, Reason};

#[test]
fn lm_10_every_element_steps_orthogonally() {
    for kind in ["aqua", "ignis", "terra", "aether"] {
        let state = far(&alloc::format!("w:{kind}@d4"));
        assert_eq!(goes(&state, "d4"), "d4-c4 d4-d3 d4-d5 d4-e4");
        let state = far(&alloc::format!("w:{kind}@8,4"));
        assert_eq!(goes(&state, "8,4"), "8,4-7,4 8,4-8,3 8,4-8,5");
    }
}

#[test]
fn lm_10_a_step_captures_but_does_not_go_onto_a_friend() {
    let state = far("w:aether@d4 b:aer@d5 w:terra@e4 b:codex@c4");
    assert_eq!(goes(&state, "d4"), "d4-c4 d4-d3 d4-d5");
    assert_eq!(refused(&state, "d4-e4"), "LM-10");
    assert_eq!(refused(&state, "d4-d4"), "LM-10");
    // Nothing lies beyond the side of the board: h4 and a5 are not neighbours.
    assert_eq!(goes(&far("w:terra@h4"), "h4"), "h4-g4 h4-h3 h4-h5");
    assert_eq!(goes(&far("w:terra@0,0"), "0,0"), "0,0-0,1 0,0-1,0");
    assert_eq!(goes(&far("w:terra@8,8"), "8,8"), "8,8-7,8 8,8-8,7");
}

#[test]
fn lm_17_the_magus_steps_and_captures() {
    let state = stage("w:magus@d4 b:magus@h8 b:aer@d5 w:aer@e4 b:famulus@c4");
    assert_eq!(goes(&state, "d4"), "d4-c4 d4-d3 d4-d5");
    for text in ["d4-d6", "d4-e5", "d4-3,3", "d4-d4", "d4-e4", "d4xd5-d6"] {
        assert_eq!(refused(&state, text), "LM-17", "{text}");
    }
    assert_eq!(at(&after(&state, "d4-d5"), "d5"), Some((WHITE, Kind::Magus)));
}

#[test]
fn lm_17_the_magus_may_step_into_danger() {
    let state = stage("w:magus@d4 b:magus@h8 b:terra@d6");
    let state = after(&state, "d4-d5");
    assert_eq!(super::ending(&after(&state, "d6-d5")), Some((Some(BLACK), Reason::MagusCaptured)));
}

#[test]
fn lm_18_codex_and_famulus_stay_adjacent_to_their_magus() {
    let state = stage("w:magus@d4 b:magus@h8 w:codex@e4 w:famulus@3,3");
    assert_eq!(goes(&state, "e4"), "", "d4 is taken, and no other place next to e4 is next to d4");
    assert_eq!(goes(&state, "3,3"), "3,3-3,4 3,3-4,3");
    for text in ["e4-e5", "e4-f4", "e4-d5", "e4-d4", "e4-4,4", "e4xe5-e6", "3,3-2,3"] {
        assert_eq!(refused(&state, text), "LM-18", "{text}");
    }
}

#[test]
fn lm_18_they_may_come_back_from_far_away() {
    let state = stage("w:magus@d4 b:magus@h8 w:codex@d6 w:famulus@2,4");
    assert_eq!(goes(&state, "d6"), "d6-d5");
    assert_eq!(goes(&state, "2,4"), "2,4-3,4");
}

#[test]
fn lm_18_they_never_capture_but_are_captured() {
    let state = stage("w:magus@d4 b:magus@h8 w:famulus@3,3 b:aer@3,4");
    assert_eq!(refused(&state, "3,3-3,4"), "LM-18");
    assert_eq!(refused(&state, "3,3x3,4-4,4"), "LM-18");
    let state = after(&state, "d4-d3");
    assert_eq!(at(&after(&state, "3,4-3,3"), "3,3"), Some((BLACK, Kind::Aer)));
}

#[test]
fn lm_19_magus_and_famulus_swap_on_one_plane_and_across() {
    for famulus in ["d5", "3,3", "4,4"] {
        let state = stage(&alloc::format!("w:magus@d4 b:magus@h8 w:famulus@{famulus}"));
        let (state, facts) = played(&state, "swap");
        assert_eq!(at(&state, "d4"), Some((WHITE, Kind::Famulus)));
        assert_eq!(at(&state, famulus), Some((WHITE, Kind::Magus)));
        assert!(
            matches!(facts[0], Fact::Swapped { seat: WHITE, magus, .. } if magus == super::place(famulus))
        );
    }
}

#[test]
fn lm_19_a_swap_needs_an_adjacent_famulus() {
    for text in ["w:famulus@e5", "w:famulus@5,5", "b:famulus@d5", "w:codex@d5"] {
        let state = stage(&alloc::format!("w:magus@d4 b:magus@h8 {text}"));
        assert_eq!(refused(&state, "swap"), "LM-19", "{text}");
    }
    assert_eq!(refused(&stage(FAR), "swap"), "LM-19");
}
