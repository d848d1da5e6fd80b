//! `CheckMove`: whether a move would be accepted, and why not.

use wire::v1::{self as proto, ErrorReason};

use crate::fields::{self, Input};
use crate::live::Head;
use crate::{Caller, Play, Refusal, access, judge};

impl Play {
    /// The verdict on a move; changes nothing.
    pub async fn check_move(
        &self,
        caller: &Caller,
        request: proto::CheckMoveRequest,
    ) -> Result<proto::CheckMoveResponse, Refusal> {
        let match_id = fields::match_id(&request.match_id)?;
        let input = Input::of_check(request.input)?;
        let (_, head) = self.fresh(match_id).await?;
        let seat = access::party(&self.keys, caller, &head)?.own_seat()?;
        judge::check_expected(request.expected_seq, &head)?;
        match try_move(&head, seat, &input) {
            Ok(()) => Ok(verdict(&head, None)),
            Err(refusal) if is_verdict(refusal.reason) => Ok(verdict(&head, Some(refusal))),
            Err(refusal) => Err(refusal),
        }
    }
}

fn try_move(head: &Head, seat: rules::Seat, input: &Input) -> Result<(), Refusal> {
    let state = judge::running(head)?;
    judge::check_to_act(state, seat)?;
    let made = input.read(head.position.game())?;
    state.play(seat, &made).map(|_| ()).map_err(|illegal| judge::illegal(&illegal))
}

/// What says something about the move, and not about the request.
fn is_verdict(reason: ErrorReason) -> bool {
    matches!(
        reason,
        ErrorReason::MatchNotStarted
            | ErrorReason::MatchOver
            | ErrorReason::NotYourTurn
            | ErrorReason::IllegalMove
    )
}

fn verdict(head: &Head, refusal: Option<Refusal>) -> proto::CheckMoveResponse {
    let legal = refusal.is_none();
    let (reason, paragraph, message) = match refusal {
        None => Default::default(),
        Some(mut refusal) => {
            (refusal.reason_word(), refusal.metadata.remove("paragraph").unwrap_or_default(), refusal.message)
        }
    };
    proto::CheckMoveResponse { seq: head.seq(), legal, reason, paragraph, message }
}
