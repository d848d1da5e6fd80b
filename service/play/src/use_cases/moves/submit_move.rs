//! `SubmitMove`: from a request to a durable event and its response.

use event::SALT_BYTES;
use replay::SubmitError;
use rules::Viewer;
use wire::v1 as proto;

use crate::access::AccessControl;
use crate::changes::{Call, Judgment};
use crate::live::LiveHead;
use crate::preconditions::{illegal, running_with_seat_to_act};
use crate::refusal::of_replay_error;
use crate::requests::{MoveInput, fields, request_id_reused};
use crate::{Caller, Play, Refusal};

/// A checked request.
struct SubmitMove {
    call: Call,
    input: MoveInput,
    salt: [u8; SALT_BYTES],
}

impl Play {
    /// Makes a move for the caller's seat, or returns the original response to a retry.
    pub async fn submit_move(
        &self,
        caller: &Caller,
        request: proto::SubmitMoveRequest,
    ) -> Result<proto::SubmitMoveResponse, Refusal> {
        let mut call = self.read_call(caller, &request.match_id, request.request_id.as_deref())?;
        call.expected_seq = fields::seq(request.expected_seq);
        let submit = SubmitMove { call, input: MoveInput::of_submit(request.input)?, salt: self.secret() };
        let accepted = self.change(&submit.call, |head| submit.judge(&self.access, head)).await?;
        let submitted = accepted.events.first().and_then(|event| event.submitted());
        let (seat, submitted) = submitted.ok_or_else(request_id_reused)?;
        if accepted.repeated && submit.input.read(accepted.position.game()).ok().as_ref() != Some(submitted) {
            return Err(request_id_reused());
        }
        let audience = accepted.audience(Viewer::Seat(seat));
        Ok(proto::SubmitMoveResponse {
            events: accepted.events.iter().map(|event| audience.event(event)).collect(),
            view: Some(audience.view(&accepted.position)),
        })
    }
}

impl SubmitMove {
    fn judge(&self, access: &AccessControl, head: &LiveHead) -> Judgment {
        let seat = self.call.check_action(access, head)?;
        running_with_seat_to_act(head, seat)?;
        let wanted = self.input.read(head.position.game())?;
        let mut decision = self.call.decide(head);
        decision.submit(seat, &wanted, self.salt).map_err(|error| match error {
            SubmitError::Illegal(bad) => illegal(&bad),
            SubmitError::Replay(error) => of_replay_error(error),
        })?;
        self.call.accept(decision, head)
    }
}
