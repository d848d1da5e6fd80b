//! The matches that a caller may know of. Who may is judged on a match's head; a private match whose rules
//! version this build lacks has none, so there it is judged on the match's row in the directory.

use std::sync::Arc;

use event::MatchId;
use wire::v1::ErrorReason;

use crate::changes::{Accepted, Call, Halt, Judgment};
use crate::live::{LiveHead, LiveMatch, Origin};
use crate::{Caller, Play, Refusal};

impl Play {
    /// Returns the newest head of a match that the caller names.
    pub(crate) async fn current(&self, caller: &Caller, match_id: MatchId) -> Result<Arc<LiveHead>, Refusal> {
        Ok(self.current_live(caller, match_id).await?.1)
    }

    /// Returns a live match that the caller names, and its newest head.
    pub(crate) async fn current_live(
        &self,
        caller: &Caller,
        match_id: MatchId,
    ) -> Result<(Arc<LiveMatch>, Arc<LiveHead>), Refusal> {
        match self.matches.current_live(match_id).await {
            Ok(found) => Ok(found),
            Err(refusal) => Err(self.disclosed(caller, match_id, refusal).await),
        }
    }

    /// Judges a caller's command on a match and appends its events.
    pub(crate) async fn change(
        &self,
        call: &Call,
        judge: impl Fn(&LiveHead) -> Judgment,
    ) -> Result<Accepted, Refusal> {
        match self.judge_or_change(call, judge).await {
            Ok(accepted) => Ok(accepted),
            Err(refusal) => Err(self.disclosed(&call.caller, call.match_id, refusal).await),
        }
    }

    /// Answers retries, and refuses callers without a part in the match, before they wait for its lock.
    async fn judge_or_change(
        &self,
        call: &Call,
        judge: impl Fn(&LiveHead) -> Judgment,
    ) -> Result<Accepted, Refusal> {
        let (live, head) = self.matches.cached(call.match_id).await?;
        let origin = self.origin(&call.caller, &head);
        if origin == Origin::Other || call.is_known(&head) {
            let head = self.matches.current(call.match_id).await?;
            match judge(&head) {
                Err(Halt::Repeated { first }) => return self.matches.repeated(&head, first).await,
                Err(Halt::Refused(refusal)) => return Err(refusal),
                Ok(_) | Err(Halt::Overdue(_)) => {}
            }
        }
        let _place = live.wait_as(origin)?;
        let permit = self.change_permits.acquire()?;
        // Boxed: its future is large, and those of all calls are moved often.
        Box::pin(self.matches.change(call.match_id, Some(permit), judge)).await
    }

    /// Returns what a caller is to a match, on a head that may be stale.
    fn origin(&self, caller: &Caller, head: &LiveHead) -> Origin {
        match self.access.party(caller, head) {
            Ok(party) => match party.seat() {
                Some(seat) => Origin::Seat(seat),
                None if party.is_owner() => Origin::Owner,
                None => Origin::Other,
            },
            Err(_) => Origin::Other,
        }
    }

    /// Returns why a match is refused, for a caller to whom it is not unknown.
    async fn disclosed(&self, caller: &Caller, match_id: MatchId, refusal: Refusal) -> Refusal {
        let is_anonymous = caller.key().is_none() && caller.seat_token().is_none();
        if refusal.reason != ErrorReason::UnknownMatch || is_anonymous {
            return refusal;
        }
        // Boxed: this is rare and its future is large.
        match Box::pin(self.matches.hidden_by_rules(match_id)).await {
            Ok(Some((registration, missing))) if self.access.may_know(caller, &registration) => missing,
            Ok(_) | Err(_) => refusal,
        }
    }
}
