//! Judging a command under its match's lock.

use std::sync::Arc;
use std::time::Duration;

use event::MatchId;
use journal::{AppendError, STEPS};
use tracing::{Instrument as _, error_span};
use wire::v1::ErrorReason;

use super::{Accepted, Halt, Judgment};
use crate::Refusal;
use crate::live::{LiveHead, LiveMatch, LiveMatches};
use crate::refusal::of_append_error;

/// Maximum times that a call is judged while other replicas keep changing the match first.
const MAX_ATTEMPTS: usize = 16;

const RETRY_AFTER_CONTENTION: Duration = Duration::from_millis(50);

impl LiveMatches {
    /// Judges a command and appends its events. `judge` runs again whenever the match turns out to have newer
    /// events. A refusal, and the answer to a retry, is final only on a head that is known to be the newest.
    pub(crate) async fn change(
        &self,
        match_id: MatchId,
        judge: impl Fn(&LiveHead) -> Judgment,
    ) -> Result<Accepted, Refusal> {
        let (live, _) = self.cached(match_id).await?;
        let _lock = live.match_lock.lock().instrument(error_span!(target: STEPS, "match_lock")).await;
        let (mut head, mut newest) = self.known_head(&live).await?;
        for _ in 0..MAX_ATTEMPTS {
            match error_span!(target: STEPS, "judge").in_scope(|| judge(&head)) {
                Ok(change) => match self.append(&live, &head, *change).await {
                    Ok(accepted) => return Ok(accepted),
                    Err(error @ (AppendError::Conflict | AppendError::HistoryChanged)) => {
                        head = self.after_conflict(&live, &error).await?;
                    }
                    Err(error) => return Err(failed(&live, error)),
                },
                // Nothing may be told on a head that may be stale: its token may have been replaced since.
                Err(Halt::Repeated { first }) if newest => {
                    let (position, events) = Box::pin(self.original_response(&head, first)).await?;
                    let registration = head.registration.clone();
                    return Ok(Accepted { position, registration, events, repeated: true });
                }
                Err(Halt::Overdue(end)) => match self.append(&live, &head, *end).await {
                    Ok(_) => {
                        head = self.catch_up(&live).await?;
                        newest = true;
                    }
                    Err(error @ (AppendError::Conflict | AppendError::HistoryChanged)) => {
                        head = self.after_conflict(&live, &error).await?;
                        newest = true;
                    }
                    Err(error) => return Err(failed(&live, error)),
                },
                Err(Halt::Refused(refusal)) if newest => return Err(refusal),
                Err(Halt::Repeated { .. } | Halt::Refused(_)) => {
                    head = self.catch_up(&live).await?;
                    newest = true;
                }
            }
        }
        let message = "other calls kept changing the match first; try again";
        Err(Refusal::new(ErrorReason::Overloaded, message).retry_after(RETRY_AFTER_CONTENTION))
    }

    /// Returns the published head and whether it is known to be the newest.
    async fn known_head(&self, live: &LiveMatch) -> Result<(Arc<LiveHead>, bool), Refusal> {
        match live.head() {
            Some(head) if !live.is_stale() => Ok((head, self.journal().is_sole_writer())),
            _ => Ok((self.catch_up(live).await?, true)),
        }
    }

    /// Returns the newest head after an append met another event in its place, or before it.
    async fn after_conflict(&self, live: &LiveMatch, error: &AppendError) -> Result<Arc<LiveHead>, Refusal> {
        if *error == AppendError::HistoryChanged {
            live.invalidate();
        }
        self.catch_up(live).await
    }
}

/// Returns the refusal for a failed append. Invalidates the head if the events may have been written all the
/// same.
fn failed(live: &LiveMatch, error: AppendError) -> Refusal {
    if matches!(error, AppendError::OutcomeUnknown) {
        live.invalidate();
    }
    of_append_error(live.match_id, error)
}
