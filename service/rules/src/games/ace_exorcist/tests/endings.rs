//! AE-40 and AE-41: the end.

use super::{EXORCIST, SUMMONER, accepted, after, dealt, mv, refusal, set};
use crate::games::ace_exorcist::{AceExorcist, Fact, Reason, State};
use crate::{Ending, Game, IllegalKind, Side, Sides};

fn ending(state: &State) -> Option<(Option<Side>, Reason)> {
    AceExorcist::ending(state).map(|Ending { winner, reason }| (winner, reason))
}

#[test]
fn ae_12_ae_40_the_third_ritual_card_wins_at_once() {
    let start = dealt("blood-imp blade-imp flame-elder", "bell-2 book-3 candle-4 bell-5 book-6 candle-7");
    let two = after(&start, &["ritual blood-imp", "pass", "ritual blade-imp", "pass"]);
    assert_eq!(ending(&two), None);
    let (over, facts) = accepted(&two, "ritual flame-elder");
    assert_eq!(ending(&over), Some((Some(SUMMONER), Reason::Ritual)));
    // The next turn does not happen.
    assert_eq!(facts.len(), 1);
    assert_eq!(AceExorcist::to_act(&over), Sides::NONE);
}

#[test]
fn ae_40_an_exorcist_without_hit_points_loses() {
    let mut state = after(&dealt("blood-7", ""), &["attack blood-7"]);
    state.hit_points[EXORCIST] = 7;
    let (over, facts) = accepted(&state, "take-hit");
    assert_eq!(ending(&over), Some((Some(SUMMONER), Reason::HitPoints)));
    assert_eq!(facts.last(), Some(&Fact::Damaged { seat: EXORCIST, damage: 7, hit_points: 0 }));
    assert_eq!(over.stack(EXORCIST).len(), state.stack(EXORCIST).len());
}

#[test]
fn ae_40_a_guard_that_lets_too_much_through_ends_the_match_before_the_skip() {
    let mut state = after(&dealt("blood-6 blood-7", "bell-5"), &["attack blood-6 blood-7"]);
    state.hit_points[EXORCIST] = 7;
    let (over, facts) = accepted(&state, "guard low bell-5");
    assert_eq!(ending(&over), Some((Some(SUMMONER), Reason::HitPoints)));
    assert!(!facts.contains(&Fact::TurnSkipped));
}

#[test]
fn ae_40_a_summoner_without_hit_points_loses() {
    let mut state = after(&dealt("blood-elder", "bell-5 bell-6"), &["ritual blood-elder"]);
    state.hit_points[SUMMONER] = 10;
    let (over, facts) = accepted(&state, "banish blood-elder with bell-5 bell-6");
    assert_eq!(ending(&over), Some((Some(EXORCIST), Reason::HitPoints)));
    assert_eq!(facts.len(), 3);
}

#[test]
fn ae_40_the_seat_that_draws_its_last_card_loses_at_once() {
    let mut state = dealt("blood-2 blade-2", "");
    state.stack_top[SUMMONER] = 29;
    let (over, facts) = accepted(&state, "trade blood-2 blade-2");
    assert_eq!(ending(&over), Some((Some(EXORCIST), Reason::Stack)));
    assert_eq!((over.hands[SUMMONER].len(), facts.len()), (5, 2));
}

#[test]
fn ae_40_the_draw_that_begins_a_turn_can_end_the_match() {
    let mut state = dealt("blood-imp", "");
    state.stack_top[EXORCIST] = 29;
    let (over, _) = accepted(&state, "pass");
    assert_eq!(ending(&over), Some((Some(SUMMONER), Reason::Stack)));
    assert_eq!(over.hands[EXORCIST].len(), 6);
}

#[test]
fn ae_40_a_last_card_that_is_not_drawn_ends_nothing() {
    let mut state = dealt("", "");
    state.stack_top[SUMMONER] = 29;
    let passed = after(&state, &["pass", "pass"]);
    assert_eq!((ending(&passed), passed.stack(SUMMONER).len()), (None, 1));
}

#[test]
fn ae_33_ae_40_draws_of_an_assault_can_empty_the_exorcists_stack() {
    let start = dealt(
        "blood-2 blood-3 blood-4 blood-5 blood-6 blood-7 flame-2 flame-3 flame-4 flame-elder",
        "bell-2 bell-3 bell-7",
    );
    let mut state = after(&start, &["pass"]);
    state.stack_top[EXORCIST] = 29;
    let (over, facts) = accepted(&state, "assault bell-2 bell-3 bell-7");
    assert_eq!(ending(&over), Some((Some(SUMMONER), Reason::Stack)));
    // Three cards were taken but only one could be drawn; the damage stands.
    assert_eq!((facts.len(), over.hands[EXORCIST].len(), over.hit_points[SUMMONER]), (4, 4, 51));
}

#[test]
fn ae_40_the_conditions_have_an_order() {
    let mut state = dealt("", "");
    state.stack_top[SUMMONER] = 30;
    state.stack_top[EXORCIST] = 30;
    assert_eq!(ending(&state), Some((Some(EXORCIST), Reason::Stack)));
    state.hit_points[SUMMONER] = 0;
    assert_eq!(ending(&state), Some((Some(EXORCIST), Reason::HitPoints)));
    state.hit_points[EXORCIST] = 0;
    assert_eq!(ending(&state), Some((Some(SUMMONER), Reason::HitPoints)));
    state.ritual = set("blood-imp blood-elder blade-imp");
    assert_eq!(ending(&state), Some((Some(SUMMONER), Reason::Ritual)));
    state.ritual = set("");
    state.hit_points[EXORCIST] = 1;
    state.hit_points[SUMMONER] = 1;
    state.stack_top[SUMMONER] = 29;
    assert_eq!(ending(&state), Some((Some(SUMMONER), Reason::Stack)));
}

#[test]
fn ae_41_five_passes_from_the_opening_draw_by_repetition() {
    let start = dealt("", "");
    let four = after(&start, &["pass"; 4]);
    assert_eq!(ending(&four), None);
    let five = after(&four, &["pass"]);
    assert_eq!(ending(&five), Some((None, Reason::Repetition)));
    for seat in Side::ALL {
        assert_eq!(refusal(&five, seat, &mv("pass")).kind, IllegalKind::MatchOver);
    }
}

#[test]
fn ae_41_anything_but_an_idle_pass_resets_the_count() {
    let start = dealt("blood-imp", "bell-2 book-2");
    // The heal changes hands; five idle moves follow again, minus the draws that refill the Exorcist's hand.
    let healed = after(&start, &["pass", "pass", "pass", "heal bell-2 book-2"]);
    assert_eq!(healed.idle_moves, 0);
    let refilled = after(&healed, &["pass", "pass"]);
    assert_eq!((refilled.hands[EXORCIST].len(), refilled.idle_moves), (6, 0));
    assert_eq!(ending(&after(&refilled, &["pass"; 3])), None);
    assert_eq!(ending(&after(&refilled, &["pass"; 4])), Some((None, Reason::Repetition)));
}

/// Compares each position with all earlier ones, as G-3 says literally.
#[test]
fn ae_41_counting_idle_passes_finds_exactly_the_repetitions() {
    let key = |state: &State| {
        let stacks = Side::ALL.map(|seat| state.stack(seat).to_vec());
        (state.hands, stacks, state.ritual, state.attack, state.hit_points, state.mover)
    };
    for byte in 0..40 {
        let mut dice = crate::Dice::new(&crate::Seed::new([byte; 32]));
        let mut state = dealt("", "");
        let mut history = alloc::vec![key(&state)];
        while let Some(seat) = AceExorcist::to_act(&state).iter().next() {
            // Mostly passes, so that positions repeat.
            let sampled = AceExorcist::sample(&state, seat, &mut dice).expect("a seat to act has a move");
            let is_attacked = !state.attack.is_empty();
            let move_made = if is_attacked || dice.below(6) == 0 { sampled } else { mv("pass") };
            state = AceExorcist::play(&state, seat, &move_made).expect("the move is legal").state;
            history.push(key(&state));
            let times = history.iter().filter(|&earlier| *earlier == key(&state)).count();
            let is_repetition = ending(&state) == Some((None, Reason::Repetition));
            assert_eq!(is_repetition, times >= 3, "seed {byte}");
        }
    }
}
