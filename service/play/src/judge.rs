//! Whether a seat may act now: the service's own conditions, and the rules'
//! refusals in the service's words.

use journal::RecordedTime;
use replay::{Draft, Phase};
use rules::{Illegal, IllegalKind, Seat, State};
use wire::v1::ErrorReason;

use crate::Refusal;
use crate::live::{Head, catch_up};
use crate::turn::{Change, Verdict};

/// The running state, if the match is being played.
pub(crate) fn running(head: &Head) -> Result<&State, Refusal> {
    match head.position.phase() {
        Phase::Open => Err(Refusal::new(
            ErrorReason::MatchNotStarted,
            "the match has not started: both seats must be claimed first",
        )),
        Phase::Running(_) => head.position.running_state().ok_or_else(|| unreachable_phase(head)),
        Phase::Over(_) => Err(match_over(head)),
    }
}

fn unreachable_phase(head: &Head) -> Refusal {
    tracing::error!(match.id = %head.position.match_id(), "a running match has no state");
    Refusal::internal()
}

pub(crate) fn match_over(head: &Head) -> Refusal {
    let refusal = Refusal::new(ErrorReason::MatchOver, "the match is over")
        .with("paragraph", "G-2")
        .with("actual_seq", head.seq());
    match head.position.result() {
        Some(result) => refusal.with("ending", &result.reason),
        None => refusal,
    }
}

/// Refuses a position that a move, a reveal or the end has made stale.
pub(crate) fn check_expected(expected_seq: Option<u32>, head: &Head) -> Result<(), Refusal> {
    let Some(expected) = expected_seq else { return Ok(()) };
    if expected > head.seq() {
        return Err(unknown_seq(head, expected));
    }
    if expected < head.position.settled_seq().0 {
        let message = format!("the position has changed since event {expected}; look again");
        return Err(Refusal::new(ErrorReason::StalePosition, message).with("actual_seq", head.seq()));
    }
    Ok(())
}

/// The end that has come by the time of a call: whoever asks, time is over first.
pub(crate) fn end_on_time(head: &Head, arrival: i64) -> Result<Option<Verdict>, Refusal> {
    if head.position.overdue(RecordedTime(arrival)).is_none() {
        return Ok(None);
    }
    let mut draft = Draft::after(&head.position, RecordedTime(arrival));
    draft.end_on_time().map_err(catch_up::broken_log)?;
    Ok(Some(Verdict::Overdue(Box::new(Change::of(draft, head, None)))))
}

/// The match has not come so far.
pub(crate) fn unknown_seq(head: &Head, asked: u32) -> Refusal {
    let message = format!("the match has no event {asked} yet");
    Refusal::new(ErrorReason::UnknownSeq, message).with("actual_seq", head.seq())
}

/// Answers only if the match has come at least this far.
pub(crate) fn check_min(min_seq: Option<u32>, head: &Head) -> Result<(), Refusal> {
    match min_seq {
        Some(asked) if asked > head.seq() => Err(unknown_seq(head, asked)),
        _ => Ok(()),
    }
}

/// A seat that wants to move must be to act; if it is not, the rules say why.
pub(crate) fn check_to_act(state: &State, seat: Seat) -> Result<(), Refusal> {
    if state.to_act().contains(seat) {
        return Ok(());
    }
    Err(match state.choices(seat, &[]) {
        Err(bad) => illegal(&bad.illegal),
        Ok(_) => {
            Refusal::new(ErrorReason::NotYourTurn, "the seat is not to act now").with("paragraph", "G-2")
        }
    })
}

/// The rules' refusal as the service tells it.
pub(crate) fn illegal(illegal: &Illegal) -> Refusal {
    let reason = match illegal.kind {
        IllegalKind::MatchOver => ErrorReason::MatchOver,
        IllegalKind::NotToAct => ErrorReason::NotYourTurn,
        IllegalKind::Move => ErrorReason::IllegalMove,
    };
    Refusal::new(reason, illegal.text.clone()).with("paragraph", illegal.paragraph)
}
