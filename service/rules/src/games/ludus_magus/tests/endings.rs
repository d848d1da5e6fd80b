//! LM-40 to LM-45: how a match ends.

use alloc::vec::Vec;

use super::{BLACK, WHITE, after, ending, far, line, played, refused, setup, stage, with};
use crate::games::ludus_magus::{Fact, Kind, LudusMagus, Options, Reason};
use crate::{Game, Sides};

#[test]
fn lm_40_capturing_the_magus_wins() {
    for text in ["w:magus@a1 w:aer@d4 b:magus@d5", "w:magus@a1 w:codex@a2 w:terra@d4 b:magus@d5 b:aer@h8"] {
        let state = after(&stage(text), "d4-d5");
        assert_eq!(ending(&state), Some((Some(WHITE), Reason::MagusCaptured)));
        assert_eq!(LudusMagus::to_act(&state), Sides::NONE);
    }
    let state = after(&stage("w:magus@a1 w:ignis@d4 b:magus@d6"), "d4-d6");
    assert_eq!(ending(&state), Some((Some(WHITE), Reason::MagusCaptured)));
}

#[test]
fn lm_40_a_second_step_after_the_magus_is_refused() {
    let state = stage("w:magus@a1 w:terra@d4 b:magus@d5");
    assert_eq!(refused(&state, "d4xd5-d6"), "LM-40");
    assert_eq!(super::goes(&state, "d4"), "d4-c4 d4-d3 d4-d5 d4-e4");
}

#[test]
fn lm_40_comes_before_all_other_ends() {
    let options = Options { max_turns: 1, ..with("w:magus@a1 w:aer@d4 b:magus@d5") };
    assert_eq!(ending(&after(&setup(&options), "d4-d5")), Some((Some(WHITE), Reason::MagusCaptured)));
}

/// Returns how a match ends when Black's Magus on d5 has these white kinds on its corners; the last arrives
/// by a step.
fn bound_by(kinds: [&str; 4]) -> Option<Reason> {
    let [one, two, three, four] = kinds;
    let state = stage(&alloc::format!(
        "w:magus@a1 b:magus@d5 b:codex@h8 w:{one}@3,4 w:{two}@4,4 w:{three}@3,5 w:{four}@4,6"
    ));
    ending(&after(&state, "4,6-4,5")).map(|(winner, reason)| {
        assert_eq!(winner, Some(WHITE));
        reason
    })
}

#[test]
fn lm_41_one_of_each_or_all_the_same_bind() {
    assert_eq!(bound_by(["aer", "aqua", "ignis", "terra"]), Some(Reason::Bind));
    assert_eq!(bound_by(["terra", "terra", "terra", "terra"]), Some(Reason::Bind));
    assert_eq!(bound_by(["aer", "aqua", "ignis", "aer"]), None);
    assert_eq!(bound_by(["aer", "aer", "terra", "terra"]), None);
    assert_eq!(bound_by(["aer", "aer", "aer", "terra"]), None);
}

#[test]
fn lm_41_each_aether_stands_for_any_other() {
    for kinds in [
        ["aether", "aqua", "ignis", "terra"],
        ["aether", "aqua", "aether", "terra"],
        ["aether", "aether", "aether", "terra"],
        ["aether", "aether", "aether", "aether"],
        ["aer", "aer", "aether", "aer"],
        ["aer", "aer", "aether", "aether"],
    ] {
        assert_eq!(bound_by(kinds), Some(Reason::Bind), "{kinds:?}");
    }
    assert_eq!(bound_by(["aer", "aer", "aether", "terra"]), None);
}

#[test]
fn lm_41_artifacts_and_gaps_do_not_bind() {
    assert_eq!(bound_by(["codex", "aqua", "ignis", "terra"]), None);
    let gap = stage("w:magus@a1 b:magus@d5 w:aer@3,4 w:aqua@4,4 w:ignis@4,6");
    assert_eq!(ending(&after(&gap, "4,6-4,5")), None);
    let own = stage("w:magus@a1 b:magus@d5 w:aer@3,4 w:aqua@4,4 b:ignis@3,5 w:terra@4,6");
    assert_eq!(ending(&after(&own, "4,6-4,5")), None);
}

#[test]
fn lm_41_inner_points_can_be_bound_and_edge_points_cannot() {
    let inner = stage("w:magus@h1 b:magus@1,1 w:aer@a1 w:aqua@b1 w:ignis@a2 w:terra@b3");
    let (state, facts) = played(&inner, "b3-b2");
    assert_eq!(ending(&state), Some((Some(WHITE), Reason::Bind)));
    assert!(facts.iter().any(
        |fact| matches!(fact, Fact::Bound { magus } if (magus.seat, magus.kind) == (BLACK, Kind::Magus))
    ));
    for edge in ["0,1", "1,0", "0,0", "8,4", "4,8"] {
        // Enemies hold all adjacent cells, as far as they exist.
        let state = stage(&alloc::format!(
            "w:magus@d6 b:magus@{edge} w:aer@a1 w:aer@b1 w:aer@a3 w:aer@h4 w:aer@h5 w:aer@d8 w:aer@e8"
        ));
        assert_eq!(ending(&after(&state, "a3-a2")), None, "{edge}");
    }
}

#[test]
fn lm_41_a_magus_that_steps_into_a_bind_loses() {
    let state = stage("w:magus@d4 b:magus@h8 b:aer@3,4 b:aqua@4,4 b:ignis@3,5 b:terra@4,5");
    assert_eq!(ending(&after(&state, "d4-d5")), Some((Some(BLACK), Reason::Bind)));
}

#[test]
fn lm_41_comes_before_the_draws() {
    let options =
        Options { max_turns: 1, ..with("w:magus@a1 b:magus@d5 w:aer@3,4 w:aer@4,4 w:aer@3,5 w:aer@4,6") };
    assert_eq!(ending(&after(&setup(&options), "4,6-4,5")), Some((Some(WHITE), Reason::Bind)));
}

#[test]
fn lm_42_no_move_is_a_draw() {
    // Black's Magus on a8 is shut in by Aers that protect each other, and Black has no other piece.
    let shut = "w:magus@h1 b:magus@a8 w:aer@b8 w:aer@1,7 w:aer@a6";
    assert_eq!(ending(&after(&stage(shut), "a6-a7")), Some((None, Reason::NoMove)));
    // Without the protection it captures.
    let open = "w:magus@h1 b:magus@a8 w:aer@b8 w:aer@a6";
    assert_eq!(ending(&after(&stage(open), "a6-a7")), None);
}

#[test]
fn lm_42_comes_before_max_turns() {
    let options = Options { max_turns: 1, ..with("w:magus@h1 b:magus@a8 w:aer@b8 w:aer@1,7 w:aer@a6") };
    assert_eq!(ending(&after(&setup(&options), "a6-a7")), Some((None, Reason::NoMove)));
}

#[test]
fn lm_43_the_third_occurrence_is_a_draw_and_the_opening_counts() {
    let round = "a1-a2 h8-h7 a2-a1 h7-h8";
    let state = line(&super::opening(), round);
    assert_eq!((state.occurrences(), ending(&state)), (2, None));
    let state = line(&state, round);
    assert_eq!((state.occurrences(), ending(&state)), (3, Some((None, Reason::Repetition))));
}

#[test]
fn lm_43_the_side_to_move_counts() {
    let state = stage("w:magus@a1 b:magus@h8 w:aer@d4");
    // White uses three turns, two there and one back, so the pieces stand as at the opening with Black to
    // act.
    let state = line(&state, "d4-d5 h8-h7 d5-e5 h7-h8 e5-d4");
    assert_eq!((state.occurrences(), state.position().to_act), (1, BLACK));
}

#[test]
fn lm_43_equal_pieces_are_interchangeable() {
    let state = far("w:terra@d4 w:terra@e4 b:aer@a1");
    // The two Terras exchange places; d4 moves around by d5.
    let state = line(&state, "d4-d5 h8-h7 e4-d4 h7-h8 d5-e5 h8-h7 e5-e4 h7-h8");
    assert_eq!(state.occurrences(), 2);
}

#[test]
fn lm_43_captures_do_not_clear_the_history() {
    // Mana is part of the position: with other mana the same pieces are no repetition.
    let options =
        Options { mana: crate::BySide::new(1, 0), ..with("w:magus@d4 w:codex@c4 b:magus@h8 b:terra@d6") };
    let state = line(&setup(&options), "aer@d5 d6-d5");
    assert_eq!(super::mana(&state), crate::BySide::new(0, 1));
    let state = line(&state, "d4-e4 d5-d6 e4-d4");
    assert_eq!((state.occurrences(), state.quiet_turns), (1, 3));
}

#[test]
fn lm_43_a_position_repeats_across_a_capture_and_a_conjure() {
    // White conjures an Aer and Black takes it; Black conjures a Terra and White takes it: the mana is as
    // before.
    let options = Options {
        mana: crate::BySide::new(1, 0),
        ..with("w:magus@a4 w:codex@a5 w:terra@a1 b:magus@h4 b:codex@h5 b:aqua@c4")
    };
    let state = setup(&options);
    let round = "aer@b4 c4-b4 a1-b1 aer@g4 b1-b2 b4-c4 b2-c2 g4-g3 c2-c1 g3-g2 c1-d1 g2-f2 d1-e1 f2-f1 \
                 e1-f1 h4-h3 f1-e1 h3-h4 e1-d1 c4-c5 d1-c1 c5-c4 c1-b1 c4-c5 b1-a1 c5-c4";
    let once = line(&state, round);
    assert_eq!((once.occurrences(), super::mana(&once)), (2, crate::BySide::new(1, 0)));
    assert_eq!(ending(&line(&once, round)), Some((None, Reason::Repetition)));
}

/// Returns moves of the two Magi that repeat no position three times for more than 100 turns.
fn wander(turns: usize) -> Vec<alloc::string::String> {
    let columns = |from: char, to: char| {
        let row = move |rank: u32| {
            let files: Vec<char> = ('a'..='h').filter(|file| (from..=to).contains(file)).collect();
            let files: Vec<char> = if rank % 2 == 1 { files } else { files.into_iter().rev().collect() };
            files.into_iter().map(move |file| alloc::format!("{file}{rank}"))
        };
        (1..=8).flat_map(row).collect::<Vec<_>>()
    };
    // White circles half the board and Black a shorter loop, so that their joint position rarely recurs.
    let (white, black) = (columns('a', 'd'), columns('g', 'h'));
    let there_and_back = |path: &[alloc::string::String], step: usize| {
        let round = 2 * (path.len() - 1);
        let at = |step: usize| {
            let step = step % round;
            path[if step < path.len() { step } else { round - step }].clone()
        };
        alloc::format!("{}-{}", at(step), at(step + 1))
    };
    (0..turns).map(|turn| there_and_back(if turn % 2 == 0 { &white } else { &black }, turn / 2)).collect()
}

#[test]
fn lm_44_100_quiet_turns_are_a_draw() {
    let state = stage("w:magus@a1 b:magus@g1");
    let moves = wander(100);
    let state = line(&state, &moves[..99].join(" "));
    assert_eq!((state.quiet_turns, ending(&state)), (99, None));
    assert_eq!(ending(&after(&state, &moves[99])), Some((None, Reason::Quiet)));
}

#[test]
fn lm_44_captures_and_conjures_reset_the_count() {
    let state = far("w:aer@d4 b:codex@d6");
    let state = line(&state, "d4-d5 h8-h7");
    assert_eq!(state.quiet_turns, 2);
    assert_eq!(after(&state, "d5-d6").quiet_turns, 0);
    let options = Options { mana: crate::BySide::new(1, 0), ..with("w:magus@d4 w:codex@c4 b:magus@h8") };
    let state = line(&setup(&options), "d4-d5 h8-h7 d5-d4 h7-h8 aer@d5");
    assert_eq!(state.quiet_turns, 0);
}

#[test]
fn lm_45_max_turns_is_a_draw() {
    let options = Options { max_turns: 3, ..Options::default() };
    let state = line(&setup(&options), "a1-a2 h8-h7");
    assert_eq!(ending(&state), None);
    assert_eq!(ending(&after(&state, "a2-a3")), Some((None, Reason::MaxTurns)));
}

#[test]
fn lm_44_comes_before_max_turns() {
    let options = Options { max_turns: 100, ..with("w:magus@a1 b:magus@g1") };
    assert_eq!(ending(&line(&setup(&options), &wander(100).join(" "))), Some((None, Reason::Quiet)));
}
