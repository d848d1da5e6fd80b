//! What a seat can do besides moving. Each call has only a match and a request id, and appends one event.

use replay::{Decision, Entry, ReplayError, acting_seat};
use rules::{Seat, Viewer};
use wire::ServiceReason;
use wire::v1::{self as proto, ErrorReason};

use crate::access::AccessControl;
use crate::changes::{Call, Judgment};
use crate::live::LiveHead;
use crate::preconditions::{match_over, running};
use crate::refusal::of_replay_error;
use crate::requests::request_id_reused;
use crate::{Play, Refusal};

/// An action of a seat besides moving.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SeatAction {
    Resign,
    OfferDraw,
    AcceptDraw,
    DeclineDraw,
    Abort,
}

impl Play {
    /// Carries out an action and returns its events and the position after them, as the seat may see them.
    pub(super) async fn act(
        &self,
        call: Call,
        action: SeatAction,
    ) -> Result<(Vec<proto::Event>, Option<proto::View>), Refusal> {
        let play = self.clone();
        self.detached(call.match_id, async move { play.carry_out(call, action).await }).await
    }

    async fn carry_out(
        &self,
        call: Call,
        action: SeatAction,
    ) -> Result<(Vec<proto::Event>, Option<proto::View>), Refusal> {
        let accepted =
            self.matches.change(call.match_id, |head| action.judge(&call, &self.access, head)).await?;
        let first = accepted.events.first().map(|event| event.entry());
        let seat = first.and_then(acting_seat).ok_or_else(request_id_reused)?;
        if accepted.repeated && first.and_then(action_of) != Some(action) {
            return Err(request_id_reused());
        }
        let viewer = Viewer::Seat(seat);
        let events = accepted.events.iter().map(|event| event.shown(viewer)).collect();
        Ok((events, Some(accepted.position.shown(viewer))))
    }
}

impl SeatAction {
    fn judge(self, call: &Call, access: &AccessControl, head: &LiveHead) -> Judgment {
        let seat = call.check_action(access, head)?;
        self.check(head, seat)?;
        let mut decision = call.decide(head);
        self.decide(&mut decision, seat).map_err(of_replay_error)?;
        call.accept(decision, head)
    }

    fn check(self, head: &LiveHead, seat: Seat) -> Result<(), Refusal> {
        let position = &head.position;
        if self == Self::Abort {
            return match position.result() {
                Some(_) => Err(match_over(head)),
                None if position.may_abort() => Ok(()),
                None => Err(too_late_to_abort()),
            };
        }
        running(head)?;
        let offered_by_other = position.draw_offered_by() == Some(seat.other());
        match self {
            Self::Resign | Self::Abort => Ok(()),
            Self::OfferDraw if position.may_offer_draw(seat) => Ok(()),
            Self::OfferDraw if offered_by_other => {
                Err(already_offered("the other seat has offered a draw; accept or decline it"))
            }
            Self::OfferDraw => Err(already_offered(
                "this seat has already offered a draw since its last move; move before offering again",
            )),
            Self::AcceptDraw | Self::DeclineDraw if offered_by_other => Ok(()),
            Self::AcceptDraw | Self::DeclineDraw => {
                let message =
                    "there is no draw offer of the other seat; it may have lapsed with that seat's move";
                Err(Refusal::new(ErrorReason::NoDrawOffer, message).with("paragraph", "G-4"))
            }
        }
    }

    fn decide(self, decision: &mut Decision, seat: Seat) -> Result<(), ReplayError> {
        match self {
            Self::Resign => decision.resign(seat),
            Self::OfferDraw => decision.offer_draw(seat),
            Self::AcceptDraw => decision.accept_draw(seat),
            Self::DeclineDraw => decision.decline_draw(seat),
            Self::Abort => decision.abort(seat),
        }
    }
}

/// Returns the action that an event came from.
fn action_of(entry: &Entry) -> Option<SeatAction> {
    match entry {
        Entry::DrawOffered(_) => Some(SeatAction::OfferDraw),
        Entry::DrawDeclined(_) => Some(SeatAction::DeclineDraw),
        Entry::MatchEnded(ended) => match ServiceReason::parse(&ended.result.as_ref()?.reason)? {
            ServiceReason::Resignation => Some(SeatAction::Resign),
            ServiceReason::Agreement => Some(SeatAction::AcceptDraw),
            ServiceReason::Aborted => Some(SeatAction::Abort),
            ServiceReason::Time | ServiceReason::Expired => None,
        },
        _ => None,
    }
}

fn too_late_to_abort() -> Refusal {
    let message = "a match can be aborted only before its first move, and in a game with chance only before \
                   it starts; resign instead";
    Refusal::new(ErrorReason::TooLateToAbort, message).with("paragraph", "G-4")
}

fn already_offered(message: &str) -> Refusal {
    Refusal::new(ErrorReason::DrawAlreadyOffered, message).with("paragraph", "G-4")
}
