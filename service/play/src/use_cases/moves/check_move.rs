//! `CheckMove`: whether a move would be accepted, and if not, why.

use event::Seat;
use wire::v1::{self as proto, ErrorReason};

use crate::live::LiveHead;
use crate::preconditions::{check_expected, illegal, running_with_seat_to_act};
use crate::requests::{MoveInput, fields};
use crate::{Caller, Play, Refusal};

impl Play {
    /// Judges a move without making it.
    pub async fn check_move(
        &self,
        caller: &Caller,
        request: proto::CheckMoveRequest,
    ) -> Result<proto::CheckMoveResponse, Refusal> {
        let match_id = fields::match_id(&request.match_id)?;
        let input = MoveInput::of_check(request.input)?;
        let head = self.current(caller, match_id).await?;
        let seat = self.access.party(caller, &head)?.require_seat()?;
        check_expected(fields::seq(request.expected_seq), &head)?;
        match try_move(&head, seat, &input) {
            Ok(()) => Ok(response(&head, None)),
            Err(refusal) if is_about_the_move(refusal.reason) => Ok(response(&head, Some(refusal))),
            Err(refusal) => Err(refusal),
        }
    }
}

fn try_move(head: &LiveHead, seat: Seat, input: &MoveInput) -> Result<(), Refusal> {
    let state = running_with_seat_to_act(head, seat)?;
    let wanted = input.read(head.position.game())?;
    state.play(seat, &wanted).map(|_| ()).map_err(|bad| illegal(&bad))
}

/// Returns whether a refusal answers the call, because it is about the move and not about the request.
fn is_about_the_move(reason: ErrorReason) -> bool {
    matches!(
        reason,
        ErrorReason::MatchNotStarted
            | ErrorReason::MatchOver
            | ErrorReason::NotYourTurn
            | ErrorReason::IllegalMove
    )
}

fn response(head: &LiveHead, refusal: Option<Refusal>) -> proto::CheckMoveResponse {
    let legal = refusal.is_none();
    proto::CheckMoveResponse { seq: head.seq().0, legal, refusal: refusal.map(Into::into) }
}
