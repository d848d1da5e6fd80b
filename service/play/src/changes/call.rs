//! The part of a command that is judged the same way whatever it asks for: who calls, whether the call is a
//! retry, and whether it comes in time.

use event::{MatchId, RecordTime, Seat, Seq};
use replay::Decision;
use uuid::Uuid;

use super::{Halt, Judgment, MatchChange, decide};
use crate::access::AccessControl;
use crate::live::{LiveHead, RequestKind};
use crate::preconditions::check_expected;
use crate::refusal::of_replay_error;
use crate::requests::{RequestHash, RequestScope, fields, request_id_reused};
use crate::{Caller, Play, Refusal};

/// A call on an existing match that may change it.
pub(crate) struct Call {
    pub match_id: MatchId,
    pub caller: Caller,
    /// The position that the call was made for.
    pub expected_seq: Option<Seq>,
    /// The database's time when the call arrived.
    pub arrival: RecordTime,
    request: Option<RequestHash>,
}

impl Play {
    /// Reads the common fields of a call that may change a match.
    pub(crate) fn read_call(
        &self,
        caller: &Caller,
        match_id: &str,
        request_id: Option<&str>,
    ) -> Result<Call, Refusal> {
        let arrival = self.now();
        let match_id = fields::match_id(match_id)?;
        let request_id = fields::request_id(request_id)?;
        Ok(Call::new(match_id, caller.clone(), request_id, arrival))
    }
}

impl Call {
    pub(crate) fn new(
        match_id: MatchId,
        caller: Caller,
        request_id: Option<Uuid>,
        arrival: RecordTime,
    ) -> Self {
        let request = request_id.map(|id| RequestHash::of(RequestScope::OneMatch, id));
        Self { match_id, caller, expected_seq: None, arrival, request }
    }

    /// Returns the caller's seat after the checks that precede every action of a seat, in this order: the
    /// caller holds a seat, the call is not a retry, the match's time has not run out, and the position is
    /// the expected one.
    pub(crate) fn check_action(&self, access: &AccessControl, head: &LiveHead) -> Result<Seat, Halt> {
        let seat = access.party(&self.caller, head)?.require_seat()?;
        if let Some(known) = self.request.and_then(|hash| head.known_request(seat, hash)) {
            return Err(Halt::Repeated { first: known.first });
        }
        self.check_time(head)?;
        check_expected(self.expected_seq, head)?;
        Ok(seat)
    }

    /// Halts if this call of a kind was accepted for `seat` before.
    pub(crate) fn check_repeated(&self, head: &LiveHead, seat: Seat, kind: RequestKind) -> Result<(), Halt> {
        match self.request.and_then(|hash| head.known_request(seat, hash)) {
            Some(known) if known.kind == kind => Err(Halt::Repeated { first: known.first }),
            _ => Ok(()),
        }
    }

    /// Halts if the request id was used for a claim of another seat than this one.
    pub(crate) fn check_no_other_claim(&self, head: &LiveHead, seat: Seat) -> Result<(), Halt> {
        let mut others = head.position.seats().filter(|other| *other != seat);
        let used = others.any(|other| self.check_repeated(head, other, RequestKind::Claim).is_err());
        if used { Err(request_id_reused().into()) } else { Ok(()) }
    }

    /// Returns whether the request id was used for any call on the match, as far as is remembered.
    pub(crate) fn is_known(&self, head: &LiveHead) -> bool {
        self.request.is_some_and(|hash| head.knows_request(hash))
    }

    /// Halts if the request id was used for any call on the match.
    pub(crate) fn check_unused(&self, head: &LiveHead) -> Result<(), Halt> {
        if self.is_known(head) { Err(request_id_reused().into()) } else { Ok(()) }
    }

    /// Halts if the match's time ran out before the call arrived.
    pub(crate) fn check_time(&self, head: &LiveHead) -> Result<(), Halt> {
        match end_if_overdue(head, self.arrival)? {
            Some(end) => Err(Halt::Overdue(end)),
            None => Ok(()),
        }
    }

    /// Starts the call's decision on a head.
    pub(crate) fn decide(&self, head: &LiveHead) -> Decision {
        decide(head, self.arrival)
    }

    /// Returns the change that the call's decision makes.
    pub(crate) fn change(&self, decision: Decision, head: &LiveHead) -> MatchChange {
        MatchChange::new(decision, head, self.request)
    }

    /// Returns the judgment that accepts the call with its decision.
    pub(crate) fn accept(&self, decision: Decision, head: &LiveHead) -> Judgment {
        Ok(Box::new(self.change(decision, head)))
    }
}

/// Returns the end of a match whose time has run out.
pub(crate) fn end_if_overdue(head: &LiveHead, now: RecordTime) -> Result<Option<Box<MatchChange>>, Refusal> {
    if head.position.overdue(now).is_none() {
        return Ok(None);
    }
    let mut decision = decide(head, now);
    decision.end_on_time().map_err(of_replay_error)?;
    Ok(Some(Box::new(MatchChange::new(decision, head, None))))
}
