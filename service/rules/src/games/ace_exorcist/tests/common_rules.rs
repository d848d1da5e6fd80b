//! The paragraphs common to all games, as far as this game can show them.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::{EXORCIST, SUMMONER, accepted, after, card, dealt, legal, mv, refusal, refused, seen, set};
use crate::games::ace_exorcist::{AceExorcist, Flaw, Move, Options};
use crate::{
    BadAnswer, BySide, Game, IllegalKind, Question, QuestionKind, Seed, Side, Step, ValueType, Viewer,
};

#[test]
fn g_1_seats_have_names() {
    assert_eq!(AceExorcist::INFO.seat_names, BySide::new("Summoner", "Exorcist"));
}

#[test]
fn g_2_the_first_failing_test_is_named() {
    let start = dealt("blood-imp blood-2", "");
    let over = after(&start, &["pass"; 5]);
    let flawed = Move::Malformed(Flaw::NoSuchCard);
    for mv in [flawed, mv("pass"), mv("heal"), mv("attack")] {
        assert_eq!(refusal(&over, SUMMONER, &mv).kind, IllegalKind::MatchOver);
        assert_eq!(refusal(&start, EXORCIST, &mv).kind, IllegalKind::NotToAct);
    }
    assert_eq!(refusal(&start, SUMMONER, &flawed).paragraph.as_str(), "G-2");
    // The kind of move is tested before its cards.
    assert_eq!(refused(&start, "heal blade-2"), "AE-11");
    assert_eq!(refused(&start, "assault blood-imp blade-2"), "AE-11");
}

#[test]
fn g_2_what_is_not_well_formed_is_refused_in_every_phase() {
    let start = dealt("blood-2", "");
    let attacked = after(&start, &["attack blood-2"]);
    let hit = after(&attacked, &["take-hit"]);
    for state in [&start, &attacked, &hit] {
        for flaw in Flaw::ALL {
            let illegal = refusal(state, state.mover, &Move::Malformed(flaw));
            assert_eq!((illegal.kind, illegal.paragraph.as_str()), (IllegalKind::Move, "G-2"));
        }
    }
}

#[test]
fn g_2_a_refusal_says_what_the_seat_waits_for() {
    let start = dealt("blood-2", "");
    let attacked = after(&start, &["attack blood-2"]);
    let hit = after(&attacked, &["take-hit"]);
    let text = |state, seat| refusal(state, seat, &mv("pass")).text;
    assert!(text(&start, EXORCIST).contains("Summoner's turn"));
    assert!(text(&attacked, SUMMONER).contains("answer the attack"));
    assert!(text(&hit, SUMMONER).contains("Exorcist's turn"));
}

#[test]
fn g_2_a_refused_move_changes_nothing() {
    let start = dealt("blood-2", "");
    let before = start.canonical();
    refused(&start, "attack blade-7");
    assert_eq!(start.canonical(), before);
}

#[test]
fn g_2_a_bad_answer_is_refused_at_its_index() {
    let start = dealt("blood-2 blade-3 blade-5 flame-7 blood-elder blade-4", "");
    let refused = |path: &[&str]| {
        let path: Vec<_> = path.iter().map(ToString::to_string).collect();
        let BadAnswer { index, illegal } =
            AceExorcist::choices(&start, SUMMONER, &path).expect_err("not offered");
        (index, illegal.paragraph.as_str())
    };
    assert_eq!(refused(&["sing"]), (0, "G-2"));
    assert_eq!(refused(&["heal"]), (0, "AE-11"));
    assert_eq!(refused(&["trade"]), (0, "AE-14"));
    assert_eq!(refused(&["ritual", "blood-2"]), (1, "AE-12"));
    assert_eq!(refused(&["ritual", "gold-2"]), (1, "G-2"));
    assert_eq!(refused(&["ritual", "blood-elder", "enough"]), (2, "G-2"));
    assert_eq!(refused(&["attack", "enough"]), (1, "AE-13"));
    assert_eq!(refused(&["attack", "blood-2", "blade-5", "enough"]), (2, "AE-13"));
    assert_eq!(refused(&["pass", "pass"]), (1, "G-2"));
    assert_eq!(refused(&["ritual", "blade-elder"]), (1, "AE-6"));
    assert_eq!(refused(&["attack", "blood-2", "flame-3"]), (2, "AE-6"));
    assert_eq!(refused(&["attack", "blood-2", "blood-2"]), (2, "G-2"));
}

fn asked(path: &[&str]) -> Step<Move> {
    let start = dealt("blood-2 blade-3 flame-3 flame-7 blood-elder blade-elder", "");
    let path: Vec<_> = path.iter().map(ToString::to_string).collect();
    AceExorcist::choices(&start, SUMMONER, &path).expect("the answers were offered")
}

#[test]
fn questions_lead_to_a_move() {
    let values = |path: &[&str]| {
        let Step::Ask(Question { kind: QuestionKind::OneOf(choices), .. }) = asked(path) else {
            panic!("{path:?}")
        };
        choices.into_iter().map(|choice| (choice.value, choice.value_type)).collect::<Vec<_>>()
    };
    let kinds = ["ritual", "attack", "trade", "pass"].map(|kind| (kind.to_string(), ValueType::Kind));
    assert_eq!(values(&[]), kinds);
    let next = [
        ("enough".to_string(), ValueType::Enough),
        ("blade-3".to_string(), ValueType::Card),
        ("flame-3".to_string(), ValueType::Card),
    ];
    assert_eq!(values(&["attack", "blood-2"]), next);
    assert_eq!(asked(&["attack", "blood-2", "enough"]), Step::Done(mv("attack blood-2")));
    assert_eq!(asked(&["attack", "blood-2", "flame-3"]), Step::Done(mv("attack blood-2 flame-3")));
    assert_eq!(asked(&["trade", "blade-3", "flame-3"]), Step::Done(mv("trade blade-3 flame-3")));
    assert_eq!(asked(&["pass"]), Step::Done(Move::Pass));
}

fn deal_with(byte: u8) -> Vec<u8> {
    AceExorcist::setup(&Options, &Seed::new([byte; 32])).expect("there are no options").canonical()
}

#[test]
fn g_5_the_seed_decides_the_deal_and_nothing_else() {
    assert_eq!(deal_with(1), deal_with(1));
    assert_ne!(deal_with(1), deal_with(2));
}

#[test]
fn g_6_a_single_legal_move_is_still_the_seats_own() {
    let state = after(&dealt("blood-5", "bell-2 bell-3 book-2 book-3 candle-2"), &["attack blood-5"]);
    assert_eq!(legal(&state), ["take-hit"]);
    assert!(AceExorcist::legal(&state, SUMMONER).moves.is_empty());
    assert_eq!(state.attack, set("blood-5"));
}

#[test]
fn g_8_there_are_no_options() {
    assert!(AceExorcist::INFO.options.is_empty());
}

#[test]
fn g_9_a_seats_view_stays_its_own_and_the_open_view_shows_all() {
    let over = after(&dealt("", ""), &["pass"; 5]);
    for seat in Side::ALL {
        let view = seen(&over, Viewer::Seat(seat));
        assert_eq!(view.hands[seat].cards, Some(over.hands[seat]));
        assert_eq!(view.hands[seat.other()].cards, None);
        assert_eq!(seen(&over, Viewer::Open).stacks[seat].cards.as_deref(), Some(over.stack(seat)));
    }
    let (_, facts) = accepted(&dealt("", "bell-2 bell-3 bell-4 bell-5 bell-6 bell-7"), "pass");
    let shown = AceExorcist::redact_fact(facts.last().expect("there are facts"), Viewer::Open);
    assert_eq!(shown, Some(super::Fact::Drew { seat: EXORCIST, card: Some(card("bell-7")) }));
}
