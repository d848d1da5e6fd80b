//! Moves as text.

use alloc::string::ToString;

use super::{card, mv, set};
use crate::Game;
use crate::games::ace_exorcist::{AceExorcist, Card, Flaw, Move, Suit};

#[test]
fn every_kind_of_move_round_trips() {
    let moves = [
        (Move::Ritual(card("blood-elder")), "ritual blood-elder"),
        (Move::Attack(set("blade-3 flame-4")), "attack blade-3 flame-4"),
        (Move::Trade(set("blood-imp blade-imp flame-imp")), "trade blood-imp blade-imp flame-imp"),
        (Move::TakeHit, "take-hit"),
        (Move::Guard { low: Some(card("book-angel")), high: None }, "guard low book-angel"),
        (Move::Guard { low: None, high: Some(card("bell-deva")) }, "guard high bell-deva"),
        (
            Move::Guard { low: Some(card("book-2")), high: Some(card("bell-5")) },
            "guard low book-2 high bell-5",
        ),
        (Move::Guard { low: None, high: None }, "guard"),
        (
            Move::Banish { ritual: card("flame-daemon"), flush: set("bell-2 bell-archon") },
            "banish flame-daemon with bell-2 bell-archon",
        ),
        (Move::Assault(set("candle-seraph")), "assault candle-seraph"),
        (Move::Assault(set("")), "assault"),
        (Move::Heal(set("bell-2 candle-2")), "heal bell-2 candle-2"),
        (Move::Pass, "pass"),
        (Move::Malformed(Flaw::CardTwice), "malformed card-twice"),
    ];
    for (mv, text) in moves {
        assert_eq!(AceExorcist::print_move(&mv), text);
        assert_eq!(AceExorcist::parse_move(text), Ok(mv));
    }
}

#[test]
fn g_2_a_set_may_be_written_in_any_order_and_is_printed_in_one() {
    let attack = mv("attack flame-4 blood-5 blade-3");
    assert_eq!(attack, mv("attack blade-3 flame-4 blood-5"));
    assert_eq!(AceExorcist::print_move(&attack), "attack blade-3 flame-4 blood-5");
    assert_eq!(mv("banish blood-imp with bell-7 bell-2"), mv("banish blood-imp with bell-2 bell-7"));
}

#[test]
fn every_card_has_one_notation() {
    for suit in Suit::ALL {
        for value in 1..=10 {
            let card = Card::new(suit, value).expect("the card exists");
            let text = super::super::notation::print_card(card);
            assert_eq!(super::card(&text), card);
            let has_face = !(2..=7).contains(&value);
            assert_eq!(text.ends_with(&value.to_string()), !has_face);
        }
    }
}

#[test]
fn other_text_does_not_parse() {
    for text in [
        "",
        " ",
        "Pass",
        "pass ",
        " pass",
        "pass pass",
        "take hit",
        "take-hit bell-2",
        "ritual",
        "ritual blood-elder blood-imp",
        "ritual blood-10",
        "ritual blood-archon",
        "ritual bell-elder",
        "ritual blood-1",
        "ritual Blood-Elder",
        "attack blood-02",
        "attack blood-11",
        "attack blood-0",
        "attack blood-3,blood-4",
        "attack blood-3  blood-4",
        "attack blood-3 blood-3",
        "attack blood3",
        "guard low",
        "guard low bell-2 low bell-3",
        "guard high bell-5 low bell-2",
        "guard bell-2",
        "banish blood-imp",
        "banish blood-imp bell-2 bell-3",
        "banish with bell-2 bell-3",
        "heal bell-2 bell-2",
        "malformed",
        "malformed nonsense",
        "malformed card-twice card-twice",
        "resign",
    ] {
        let unreadable = AceExorcist::parse_move(text).expect_err(text);
        assert!(unreadable.text.contains("example"));
    }
}
