//! Conditions that a match must meet before a call is carried out, and the refusals of calls that fail them.

use std::time::Duration;

use event::{Seat, Seq};
use replay::{GameState, MatchPhase};
use rules::{Illegal, IllegalKind};
use wire::v1::ErrorReason;

use crate::Refusal;
use crate::live::LiveHead;

/// Expected time until a replica that is behind has caught up.
const RETRY_AFTER_LAG: Duration = Duration::from_millis(100);

/// Returns the state of a running match; refuses if the match has not started or is over.
pub(crate) fn running(head: &LiveHead) -> Result<&GameState, Refusal> {
    match head.position.phase() {
        MatchPhase::Open => Err(Refusal::new(
            ErrorReason::MatchNotStarted,
            "the match has not started; every seat must be claimed first",
        )),
        MatchPhase::Running(_) => head.position.running_state().ok_or_else(|| {
            tracing::error!(match.id = %head.match_id(), "a running match has no state");
            Refusal::internal()
        }),
        MatchPhase::Over(_) => Err(match_over(head)),
    }
}

/// What a seat can do that is not to act.
const WAIT: &str = "; wait for the other seat to move";

/// Returns the state of a running match in which `seat` is to act.
pub(crate) fn running_with_seat_to_act(head: &LiveHead, seat: Seat) -> Result<&GameState, Refusal> {
    let state = running(head)?;
    if state.to_act().contains(seat) {
        return Ok(state);
    }
    // The rules may have a reason of their own.
    Err(match state.choices(seat, &[]) {
        Err(bad) => illegal(&bad.illegal),
        Ok(_) => Refusal::new(ErrorReason::NotYourTurn, format!("it is not this seat's turn{WAIT}"))
            .with("paragraph", "G-2"),
    })
}

/// Returns the refusal of a call that needs a match that is not over.
pub(crate) fn match_over(head: &LiveHead) -> Refusal {
    let refusal =
        Refusal::new(ErrorReason::MatchOver, "the match is over; create a rematch or fork it to play on")
            .with("paragraph", "G-2")
            .with("actual_seq", head.seq());
    match head.position.result() {
        Some(result) => refusal.with("ending", &result.reason),
        None => refusal,
    }
}

/// Refuses a call that was made for a position which a move, a reveal or the end has since changed.
pub(crate) fn check_expected(expected_seq: Option<Seq>, head: &LiveHead) -> Result<(), Refusal> {
    let Some(expected) = expected_seq else { return Ok(()) };
    if expected > head.seq() {
        return Err(unknown_seq(head, expected));
    }
    if expected < head.settled_seq() {
        return Err(stale_position(head, expected));
    }
    Ok(())
}

/// Returns the refusal of a call that was made for an earlier position.
pub(crate) fn stale_position(head: &LiveHead, expected: Seq) -> Refusal {
    let message = format!("the position has changed since event {expected}; get the view and decide again");
    Refusal::new(ErrorReason::StalePosition, message).with("actual_seq", head.seq())
}

/// Refuses a call that requires an event which the match does not have yet.
pub(crate) fn check_reached(seq: Option<Seq>, head: &LiveHead) -> Result<(), Refusal> {
    match seq {
        Some(seq) if seq > head.seq() => Err(unknown_seq(head, seq)),
        _ => Ok(()),
    }
}

/// Refuses a read that asks for a newer state than this replica has. Another replica may have acknowledged
/// the event, so a retry can succeed, unless the match is over: nothing follows its last event.
pub(crate) fn check_min_seq(min_seq: Option<Seq>, head: &LiveHead) -> Result<(), Refusal> {
    match min_seq {
        Some(seq) if seq > head.seq() && matches!(head.position.phase(), MatchPhase::Over(_)) => {
            Err(unknown_seq(head, seq))
        }
        Some(seq) if seq > head.seq() => {
            let newest = head.seq();
            let message = format!(
                "this replica has no event {seq} yet; its newest is {newest}: retry, since it may be behind \
                 another"
            );
            let refusal = Refusal::new(ErrorReason::UnknownSeq, message).with("actual_seq", newest);
            Err(refusal.retry_after(RETRY_AFTER_LAG))
        }
        _ => Ok(()),
    }
}

fn unknown_seq(head: &LiveHead, seq: Seq) -> Refusal {
    let newest = head.seq();
    let message = format!("the match has no event {seq}; its newest is {newest}: use a seq up to that");
    Refusal::new(ErrorReason::UnknownSeq, message).with("actual_seq", newest)
}

/// Returns the refusal for a move that the rules reject.
pub(crate) fn illegal(illegal: &Illegal) -> Refusal {
    let reason = match illegal.kind {
        IllegalKind::MatchOver => ErrorReason::MatchOver,
        IllegalKind::NotToAct => ErrorReason::NotYourTurn,
        IllegalKind::Move => ErrorReason::IllegalMove,
    };
    let advice = if reason == ErrorReason::NotYourTurn { WAIT } else { "" };
    Refusal::new(reason, format!("{}{advice}", illegal.text)).with("paragraph", illegal.paragraph)
}
