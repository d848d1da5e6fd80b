//! `SubmitMove`: the way of a move from a request to a durable event and its answer.

use event::SALT_BYTES;
use journal::RecordedTime;
use replay::{Draft, Unmade};
use uuid::Uuid;
use wire::v1 as proto;

use super::{Scope, request_hash, request_id_reused};
use crate::fields::{self, Input};
use crate::live::{Head, catch_up};
use crate::turn::{Change, Verdict};
use crate::{Caller, KeyRing, Play, Refusal, access, judge};

/// A checked request.
struct Submit {
    match_id: Uuid,
    caller: Caller,
    input: Input,
    request_hash: Option<[u8; 32]>,
    expected_seq: Option<u32>,
    /// When the call came, by the database's clock.
    arrival: i64,
    salt: [u8; SALT_BYTES],
}

impl Play {
    /// Makes a move for the token's seat, or tells again what the same call did
    /// before.
    pub async fn submit_move(
        &self,
        caller: &Caller,
        request: proto::SubmitMoveRequest,
    ) -> Result<proto::SubmitMoveResponse, Refusal> {
        let arrival = self.now();
        let submit = Submit {
            match_id: fields::match_id(&request.match_id)?,
            caller: caller.clone(),
            input: Input::of_submit(request.input)?,
            request_hash: fields::request_id(request.request_id.as_deref())?
                .map(|id| request_hash(Scope::OneMatch, id)),
            expected_seq: request.expected_seq,
            arrival,
            salt: self.secret(),
        };
        let play = self.clone();
        self.detached(submit.match_id, async move { play.submit(submit).await }).await
    }

    async fn submit(&self, submit: Submit) -> Result<proto::SubmitMoveResponse, Refusal> {
        let outcome = self.take_turn(submit.match_id, |head| submit.judge(&self.keys, head)).await?;
        let made = outcome.told.first().and_then(|told| told.submitted());
        let (seat, made) = made.ok_or_else(request_id_reused)?;
        if outcome.repeated && submit.input.read(outcome.position.game()).ok().as_ref() != Some(made) {
            return Err(request_id_reused());
        }
        let viewer = rules::Viewer::Seat(seat);
        Ok(proto::SubmitMoveResponse {
            events: outcome.told.iter().map(|told| told.shown(viewer)).collect(),
            view: Some(outcome.position.shown(viewer)),
        })
    }
}

impl Submit {
    fn judge(&self, keys: &KeyRing, head: &Head) -> Result<Verdict, Refusal> {
        let seat = access::party(keys, &self.caller, head)?.own_seat()?;
        if let Some(first) = self.request_hash.and_then(|hash| head.known_request(seat, &hash)) {
            return Ok(Verdict::Repeated { first });
        }
        if let Some(end) = judge::end_on_time(head, self.arrival)? {
            return Ok(end);
        }
        judge::check_expected(self.expected_seq, head)?;
        let state = judge::running(head)?;
        judge::check_to_act(state, seat)?;
        let made = self.input.read(head.position.game())?;
        let mut draft = Draft::after(&head.position, RecordedTime(self.arrival));
        draft.submit(seat, &made, self.salt).map_err(|unmade| match unmade {
            Unmade::Illegal(illegal) => judge::illegal(&illegal),
            Unmade::Replay(error) => catch_up::broken_log(error),
        })?;
        Ok(Verdict::Change(Box::new(Change::of(draft, head, self.request_hash))))
    }
}
