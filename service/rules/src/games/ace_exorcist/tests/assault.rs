//! AE-33 and AE-34: the assault on the Summoner's stack, and what it reveals.

use super::{EXORCIST, SUMMONER, VIEWERS, accepted, after, card, cards, dealt, refused, seen, set, table};
use crate::games::ace_exorcist::{Assault, CardSet, Fact, Reason, State};
use crate::{Game, Viewer};

const HAND: &str = "blood-2 blood-3 blood-4 blood-5 blood-6 blood-7";

/// Returns a position with the Exorcist to act, these cards on top of the Summoner's stack, and this hand.
fn before_assault(stack: &str, hand: &str) -> State {
    after(&dealt(&[HAND, stack].join(" "), hand), &["pass"])
}

fn revealed(facts: &[Fact]) -> Assault {
    let mut assaults = facts.iter().filter_map(|fact| match fact {
        Fact::Assaulted(assault) => Some(assault.clone()),
        _ => None,
    });
    assaults.next_back().expect("there was an assault")
}

#[test]
fn ae_33_cards_are_taken_up_to_the_strength_and_the_next_goes_back() {
    let state = before_assault("flame-2 flame-3 flame-4", "bell-7 book-2");
    let (state, facts) = accepted(&state, "assault bell-7");
    let expected = Assault { strength: 7, taken: cards("flame-2 flame-3"), put_back: Some(card("flame-4")) };
    assert_eq!(revealed(&facts), expected);
    assert_eq!(state.stack(SUMMONER)[0], card("flame-4"));
    assert_eq!(state.hit_points[SUMMONER], 55);
    assert_eq!(state.discards[SUMMONER], set("flame-2 flame-3"));
}

#[test]
fn ae_33_an_exact_hit_takes_the_card_and_puts_none_back() {
    let (state, facts) = accepted(&before_assault("flame-2 flame-3 flame-4", "bell-5"), "assault bell-5");
    let expected = Assault { strength: 5, taken: cards("flame-2 flame-3"), put_back: None };
    assert_eq!((revealed(&facts), state.known_top()), (expected, None));
}

#[test]
fn ae_33_nothing_taken_deals_no_damage_and_draws_nothing() {
    let (state, facts) = accepted(&before_assault("flame-elder", "bell-7"), "assault bell-7");
    let expected = [
        Fact::Played { seat: EXORCIST, cards: set("bell-7") },
        Fact::Assaulted(Assault { strength: 7, taken: cards(""), put_back: Some(card("flame-elder")) }),
        Fact::Damaged { seat: SUMMONER, damage: 0, hit_points: 60 },
        Fact::TurnBegan { seat: SUMMONER },
        Fact::HandFull { seat: SUMMONER },
    ];
    assert_eq!(facts, expected);
    assert_eq!(state.hands[EXORCIST].len(), 5);
}

#[test]
fn ae_33_the_steps_come_in_order() {
    let hand = "bell-6 bell-4 book-2 book-3 book-4 book-5 candle-archon candle-2 candle-3";
    let (state, facts) =
        accepted(&before_assault("flame-2 flame-3 flame-4 flame-5", hand), "assault bell-6 bell-4");
    let drew = |word| Fact::Drew { seat: EXORCIST, card: Some(card(word)) };
    let expected = [
        Fact::Played { seat: EXORCIST, cards: set("bell-4 bell-6") },
        Fact::Assaulted(Assault {
            strength: 10,
            taken: cards("flame-2 flame-3 flame-4"),
            put_back: Some(card("flame-5")),
        }),
        Fact::Damaged { seat: SUMMONER, damage: 9, hit_points: 51 },
        drew("candle-archon"),
        drew("candle-2"),
        Fact::HandFull { seat: EXORCIST },
        Fact::TurnBegan { seat: SUMMONER },
        Fact::HandFull { seat: SUMMONER },
    ];
    assert_eq!(facts, expected);
    assert_eq!(state.hands[EXORCIST].len(), 6);
}

#[test]
fn ae_33_only_while_the_ritual_space_is_empty() {
    let state = after(&dealt("blood-imp", "bell-7"), &["ritual blood-imp"]);
    assert_eq!(refused(&state, "assault bell-7"), "AE-33");
}

#[test]
fn ae_33_a_flush_of_at_least_one_card() {
    let state = before_assault("", "bell-7 book-2");
    assert_eq!(refused(&state, "assault"), "AE-33");
    assert_eq!(refused(&state, "assault bell-7 book-2"), "AE-33");
}

#[test]
fn ae_33_no_end_is_tested_before_the_damage() {
    // The assault takes the last card and the damage reaches 0: AE-40 tests hit points first.
    let mut state = before_assault("", "bell-7");
    state.stack_top[SUMMONER] = 29;
    state.deal.0[SUMMONER][29] = card("flame-7");
    state.hit_points[SUMMONER] = 7;
    let (over, facts) = accepted(&state, "assault bell-7");
    let ending = super::AceExorcist::ending(&over).expect("the match is over");
    assert_eq!((ending.winner, ending.reason), (Some(EXORCIST), Reason::HitPoints));
    assert_eq!(facts.len(), 3);
}

#[test]
fn ae_33_the_reveal_stops_when_the_stack_is_empty() {
    let mut state = before_assault("", "bell-7");
    state.stack_top[SUMMONER] = 29;
    state.deal.0[SUMMONER][29] = card("flame-3");
    let (over, facts) = accepted(&state, "assault bell-7");
    let expected = Assault { strength: 7, taken: cards("flame-3"), put_back: None };
    assert_eq!(revealed(&facts), expected);
    let ending = super::AceExorcist::ending(&over).expect("the match is over");
    assert_eq!((ending.winner, ending.reason), (Some(EXORCIST), Reason::Stack));
    assert_eq!(over.hit_points[SUMMONER], 57);
    assert_eq!(facts.last(), Some(&Fact::Damaged { seat: SUMMONER, damage: 3, hit_points: 57 }));
}

#[test]
fn ae_34_every_view_marks_the_known_card_while_it_lies_on_top() {
    let known = after(&before_assault("flame-elder", "bell-7"), &["assault bell-7"]);
    for viewer in VIEWERS {
        let view = seen(&known, viewer);
        assert_eq!(view.stacks[SUMMONER].known_top, Some(card("flame-elder")), "{viewer:?}");
        assert_eq!(view.stacks[EXORCIST].known_top, None);
    }
    // A full hand leaves the card on the stack.
    let still = after(&known, &["pass"]);
    assert_eq!(table(&still).stacks[SUMMONER].known_top, Some(card("flame-elder")));
}

#[test]
fn ae_34_once_drawn_it_is_an_ordinary_hidden_card() {
    let known = after(&before_assault("flame-elder flame-2", "bell-7"), &["assault bell-7"]);
    let (drawn, facts) = accepted(&after(&known, &["attack blood-2"]), "take-hit");
    assert!(!facts.iter().any(|fact| matches!(fact, Fact::Drew { seat: SUMMONER, .. })));
    let (drawn, facts) = accepted(&drawn, "pass");
    assert!(facts.contains(&Fact::Drew { seat: SUMMONER, card: Some(card("flame-elder")) }));
    for viewer in VIEWERS {
        let view = seen(&drawn, viewer);
        assert_eq!(view.stacks[SUMMONER].known_top, None);
        // The result stays visible after the card has left the stack.
        let latest = view.latest_assault.expect("there was an assault");
        assert_eq!((latest.strength, latest.put_back), (7, Some(card("flame-elder"))));
    }
    let redacted = super::AceExorcist::redact_fact(facts.last().expect("there are facts"), Viewer::Spectator);
    assert_eq!(redacted, Some(Fact::Drew { seat: SUMMONER, card: None }));
}

#[test]
fn ae_34_a_later_assault_takes_the_known_card() {
    let known =
        after(&before_assault("flame-elder flame-2", "bell-7 book-archon"), &["assault bell-7", "pass"]);
    let (state, _) = accepted(&known, "assault book-archon");
    let latest = table(&state).latest_assault.expect("there was an assault");
    assert_eq!(latest, Assault { strength: 10, taken: cards("flame-elder"), put_back: None });
    assert_eq!(table(&state).stacks[SUMMONER].known_top, None);
}

#[test]
fn ae_34_before_any_assault_there_is_nothing_to_show() {
    let view = table(&before_assault("", ""));
    assert_eq!((view.latest_assault, view.stacks[SUMMONER].known_top), (None, None));
    assert_eq!(view.ritual, CardSet::EMPTY);
}
