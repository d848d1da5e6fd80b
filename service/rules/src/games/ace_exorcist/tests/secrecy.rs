//! AE-50: what each viewer sees.

use super::{EXORCIST, SUMMONER, VIEWERS, accepted, after, dealt, seen, set, table};
use crate::games::ace_exorcist::{AceExorcist, CardSet, Fact, State};
use crate::{BySide, Game, Side, Viewer};

#[test]
fn ae_50_only_its_seat_sees_a_hand() {
    let state = dealt("", "");
    for viewer in VIEWERS {
        let view = seen(&state, viewer);
        for seat in Side::ALL {
            let may_see = [Viewer::Seat(seat), Viewer::Open].contains(&viewer);
            assert_eq!(view.hands[seat].cards, may_see.then_some(state.hands[seat]), "{viewer:?}");
        }
    }
}

#[test]
fn ae_50_nobody_sees_the_order_of_the_stacks_before_the_end() {
    for viewer in VIEWERS {
        let stacks = seen(&dealt("", ""), viewer).stacks;
        for (_, stack) in stacks.iter() {
            assert_eq!(stack.cards.is_some(), viewer == Viewer::Open);
            assert_eq!(stack.known_top, None);
        }
    }
}

#[test]
fn ae_50_everybody_sees_the_table() {
    let start = dealt("blood-imp blood-2 blood-3", "bell-7 bell-6 bell-archon");
    let state = after(&start, &["ritual blood-imp", "pass", "attack blood-2 blood-3"]);
    for viewer in VIEWERS {
        let view = seen(&state, viewer);
        assert_eq!(view.hands.map(|hand| hand.size), BySide::new(4, 6));
        assert_eq!(view.stacks.clone().map(|stack| stack.size), BySide::new(23, 24));
        assert_eq!((view.ritual, view.attack), (set("blood-imp"), set("blood-2 blood-3")));
        assert_eq!(view.discards, BySide::default());
        assert_eq!(view.hit_points, BySide::new(60, 30));
    }
}

#[test]
fn ae_50_drawn_cards_are_named_only_to_the_seat_that_drew_them() {
    let (_, facts) = accepted(&dealt("", ""), "pass");
    let drawn = facts.last().expect("there are facts");
    assert!(matches!(drawn, Fact::Drew { seat: EXORCIST, card: Some(_) }));
    for viewer in VIEWERS {
        let redacted = AceExorcist::redact_fact(drawn, viewer).expect("that a card was drawn is public");
        let may_see = [Viewer::Seat(EXORCIST), Viewer::Open].contains(&viewer);
        assert_eq!(redacted == *drawn, may_see, "{viewer:?}");
        if !may_see {
            assert_eq!(redacted, Fact::Drew { seat: EXORCIST, card: None });
        }
    }
}

#[test]
fn ae_50_a_skipped_turn_is_public() {
    let state = after(&dealt("blood-5", "bell-4"), &["attack blood-5"]);
    let (_, facts) = accepted(&state, "guard low bell-4");
    for viewer in VIEWERS {
        let redacted = facts.iter().filter_map(|fact| AceExorcist::redact_fact(fact, viewer));
        assert_eq!(redacted.filter(|fact| *fact == Fact::TurnSkipped).count(), 1);
    }
}

/// Deals the cards that the viewer may not see anew: the same cards in other places.
fn redealt(state: &State, viewer: Viewer) -> State {
    let mut twin = state.clone();
    for seat in Side::ALL {
        let top = state.stack_top[seat];
        // A known card stays on top.
        let hidden_from = top + usize::from(seat == SUMMONER && state.known_top().is_some());
        let stack = &mut twin.deal.0[seat][hidden_from.min(30)..];
        stack.reverse();
        if viewer == Viewer::Seat(seat) {
            continue;
        }
        // Swaps what the viewer cannot tell from the stack with the stack, card by card.
        let mut hand = CardSet::EMPTY;
        for (place, card) in state.hands[seat].iter().enumerate() {
            match stack.get_mut(place) {
                Some(hidden) => {
                    hand.insert(core::mem::replace(hidden, card));
                }
                None => {
                    hand.insert(card);
                }
            }
        }
        twin.hands[seat] = hand;
    }
    twin
}

/// Before any assault, the pack indices of drawn cards have no effect, so hands can be swapped with stacks.
#[test]
fn ae_50_hidden_cards_make_no_difference_to_viewers_who_do_not_see_them() {
    for texts in
        [&["pass"][..], &["ritual blood-imp"], &["attack blood-2 blood-3"], &["pass", "assault bell-2"]]
    {
        let start = dealt(
            "blood-imp blood-2 blood-3 blade-4 blade-6 flame-elder",
            "bell-2 book-2 book-5 bell-7 candle-5",
        );
        let state = after(&start, texts);
        for viewer in [Viewer::Seat(SUMMONER), Viewer::Seat(EXORCIST), Viewer::Spectator] {
            let twin = redealt(&state, viewer);
            assert_ne!(twin.canonical(), state.canonical());
            assert_eq!(seen(&twin, viewer), seen(&state, viewer));
            assert_eq!(AceExorcist::to_act(&twin), AceExorcist::to_act(&state));
            let Viewer::Seat(seat) = viewer else { continue };
            assert_eq!(AceExorcist::legal(&twin, seat), AceExorcist::legal(&state, seat));
            for mv in AceExorcist::legal(&state, state.mover).moves {
                let [one, other] = [&state, &twin].map(|state| AceExorcist::play(state, seat, &mv).err());
                assert_eq!(one, other);
            }
        }
    }
}

#[test]
fn ae_50_the_public_view_names_no_hidden_card() {
    let view = table(&dealt("", ""));
    assert!(view.hands.iter().all(|(_, hand)| hand.cards.is_none()));
    assert!(view.stacks.iter().all(|(_, stack)| stack.cards.is_none()));
}
