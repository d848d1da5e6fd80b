//! What a seat can do besides moving. Each call has only a match and a request id, and appends one event.

use event::Seat;
use replay::{
    Decision, Entry, MAX_TAKEBACKS, NoTakeback, Position, ProposalKind, ReplayError, TAKEBACK_MOVES,
    acting_seat,
};
use rules::Viewer;
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
    Propose(ProposalKind),
    Answer(ProposalKind, Answer),
    Abort,
}

/// An answer to a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Accept,
    Decline,
}

impl Play {
    /// Carries out an action and returns its events and the position after them, as the seat may see them.
    pub(super) async fn act(
        &self,
        call: Call,
        action: SeatAction,
    ) -> Result<(Vec<proto::Event>, Option<proto::View>), Refusal> {
        let accepted = self.change(&call, |head| action.judge(&call, &self.access, head)).await?;
        let first = accepted.events.first().map(|event| event.entry());
        let seat = first.and_then(acting_seat).ok_or_else(request_id_reused)?;
        if accepted.repeated && first.and_then(action_of) != Some(action) {
            return Err(request_id_reused());
        }
        let audience = accepted.audience(Viewer::Seat(seat));
        let events = accepted.events.iter().map(|event| audience.event(event)).collect();
        Ok((events, Some(audience.view(&accepted.position))))
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
        match self {
            Self::Resign | Self::Abort => Ok(()),
            Self::Propose(kind) => check_may_propose(position, seat, kind),
            Self::Answer(kind, _) if position.may_answer(kind, seat) => Ok(()),
            Self::Answer(kind, _) => Err(no_proposal(kind)),
        }
    }

    fn decide(self, decision: &mut Decision, seat: Seat) -> Result<(), ReplayError> {
        match self {
            Self::Resign => decision.resign(seat),
            Self::Propose(kind) => decision.propose(seat, kind),
            Self::Answer(kind, Answer::Accept) => decision.accept(seat, kind),
            Self::Answer(kind, Answer::Decline) => decision.decline(seat, kind),
            Self::Abort => decision.abort(seat),
        }
    }
}

/// Returns the action that an event came from.
fn action_of(entry: &Entry) -> Option<SeatAction> {
    match entry {
        Entry::ProposalMade(made) => ProposalKind::from_log(made.kind).map(SeatAction::Propose),
        Entry::ProposalAnswered(answered) => {
            let answer = if answered.accepted { Answer::Accept } else { Answer::Decline };
            Some(SeatAction::Answer(ProposalKind::from_log(answered.kind)?, answer))
        }
        Entry::MatchEnded(ended) => match ServiceReason::parse(&ended.result.as_ref()?.reason)? {
            ServiceReason::Resignation => Some(SeatAction::Resign),
            ServiceReason::Agreement => Some(SeatAction::Answer(ProposalKind::Draw, Answer::Accept)),
            ServiceReason::Aborted => Some(SeatAction::Abort),
            ServiceReason::Time | ServiceReason::Expired => None,
        },
        Entry::MatchCreated(_)
        | Entry::MatchForked(_)
        | Entry::SeatClaimed(_)
        | Entry::SeatTokenRotated(_)
        | Entry::MatchStarted(_)
        | Entry::MoveMade(_)
        | Entry::MoveSealed(_)
        | Entry::TurnRevealed(_) => None,
    }
}

fn too_late_to_abort() -> Refusal {
    let message = "a match can be aborted only before its first move, and in a game with chance only before \
                   it starts; resign instead";
    Refusal::new(ErrorReason::TooLateToAbort, message).with("paragraph", "G-4")
}

/// Refuses a takeback that is not possible, and a proposal of a kind that is open already or that the seat
/// has made since its last move.
fn check_may_propose(position: &Position, seat: Seat, kind: ProposalKind) -> Result<(), Refusal> {
    if kind == ProposalKind::Takeback {
        position.check_takeback(seat).map_err(no_takeback)?;
    }
    if position.may_propose(kind, seat) {
        return Ok(());
    }
    let what = in_words(kind);
    let message = if position.may_answer(kind, seat) {
        format!("the other seat has proposed {what}; accept or decline it")
    } else {
        format!("this seat has already proposed {what} since its last move; move before proposing again")
    };
    Err(Refusal::new(ErrorReason::AlreadyProposed, message).with("paragraph", paragraph(kind)))
}

fn no_proposal(kind: ProposalKind) -> Refusal {
    let what = in_words(kind);
    let message = format!("the other seat is not proposing {what}; a proposal lapses when its seat moves");
    Refusal::new(ErrorReason::NoProposal, message).with("paragraph", paragraph(kind))
}

/// Returns the paragraph on proposals of a kind.
const fn paragraph(kind: ProposalKind) -> &'static str {
    match kind {
        ProposalKind::Draw => "G-4",
        ProposalKind::Takeback => "G-10",
    }
}

/// What a seat can do that may not take back a move.
const FORK: &str = "; to try another move, fork the match";

fn no_takeback(why: NoTakeback) -> Refusal {
    let forbidden = ErrorReason::TakebackForbidden;
    let (reason, message) = match why {
        NoTakeback::Game => {
            (forbidden, "no move of this game can be taken back: it has secrets or chance".to_owned())
        }
        NoTakeback::Terms => (forbidden, format!("the match was created without takebacks{FORK}")),
        NoTakeback::TooMany => {
            (forbidden, format!("the match has had {MAX_TAKEBACKS} takebacks, the most it may{FORK}"))
        }
        NoTakeback::NoMove => {
            let message = format!("none of the newest {TAKEBACK_MOVES} moves in effect is this seat's{FORK}");
            (ErrorReason::NothingToTakeBack, message)
        }
    };
    Refusal::new(reason, message).with("paragraph", paragraph(ProposalKind::Takeback))
}

fn in_words(kind: ProposalKind) -> &'static str {
    match kind {
        ProposalKind::Draw => "a draw",
        ProposalKind::Takeback => "a takeback",
    }
}
