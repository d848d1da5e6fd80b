//! AE-10 to AE-15: the turn of the Summoner.

use super::{EXORCIST, SUMMONER, accepted, after, card, dealt, legal, legal_of, refused, set};
use crate::games::ace_exorcist::{AceExorcist, Fact};
use crate::{Game, Sides};

#[test]
fn ae_10_the_turn_starts_with_a_draw_within_the_move_that_brings_it() {
    let start = dealt("blood-imp blood-2 blood-3 blood-4 blood-5 blood-6 flame-7", "bell-7 book-7");
    let ritual = after(&start, &["ritual blood-imp"]);
    assert_eq!(ritual.hands[SUMMONER].len(), 5);
    let (back, facts) = accepted(&ritual, "heal bell-7 book-7");
    assert_eq!(back.hands[SUMMONER], set("blood-2 blood-3 blood-4 blood-5 blood-6 flame-7"));
    let ends =
        [Fact::TurnBegan { seat: SUMMONER }, Fact::Drew { seat: SUMMONER, card: Some(card("flame-7")) }];
    assert_eq!(facts[facts.len() - 2..], ends);
    assert_eq!(AceExorcist::to_act(&back), Sides::only(SUMMONER));
}

#[test]
fn ae_10_with_a_full_hand_the_turn_starts_without_a_card() {
    let (back, facts) = accepted(&after(&dealt("", ""), &["pass"]), "pass");
    assert_eq!(facts.last(), Some(&Fact::HandFull { seat: SUMMONER }));
    assert_eq!(back.stack(SUMMONER).len(), 24);
}

#[test]
fn ae_11_one_action_ends_the_turn() {
    let start = dealt("blood-2 blade-2 blood-imp", "");
    for action in ["pass", "trade blood-2 blade-2", "ritual blood-imp", "attack blood-2"] {
        assert_eq!(AceExorcist::to_act(&after(&start, &[action])), Sides::only(EXORCIST), "{action}");
    }
}

#[test]
fn ae_11_the_exorcists_kinds_are_refused() {
    let start = dealt("blood-2 blade-2", "");
    for kind in [
        "take-hit",
        "guard",
        "guard low bell-2",
        "banish blood-imp with bell-2",
        "assault bell-2",
        "heal blood-2 blade-2",
    ] {
        assert_eq!(refused(&start, kind), "AE-11", "{kind}");
    }
}

#[test]
fn ae_12_a_face_card_goes_into_the_ritual_space() {
    let start = dealt("blood-imp blade-elder blood-2 blood-3 blood-4 flame-beast", "");
    let (state, facts) = accepted(&start, "ritual flame-beast");
    assert_eq!(facts[0], Fact::RitualPlayed { card: card("flame-beast") });
    assert_eq!(state.ritual, set("flame-beast"));
    assert_eq!(legal_of(&start, "ritual"), ["ritual blood-imp", "ritual flame-beast", "ritual blade-elder"]);
}

#[test]
fn ae_12_number_cards_cannot_go_into_the_ritual_space() {
    assert_eq!(refused(&dealt("blood-7", ""), "ritual blood-7"), "AE-12");
}

#[test]
fn ae_13_an_attack_waits_for_its_answer() {
    let (state, facts) = accepted(&dealt("blood-3 blade-4", ""), "attack blade-4 blood-3");
    assert_eq!(facts, [Fact::Attacked { cards: set("blood-3 blade-4") }]);
    assert_eq!(state.attack, set("blood-3 blade-4"));
    assert_eq!(state.hit_points[EXORCIST], 30);
    assert_eq!(state.hands[EXORCIST].len(), 5);
}

#[test]
fn ae_13_every_straight_of_any_suits_attacks() {
    let state = dealt("blood-2 blade-3 flame-3 blood-4 blood-6 blood-imp", "");
    let attacks = [
        "attack blood-2",
        "attack blood-2 blade-3",
        "attack blood-2 blade-3 blood-4",
        "attack blood-2 flame-3",
        "attack blood-2 flame-3 blood-4",
        "attack blade-3",
        "attack blade-3 blood-4",
        "attack flame-3",
        "attack flame-3 blood-4",
        "attack blood-4",
        "attack blood-6",
    ];
    assert_eq!(legal_of(&state, "attack"), attacks);
}

#[test]
fn ae_13_six_cards_can_attack_at_once() {
    let state = dealt("blood-2 blade-3 flame-4 blood-5 blade-6 flame-7", "");
    assert_eq!(legal_of(&state, "attack").len(), 6 + 5 + 4 + 3 + 2 + 1);
    let hit = after(&state, &["attack blood-2 blade-3 flame-4 blood-5 blade-6 flame-7", "take-hit"]);
    assert_eq!(hit.hit_points[EXORCIST], 3);
}

#[test]
fn ae_13_faces_gaps_pairs_and_nothing_do_not_attack() {
    let state = dealt("blood-2 blade-2 flame-4 blood-imp blade-beast blood-7", "");
    for text in [
        "attack",
        "attack blood-imp",
        "attack blood-imp blood-2",
        "attack blood-7 blade-beast",
        "attack blood-2 blade-2",
        "attack blood-2 flame-4",
        "attack blood-2 blade-2 flame-4",
    ] {
        assert_eq!(refused(&state, text), "AE-13", "{text}");
    }
}

#[test]
fn ae_14_two_cards_draw_three_and_three_draw_four() {
    let start = dealt("blood-2 blade-2 flame-2 blood-elder blade-elder flame-7", "");
    let pair = after(&start, &["trade blood-elder blade-elder"]);
    // Two played, three to draw, room for two.
    assert_eq!((pair.hands[SUMMONER].len(), pair.stack(SUMMONER).len()), (6, 22));
    let three = after(&start, &["trade blood-2 blade-2 flame-2"]);
    assert_eq!((three.hands[SUMMONER].len(), three.stack(SUMMONER).len()), (6, 21));
}

#[test]
fn ae_14_with_room_in_the_hand_all_cards_are_drawn() {
    let start = dealt("blood-2 blade-2 flame-2 blood-imp blade-elder flame-7", "bell-2");
    // Five cards and the draw of the next turn make six; the attack makes room for one more.
    let room = after(&start, &["attack flame-7", "take-hit", "pass", "ritual blood-imp", "pass"]);
    assert_eq!(room.hands[SUMMONER].len(), 6);
    let (_, facts) = accepted(&room, "trade blood-2 blade-2 flame-2");
    let drawn = |fact: &&Fact| matches!(fact, Fact::Drew { seat: SUMMONER, .. });
    assert_eq!(
        (facts.iter().filter(drawn).count(), facts[4].clone()),
        (3, Fact::HandFull { seat: SUMMONER })
    );
    let mut roomy = room.clone();
    roomy.hands[SUMMONER] = set("blood-2 blade-2");
    let (_, facts) = accepted(&roomy, "trade blood-2 blade-2");
    assert_eq!(facts.iter().filter(drawn).count(), 3);
}

#[test]
fn ae_14_every_pair_and_triple_of_equal_value_can_be_traded() {
    let state = dealt("blood-2 blade-2 flame-2 blood-elder flame-elder blood-imp", "");
    let trades = [
        "trade blood-2 blade-2",
        "trade blood-2 flame-2",
        "trade blade-2 flame-2",
        "trade blood-2 blade-2 flame-2",
        "trade blood-elder flame-elder",
    ];
    assert_eq!(legal_of(&state, "trade"), trades);
}

#[test]
fn ae_14_other_sets_are_refused() {
    let state = dealt("blood-2 blade-2 flame-2 blood-3 blade-3 blood-imp", "");
    for text in [
        "trade",
        "trade blood-2",
        "trade blood-2 blood-3",
        "trade blood-2 blade-2 blood-3",
        "trade blood-2 blade-2 blood-3 blade-3",
        "trade blood-imp",
    ] {
        assert_eq!(refused(&state, text), "AE-14", "{text}");
    }
}

#[test]
fn ae_15_a_pass_draws_one_more_card() {
    let start = dealt("blood-imp blood-2 blood-3 blood-4 blood-5 blood-6 flame-7 flame-6", "");
    let mut short = start.clone();
    short.hands[SUMMONER] = set("blood-imp blood-2 blood-3 blood-4 blood-5");
    let (passed, facts) = accepted(&short, "pass");
    assert_eq!(facts[0], Fact::Drew { seat: SUMMONER, card: Some(card("flame-7")) });
    assert_eq!(passed.hands[SUMMONER].len(), 6);
}

#[test]
fn ae_15_a_pass_is_always_legal() {
    assert_eq!(legal(&dealt("", "")).last().map(alloc::string::String::as_str), Some("pass"));
    let mut bare = dealt("", "");
    bare.hands[SUMMONER] = set("");
    assert_eq!(legal(&bare), ["pass"]);
    after(&bare, &["pass"]);
}
