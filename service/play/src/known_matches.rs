//! The matches that a caller may know of. Who may is judged on a match's head; a private match whose rules
//! version this build lacks has none, so there it is judged on the match's row in the directory.

use std::sync::Arc;

use event::MatchId;
use wire::v1::ErrorReason;

use crate::changes::{Accepted, Call, Judgment};
use crate::live::{LiveHead, LiveMatch};
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
        match self.matches.change(call.match_id, judge).await {
            Ok(accepted) => Ok(accepted),
            Err(refusal) => Err(self.disclosed(&call.caller, call.match_id, refusal).await),
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
