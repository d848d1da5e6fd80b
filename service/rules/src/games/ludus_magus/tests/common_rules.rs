//! The paragraphs common to all games, as far as this game can show them.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{BLACK, WHITE, after, far, line, opening, read, setup, stage};
use crate::games::ludus_magus::{LudusMagus, Move, Options, Reason};
use crate::{
    BadAnswer, BySide, Game, IllegalKind, OptionType, Question, QuestionKind, Seed, Side, Step, Viewer,
};

const VIEWERS: [Viewer; 4] = [Viewer::Seat(WHITE), Viewer::Seat(BLACK), Viewer::Spectator, Viewer::Open];

fn asked(state: &crate::games::ludus_magus::State, path: &[&str]) -> Result<Step<Move>, BadAnswer> {
    let path: Vec<String> = path.iter().map(ToString::to_string).collect();
    LudusMagus::choices(state, state.position().to_act, &path)
}

/// Returns the offered values.
fn offered(state: &crate::games::ludus_magus::State, path: &[&str]) -> Vec<String> {
    match asked(state, path) {
        Ok(Step::Ask(Question { kind: QuestionKind::OneOf(choices), .. })) => {
            choices.into_iter().map(|choice| choice.value).collect()
        }
        other => panic!("no choices but {other:?}"),
    }
}

#[test]
fn g_1_seats_have_names() {
    assert_eq!(LudusMagus::INFO.seat_names, BySide::new("White", "Black"));
}

#[test]
fn g_2_the_first_failing_test_is_named() {
    let start = opening();
    let over = after(&stage("w:magus@a1 w:aer@d4 b:magus@d5"), "d4-d5");
    let kind = |state, seat, mv| {
        let illegal = LudusMagus::play(state, seat, &mv).err().expect("it is refused");
        (illegal.kind, illegal.paragraph.as_str())
    };
    assert_eq!(kind(&over, WHITE, Move::Malformed), (IllegalKind::MatchOver, "G-2"));
    assert_eq!(kind(&over, BLACK, read("h8-h7")), (IllegalKind::MatchOver, "G-2"));
    assert_eq!(kind(&start, BLACK, Move::Malformed), (IllegalKind::NotToAct, "G-2"));
    assert_eq!(kind(&start, BLACK, read("h8-h7")), (IllegalKind::NotToAct, "G-2"));
    assert_eq!(kind(&start, WHITE, Move::Malformed), (IllegalKind::Move, "G-2"));
    assert_eq!(kind(&start, WHITE, read("h8-h7")), (IllegalKind::Move, "LM-6"));
}

#[test]
fn g_2_a_bad_answer_is_refused_at_its_index() {
    let state = far("w:terra@d4 b:aer@d5");
    let refused = |path: &[&str]| {
        let BadAnswer { index, illegal } = asked(&state, path).expect_err("not offered");
        (index, illegal.paragraph.as_str())
    };
    assert_eq!(refused(&["e4"]), (0, "G-2"));
    assert_eq!(refused(&["nowhere"]), (0, "G-2"));
    assert_eq!(refused(&["swap"]), (0, "LM-19"));
    assert_eq!(refused(&["conjure"]), (0, "G-2"));
    assert_eq!(refused(&["d4", "d7"]), (1, "LM-15"));
    assert_eq!(refused(&["d4", "xc4"]), (1, "G-2"));
    assert_eq!(refused(&["d4", "xd5", "d4"]), (2, "LM-14"));
    assert_eq!(refused(&["d4", "d5", "d6"]), (2, "G-2"));
}

#[test]
fn g_2_every_kind_of_move_has_a_path() {
    let pieces = "w:magus@d4 w:codex@c4 w:famulus@d3 b:magus@h8 w:aether@3,3 w:terra@4,4 b:aer@4,5";
    let state = setup(&Options { mana: BySide::new(1, 0), ..super::with(pieces) });
    // Cells before points, pieces before arts; the Codex has no step that stays adjacent to the Magus.
    assert_eq!(offered(&state, &[]), ["d4", "3,3", "4,4", "swap", "conjure", "summon"]);
    assert_eq!(offered(&state, &["4,4"]), ["4,3", "3,4", "5,4", "4,5", "x4,5"]);
    for (path, text) in [
        (&["d4", "d5"][..], "d4-d5"),
        (&["4,4", "4,5"], "4,4-4,5"),
        (&["4,4", "x4,5", "4,6"], "4,4x4,5-4,6"),
        (&["swap"], "swap"),
        (&["conjure", "ignis", "e4"], "ignis@e4"),
        (&["summon", "4,4", "d5"], "4,4>d5"),
    ] {
        assert_eq!(asked(&state, path), Ok(Step::Done(read(text))));
    }
    assert_eq!(offered(&state, &["conjure"]), ["aer", "aqua", "ignis", "terra"]);
    assert_eq!(offered(&state, &["summon"]), ["4,4"]);
}

#[test]
fn g_3_repetition_applies() {
    let round = "a1-a2 h8-h7 a2-a1 h7-h8";
    assert!(LudusMagus::ending(&line(&line(&opening(), round), round)).is_some());
}

#[test]
fn g_5_the_seed_is_ignored() {
    let [one, other] = [0, 1].map(|byte| {
        LudusMagus::setup(&Options::default(), &Seed::new([byte; 32])).expect("the defaults are playable")
    });
    assert_eq!(LudusMagus::canonical(&one), LudusMagus::canonical(&other));
}

#[test]
fn g_6_a_seat_that_is_not_to_act_has_no_moves() {
    let start = opening();
    assert_eq!(LudusMagus::legal(&start, WHITE).moves.len(), 40);
    assert!(LudusMagus::legal(&start, BLACK).moves.is_empty());
    assert!(LudusMagus::legal(&start, BLACK).is_complete());
}

#[test]
fn g_7_endings_have_fixed_words() {
    let words = ["magus-captured", "bind", "no-move", "repetition", "quiet", "max-turns"];
    assert_eq!(Reason::ALL.map(Reason::as_str), words);
    for word in words {
        assert!(LudusMagus::INFO.rules_text.contains(&alloc::format!("`{word}`")), "{word}");
    }
}

#[test]
fn g_8_the_table_of_options_is_what_setup_accepts() {
    for option in LudusMagus::INFO.options {
        // The structured ones have tests of their own.
        let OptionType::Integer { min, max, .. } = option.option_type else { continue };
        let values = [(min, true), (max, true), (max + 1, false), (u32::MAX, false)];
        for (value, fits) in values {
            let mut options = Options::default();
            match option.name {
                "first_seat" => options.first_seat = value,
                "max_turns" => options.max_turns = value,
                unknown => panic!("no test for option {unknown}"),
            }
            let refused = LudusMagus::setup(&options, &Seed::new([0; 32])).err();
            assert_eq!(refused.map(|bad| bad.option), (!fits).then_some(option.name));
        }
    }
}

#[test]
fn g_9_everybody_sees_everything() {
    let (state, facts) = super::played(&far("w:terra@d4 b:aer@d5"), "d4xd5-d6");
    let views = VIEWERS.map(|viewer| LudusMagus::view(&state, viewer));
    assert!(views.iter().all(|view| *view == views[0]));
    for viewer in VIEWERS {
        assert!(facts.iter().all(|fact| LudusMagus::redact_fact(fact, viewer) == Some(*fact)));
    }
    assert_eq!(views[0].pieces.len(), 3);
    assert_eq!((views[0].mana, views[0].turns_taken, views[0].quiet_turns), (BySide::new(1, 0), 1, 0));
    assert_eq!(Side::ALL.map(|seat| LudusMagus::to_act(&state).contains(seat)), [false, true]);
}

#[test]
fn long_matches_are_dropped_without_a_deep_stack() {
    let options = Options { max_turns: 10_000, ..Options::default() };
    let mut state = setup(&options);
    // This line ignores the draws: turns continue after them.
    for _ in 0..2500 {
        for text in ["a1-a2", "h8-h7", "a2-a1", "h7-h8"] {
            state = state.after(read(text)).0;
        }
    }
    let branch = state.clone();
    drop(state);
    assert_eq!(branch.turns_taken, 10_000);
}
