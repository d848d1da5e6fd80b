//! AE-30 to AE-32, AE-35 and AE-36: the turn of the Exorcist, except the assault.

use super::{EXORCIST, SUMMONER, accepted, after, card, dealt, legal, legal_of, refused, set};
use crate::games::ace_exorcist::{AceExorcist, CardSet, Fact};
use crate::{Game, Sides};

#[test]
fn ae_30_the_turn_starts_with_a_draw_within_the_move_that_brings_it() {
    let start = dealt("", "bell-2 bell-3 bell-4 bell-5 bell-6 candle-archon");
    let (state, facts) = accepted(&start, "pass");
    assert_eq!(state.hands[EXORCIST], set("bell-2 bell-3 bell-4 bell-5 bell-6 candle-archon"));
    let expected = [
        Fact::HandFull { seat: SUMMONER },
        Fact::TurnBegan { seat: EXORCIST },
        Fact::Drew { seat: EXORCIST, card: Some(card("candle-archon")) },
    ];
    assert_eq!(facts, expected);
}

#[test]
fn ae_31_one_action_ends_the_turn() {
    let state = after(&dealt("", "bell-2 book-2"), &["pass"]);
    for action in ["pass", "heal bell-2 book-2", "assault bell-2"] {
        assert_eq!(AceExorcist::to_act(&after(&state, &[action])), Sides::only(SUMMONER), "{action}");
    }
}

#[test]
fn ae_31_the_summoners_kinds_are_refused() {
    let state = after(&dealt("blood-imp", "bell-2 book-2"), &["pass"]);
    for text in ["ritual blood-imp", "attack bell-2", "trade bell-2 book-2", "take-hit", "guard high bell-2"]
    {
        assert_eq!(refused(&state, text), "AE-31", "{text}");
    }
}

#[test]
fn ae_31_flushes_are_of_one_suit_and_any_ranks() {
    let state = after(&dealt("", "bell-2 bell-archon book-5 candle-angel candle-3 candle-7"), &["pass"]);
    let assaults = [
        "assault bell-2",
        "assault bell-archon",
        "assault bell-2 bell-archon",
        "assault book-5",
        "assault candle-angel",
        "assault candle-3",
        "assault candle-angel candle-3",
        "assault candle-7",
        "assault candle-angel candle-7",
        "assault candle-3 candle-7",
        "assault candle-angel candle-3 candle-7",
    ];
    assert_eq!(legal_of(&state, "assault"), assaults);
}

#[test]
fn ae_32_banishing_takes_the_card_and_deals_its_value() {
    let start = dealt("blood-elder", "bell-5 bell-6");
    let ritual = after(&start, &["ritual blood-elder"]);
    let (state, facts) = accepted(&ritual, "banish blood-elder with bell-5 bell-6");
    assert_eq!((state.ritual, state.hit_points[SUMMONER]), (CardSet::EMPTY, 50));
    assert_eq!(
        (state.discards[SUMMONER], state.discards[EXORCIST]),
        (set("blood-elder"), set("bell-5 bell-6"))
    );
    let expected = [
        Fact::Played { seat: EXORCIST, cards: set("bell-5 bell-6") },
        Fact::Banished { card: card("blood-elder") },
        Fact::Damaged { seat: SUMMONER, damage: 10, hit_points: 50 },
        Fact::TurnBegan { seat: SUMMONER },
    ];
    assert_eq!(facts[..4], expected);
}

#[test]
fn ae_32_excess_strength_is_lost() {
    let ritual = after(&dealt("blood-imp", "bell-archon bell-seraph"), &["ritual blood-imp"]);
    let state = after(&ritual, &["banish blood-imp with bell-archon bell-seraph"]);
    assert_eq!(state.hit_points[SUMMONER], 59);
}

#[test]
fn ae_32_only_while_the_ritual_space_holds_a_card() {
    let state = after(&dealt("", "bell-5 bell-6"), &["pass"]);
    assert_eq!(refused(&state, "banish blood-imp with bell-5 bell-6"), "AE-32");
    assert!(legal_of(&state, "banish").is_empty());
}

#[test]
fn ae_32_two_cards_of_one_suit_and_enough_strength() {
    let state = after(
        &dealt("blood-elder", "bell-4 bell-5 book-archon book-angel bell-2 candle-2"),
        &["ritual blood-elder"],
    );
    for text in [
        "banish blood-elder with",
        "banish blood-elder with book-archon",
        "banish blood-elder with bell-4 bell-5",
        "banish blood-elder with bell-5 book-archon",
        "banish blade-elder with book-angel book-archon",
    ] {
        let words: alloc::vec::Vec<_> = text.split(' ').collect();
        assert_eq!(refused(&state, &words.join(" ")), "AE-32", "{text}");
    }
    let banishes =
        ["banish blood-elder with bell-2 bell-4 bell-5", "banish blood-elder with book-angel book-archon"];
    assert_eq!(legal_of(&state, "banish"), banishes);
}

#[test]
fn ae_32_each_card_of_the_ritual_space_can_be_named() {
    let hand = "bell-4 bell-5 candle-2 candle-3 candle-4 book-7";
    let two =
        after(&dealt("blood-beast flame-imp", hand), &["ritual blood-beast", "pass", "ritual flame-imp"]);
    let banishes = legal_of(&two, "banish");
    assert!(banishes.contains(&"banish flame-imp with candle-2 candle-3".into()));
    assert!(!banishes.contains(&"banish blood-beast with candle-2 candle-3".into()));
    assert!(banishes.contains(&"banish blood-beast with bell-4 bell-5".into()));
    let state = after(&two, &["banish flame-imp with bell-4 bell-5"]);
    assert_eq!(state.ritual, set("blood-beast"));
}

#[test]
fn ae_35_a_pair_heals_its_total() {
    let hurt = after(
        &dealt("blood-7 blood-6 blood-5", "bell-3 book-3 candle-3 bell-4 bell-5 bell-6"),
        &["attack blood-5 blood-6 blood-7", "take-hit"],
    );
    assert_eq!(hurt.hit_points[EXORCIST], 12);
    assert_eq!(
        legal_of(&hurt, "heal"),
        ["heal bell-3 book-3", "heal bell-3 candle-3", "heal book-3 candle-3"]
    );
    let (state, facts) = accepted(&hurt, "heal bell-3 candle-3");
    assert_eq!(state.hit_points[EXORCIST], 18);
    assert_eq!(facts[1], Fact::Healed { healing: 6, hit_points: 18 });
}

#[test]
fn ae_35_at_most_to_30_and_legal_at_30() {
    let state = after(&dealt("", "bell-archon book-archon"), &["pass"]);
    let (state, facts) = accepted(&state, "heal bell-archon book-archon");
    assert_eq!(state.hit_points[EXORCIST], 30);
    assert_eq!(facts[1], Fact::Healed { healing: 20, hit_points: 30 });
}

#[test]
fn ae_35_exactly_two_cards_of_equal_value() {
    let state = after(&dealt("", "bell-3 book-3 candle-3 bell-4"), &["pass"]);
    for text in ["heal", "heal bell-3", "heal bell-3 bell-4", "heal bell-3 book-3 candle-3"] {
        assert_eq!(refused(&state, text), "AE-35", "{text}");
    }
}

#[test]
fn ae_36_a_pass_draws_one_more_card_and_is_always_legal() {
    let mut state = after(&dealt("", "bell-2 bell-3 bell-4 bell-5 bell-6 bell-7 candle-archon"), &["pass"]);
    state.hands[EXORCIST] = CardSet::EMPTY;
    assert_eq!(legal(&state), ["pass"]);
    let (passed, facts) = accepted(&state, "pass");
    assert_eq!(facts[0], Fact::Drew { seat: EXORCIST, card: Some(card("candle-archon")) });
    assert_eq!(passed.hands[EXORCIST], set("candle-archon"));
}
