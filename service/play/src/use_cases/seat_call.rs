//! Calls of a seat beside its moves: they have nothing but a match and an id, and each makes one event.

use journal::RecordedTime;
use replay::{Draft, Entry, ReplayError};
use rules::{Seat, Viewer};
use uuid::Uuid;
use wire::ServiceReason;
use wire::v1::{self as proto, ErrorReason};

use super::{Scope, request_hash, request_id_reused};
use crate::live::{Head, catch_up};
use crate::turn::{Change, Verdict};
use crate::{Caller, KeyRing, Play, Refusal, access, fields, judge};

/// What a seat can do beside moving.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    Resign,
    OfferDraw,
    AcceptDraw,
    DeclineDraw,
    Abort,
}

/// A checked request.
struct SeatCall {
    match_id: Uuid,
    caller: Caller,
    request_hash: Option<[u8; 32]>,
    act: Act,
    arrival: i64,
}

/// What it came to, as the seat may see it.
pub(super) struct Acted {
    pub events: Vec<proto::Event>,
    pub view: Option<proto::View>,
}

impl Play {
    pub(super) async fn act(
        &self,
        caller: &Caller,
        match_id: &str,
        request_id: Option<&str>,
        act: Act,
    ) -> Result<Acted, Refusal> {
        let call = SeatCall {
            match_id: fields::match_id(match_id)?,
            caller: caller.clone(),
            request_hash: fields::request_id(request_id)?.map(|id| request_hash(Scope::OneMatch, id)),
            act,
            arrival: self.now(),
        };
        let play = self.clone();
        self.detached(call.match_id, async move { play.carry_out(call).await }).await
    }

    async fn carry_out(&self, call: SeatCall) -> Result<Acted, Refusal> {
        let outcome = self.take_turn(call.match_id, |head| call.judge(&self.keys, head)).await?;
        let first = outcome.told.first().map(|told| told.entry());
        let seat = first.and_then(Entry::seat).ok_or_else(request_id_reused)?;
        if outcome.repeated && first.and_then(act_of) != Some(call.act) {
            return Err(request_id_reused());
        }
        let viewer = Viewer::Seat(seat);
        Ok(Acted {
            events: outcome.told.iter().map(|told| told.shown(viewer)).collect(),
            view: Some(outcome.position.shown(viewer)),
        })
    }
}

impl SeatCall {
    fn judge(&self, keys: &KeyRing, head: &Head) -> Result<Verdict, Refusal> {
        let seat = access::party(keys, &self.caller, head)?.own_seat()?;
        if let Some(first) = self.request_hash.and_then(|hash| head.known_request(seat, &hash)) {
            return Ok(Verdict::Repeated { first });
        }
        if let Some(end) = judge::end_on_time(head, self.arrival)? {
            return Ok(end);
        }
        self.act.check(head, seat)?;
        let mut draft = Draft::after(&head.position, RecordedTime(self.arrival));
        self.act.draft(&mut draft, seat).map_err(catch_up::broken_log)?;
        Ok(Verdict::Change(Box::new(Change::of(draft, head, self.request_hash))))
    }
}

impl Act {
    fn check(self, head: &Head, seat: Seat) -> Result<(), Refusal> {
        let position = &head.position;
        if self == Self::Abort {
            return match position.result() {
                Some(_) => Err(judge::match_over(head)),
                None if position.may_abort() => Ok(()),
                None => Err(too_late_to_abort()),
            };
        }
        judge::running(head)?;
        match self {
            Self::Resign | Self::Abort => Ok(()),
            Self::OfferDraw if position.may_offer_draw(seat) => Ok(()),
            Self::OfferDraw if position.draw_offered_by() == Some(seat.other()) => {
                Err(already_offered("the other seat has offered a draw: accept it or decline it"))
            }
            Self::OfferDraw => Err(already_offered("a seat can offer a draw once between its own moves")),
            Self::AcceptDraw | Self::DeclineDraw if position.draw_offered_by() == Some(seat.other()) => {
                Ok(())
            }
            Self::AcceptDraw | Self::DeclineDraw => {
                let message = "no offer of a draw by the other seat stands";
                Err(Refusal::new(ErrorReason::NoDrawOffer, message).with("paragraph", "G-4"))
            }
        }
    }

    fn draft(self, draft: &mut Draft, seat: Seat) -> Result<(), ReplayError> {
        match self {
            Self::Resign => draft.resign(seat),
            Self::OfferDraw => draft.offer_draw(seat),
            Self::AcceptDraw => draft.accept_draw(seat),
            Self::DeclineDraw => draft.decline_draw(seat),
            Self::Abort => draft.abort(seat),
        }
    }
}

/// The call that an event came from.
fn act_of(entry: &Entry) -> Option<Act> {
    match entry {
        Entry::DrawOffered(_) => Some(Act::OfferDraw),
        Entry::DrawDeclined(_) => Some(Act::DeclineDraw),
        Entry::MatchEnded(ended) => match ServiceReason::parse(&ended.result.as_ref()?.reason)? {
            ServiceReason::Resignation => Some(Act::Resign),
            ServiceReason::Agreement => Some(Act::AcceptDraw),
            ServiceReason::Aborted => Some(Act::Abort),
            ServiceReason::Time | ServiceReason::Expired => None,
        },
        _ => None,
    }
}

fn too_late_to_abort() -> Refusal {
    let message = "a match can be called off only before any move, and one with chance only before it starts; \
                   resign instead";
    Refusal::new(ErrorReason::TooLateToAbort, message).with("paragraph", "G-4")
}

fn already_offered(message: &str) -> Refusal {
    Refusal::new(ErrorReason::DrawAlreadyOffered, message).with("paragraph", "G-4")
}
