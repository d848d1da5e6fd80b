//! AE-20 to AE-24: answering an attack.

use super::{EXORCIST, SUMMONER, accepted, after, card, dealt, legal, legal_of, refused, set};
use crate::games::ace_exorcist::{AceExorcist, Fact, State};
use crate::{Game, Sides};

/// Returns a position in which the Summoner has attacked with these cards and the Exorcist holds this hand.
fn attacked(attack: &str, hand: &str) -> State {
    after(&dealt(attack, hand), &[&["attack", attack].join(" ")])
}

#[test]
fn ae_20_the_exorcist_answers_even_without_a_fitting_card() {
    let state = attacked("blood-5", "bell-archon book-archon candle-archon bell-2 book-2");
    assert_eq!(AceExorcist::to_act(&state), Sides::only(EXORCIST));
    assert_eq!(legal(&state), ["take-hit"]);
}

#[test]
fn ae_20_nothing_but_an_answer_is_accepted() {
    let state = attacked("blood-5", "bell-2 book-2 bell-4");
    for text in [
        "pass",
        "heal bell-2 book-2",
        "assault bell-2",
        "banish blood-5 with bell-2 bell-4",
        "ritual blood-imp",
        "attack bell-2",
        "trade bell-2 book-2",
    ] {
        assert_eq!(refused(&state, text), "AE-20", "{text}");
    }
}

#[test]
fn ae_22_a_second_guard_is_not_offered_against_one_card() {
    let state = attacked("blood-5", "bell-4 bell-6");
    let path = ["guard", "both"].map(alloc::string::String::from);
    let bad = AceExorcist::choices(&state, EXORCIST, &path).expect_err("one guard is enough");
    assert_eq!((bad.index, bad.illegal.paragraph.as_str()), (1, "AE-22"));
}

#[test]
fn ae_20_a_guard_without_a_card_is_refused() {
    assert_eq!(refused(&attacked("blood-5", "bell-4"), "guard"), "AE-20");
}

#[test]
fn ae_20_a_guard_needs_an_attack() {
    let state = after(&dealt("", "bell-4"), &["pass"]);
    assert_eq!(refused(&state, "guard low bell-4"), "AE-31");
    assert_eq!(refused(&state, "take-hit"), "AE-31");
}

#[test]
fn ae_21_guards_are_one_below_and_one_above() {
    let state = attacked("blood-3 blood-4", "bell-2 book-2 bell-5 bell-3 bell-4");
    let guards = [
        "guard low bell-2",
        "guard low book-2",
        "guard high bell-5",
        "guard low bell-2 high bell-5",
        "guard low book-2 high bell-5",
    ];
    assert_eq!(legal_of(&state, "guard"), guards);
    for text in [
        "guard low bell-3",
        "guard low bell-4",
        "guard low bell-5",
        "guard high bell-2",
        "guard high bell-3",
        "guard high bell-4",
        "guard low bell-5 high bell-2",
        "guard low bell-2 high bell-4",
        "guard low bell-3 high bell-5",
        "guard low bell-2 high bell-2",
    ] {
        assert_eq!(refused(&state, text), "AE-21", "{text}");
    }
}

#[test]
fn ae_21_faces_guard_too() {
    let state = attacked("blood-2 blood-3", "book-angel");
    assert!(legal(&state).contains(&"guard low book-angel".into()));
    let state = attacked("blood-6 blood-7", "candle-deva");
    assert!(legal(&state).contains(&"guard high candle-deva".into()));
}

#[test]
fn ae_22_against_a_single_card_only_one_guard_may_be_played() {
    let state = attacked("blood-5", "bell-4 bell-6");
    assert_eq!(legal(&state), ["take-hit", "guard low bell-4", "guard high bell-6"]);
    assert_eq!(refused(&state, "guard low bell-4 high bell-6"), "AE-22");
}

#[test]
fn ae_23_the_tables_eleven_examples() {
    let rows = [
        ("blood-5", "take-hit", 5),
        ("blood-5", "guard low bell-4", 0),
        ("blood-5", "guard high bell-6", 0),
        ("blood-4 blood-5", "take-hit", 9),
        ("blood-4 blood-5", "guard low bell-3", 5),
        ("blood-4 blood-5", "guard high bell-6", 4),
        ("blood-4 blood-5", "guard low bell-3 high bell-6", 0),
        ("blood-3 blood-4 blood-5", "take-hit", 12),
        ("blood-3 blood-4 blood-5", "guard low bell-2", 9),
        ("blood-3 blood-4 blood-5", "guard high bell-6", 7),
        ("blood-3 blood-4 blood-5", "guard low bell-2 high bell-6", 4),
    ];
    for (attack, answer, damage) in rows {
        let (state, facts) = accepted(&attacked(attack, "bell-2 bell-3 bell-4 bell-6"), answer);
        assert_eq!(30 - state.hit_points[EXORCIST], damage, "{attack}: {answer}");
        assert!(facts.contains(&Fact::Damaged { seat: EXORCIST, damage, hit_points: 30 - damage }));
    }
}

#[test]
fn ae_23_all_cards_are_discarded_before_the_damage() {
    let (state, facts) =
        accepted(&attacked("blood-4 blood-5", "bell-3 book-6"), "guard low bell-3 high book-6");
    assert_eq!(state.discards[SUMMONER], set("blood-4 blood-5"));
    assert_eq!(state.discards[EXORCIST], set("bell-3 book-6"));
    assert!(state.attack.is_empty());
    let expected = [
        Fact::Guarded { low: Some(card("bell-3")), high: Some(card("book-6")) },
        Fact::AttackDiscarded { cards: set("blood-4 blood-5") },
        Fact::Damaged { seat: EXORCIST, damage: 0, hit_points: 30 },
        Fact::TurnSkipped,
        Fact::TurnBegan { seat: SUMMONER },
    ];
    assert_eq!(facts[..5], expected);
}

#[test]
fn ae_24_a_guard_skips_the_exorcists_next_turn_with_its_draw() {
    let before = attacked("blood-5", "bell-4");
    let (state, _) = accepted(&before, "guard low bell-4");
    assert_eq!(AceExorcist::to_act(&state), Sides::only(SUMMONER));
    assert_eq!(state.stack(EXORCIST).len(), before.stack(EXORCIST).len());
    assert_eq!(state.hands[EXORCIST].len(), 4);
    // The Summoner's turn begins as usual.
    assert_eq!(state.stack(SUMMONER).len(), before.stack(SUMMONER).len() - 1);
}

#[test]
fn ae_24_taking_the_hit_skips_nothing() {
    let (state, facts) = accepted(&attacked("blood-5", "bell-4"), "take-hit");
    assert_eq!(AceExorcist::to_act(&state), Sides::only(EXORCIST));
    assert_eq!(state.hands[EXORCIST].len(), 6);
    assert!(!facts.contains(&Fact::TurnSkipped));
}

#[test]
fn ae_24_a_skip_is_used_up_and_never_accumulates() {
    let start = dealt("blood-5 blade-5 flame-5", "bell-4 book-4 candle-4");
    let twice = after(&start, &["attack blood-5", "guard low bell-4", "attack blade-5", "guard low book-4"]);
    assert_eq!(AceExorcist::to_act(&twice), Sides::only(SUMMONER));
    let (state, facts) = accepted(&twice, "pass");
    assert_eq!(AceExorcist::to_act(&state), Sides::only(EXORCIST));
    assert!(facts.contains(&Fact::TurnBegan { seat: EXORCIST }));
    assert_eq!(AceExorcist::to_act(&after(&state, &["pass"])), Sides::only(SUMMONER));
}
