//! `SubmitMove`: from a request to a durable event and its response.

use event::{SALT_BYTES, Seat};
use replay::SubmitError;
use rules::Viewer;
use wire::v1 as proto;

use crate::access::AccessControl;
use crate::changes::{Accepted, Call, Judgment};
use crate::live::LiveHead;
use crate::preconditions::{illegal, running_with_seat_to_act};
use crate::refusal::of_replay_error;
use crate::requests::{MoveInput, fields, request_id_reused};
use crate::{Caller, Play, Refusal, StreamKind, StreamPermit};

/// A checked request.
struct SubmitMove {
    call: Call,
    input: MoveInput,
    salt: [u8; SALT_BYTES],
}

impl Play {
    /// Returns a permit for one more stream of moves, which the caller holds while the stream is open, or
    /// refuses it as `TOO_MANY_STREAMS`.
    pub fn open_move_stream(&self) -> Result<StreamPermit, Refusal> {
        self.streams.permit(StreamKind::Moves)
    }

    /// Makes a move for the caller's seat, or returns the original response to a retry.
    pub async fn submit_move(
        &self,
        caller: &Caller,
        request: proto::SubmitMoveRequest,
    ) -> Result<proto::SubmitMoveResponse, Refusal> {
        let mut call = self.read_call(caller, &request.match_id, request.request_id.as_deref())?;
        call.expected_seq = fields::seq(request.expected_seq);
        let answer = fields::move_answer(request.answer)?;
        let submit = SubmitMove { call, input: MoveInput::of_submit(request.input)?, salt: self.secret() };
        let accepted = self.change(&submit.call, |head| submit.judge(&self.access, head)).await?;
        let submitted = accepted.events.first().and_then(|event| event.submitted());
        let (seat, submitted) = submitted.ok_or_else(request_id_reused)?;
        if accepted.repeated && submit.input.read(accepted.position.game()).ok().as_ref() != Some(submitted) {
            return Err(request_id_reused());
        }
        Ok(response(answer, &accepted, seat))
    }
}

/// Returns as much of an accepted move as its caller asked for, as the seat may see it.
fn response(answer: proto::MoveAnswer, accepted: &Accepted, seat: Seat) -> proto::SubmitMoveResponse {
    use proto::MoveAnswer as Answer;
    let audience = accepted.audience(Viewer::Seat(seat));
    let events = || accepted.events.iter().map(|event| audience.event(event)).collect();
    match answer {
        Answer::Unspecified | Answer::EventsAndView => proto::SubmitMoveResponse {
            events: events(),
            view: Some(audience.view(&accepted.position)),
            receipt: None,
        },
        Answer::Events => proto::SubmitMoveResponse { events: events(), ..Default::default() },
        Answer::Receipt => proto::SubmitMoveResponse {
            receipt: accepted
                .events
                .last()
                .map(|last| proto::MoveReceipt { seq: last.event().seq.0, hash: last.event().hash.to_vec() }),
            ..Default::default()
        },
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
