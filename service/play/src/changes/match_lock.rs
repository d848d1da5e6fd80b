//! Judging a command under its match's lock.

use std::sync::Arc;
use std::time::Duration;

use journal::{AppendError, STEPS};
use tokio::sync::OwnedMutexGuard;
use tracing::{Instrument as _, error_span};
use wire::v1::ErrorReason;

use super::detached::{aborted, detached};
use super::permits::ChangePermit;
use super::{Accepted, Halt, Judgment, MatchChange};
use crate::Refusal;
use crate::live::{LiveHead, LiveMatch, LiveMatches};
use crate::refusal::of_append_error;

/// Maximum times that a call is judged while other replicas keep changing the match first.
const MAX_ATTEMPTS: usize = 16;

const RETRY_AFTER_CONTENTION: Duration = Duration::from_millis(50);

/// A match whose lock is held. An append holds it until it is published, even if the caller leaves.
struct Locked {
    live: Arc<LiveMatch>,
    lock: Arc<OwnedMutexGuard<()>>,
    permit: Option<ChangePermit>,
}

/// The end of one attempt to carry a command out.
enum Attempt {
    Accepted(Accepted),
    /// Judge again on a newer head, which is known to be the newest.
    Again(Arc<LiveHead>),
}

impl LiveMatches {
    /// Judges a command and appends its events; the append holds the permit until it is done. `judge` runs
    /// again whenever the match turns out to have newer events. A refusal, and the answer to a retry, is
    /// final only on a head that is known to be the newest. If the caller leaves before an append has begun,
    /// nothing is done.
    pub(crate) async fn change(
        self: &Arc<Self>,
        live: Arc<LiveMatch>,
        permit: Option<ChangePermit>,
        judge: impl Fn(&LiveHead) -> Judgment,
    ) -> Result<Accepted, Refusal> {
        let lock = Arc::clone(&live.match_lock).lock_owned();
        let lock = Arc::new(lock.instrument(error_span!(target: STEPS, "match_lock")).await);
        let locked = Locked { live, lock, permit };
        let (mut head, mut newest) = self.known_head(&locked.live).await?;
        for _ in 0..MAX_ATTEMPTS {
            let attempt = match error_span!(target: STEPS, "judge").in_scope(|| judge(&head)) {
                Ok(change) => self.try_append(&locked, &head, *change).await?,
                Err(Halt::Overdue(end)) => match self.try_append(&locked, &head, *end).await? {
                    Attempt::Accepted(_) => Attempt::Again(self.catch_up(&locked.live).await?),
                    again @ Attempt::Again(_) => again,
                },
                // Nothing may be told on a head that may be stale: its token may have been replaced since.
                Err(Halt::Repeated { first }) if newest => {
                    drop(locked);
                    return self.repeated(&head, first).await;
                }
                Err(Halt::Refused(refusal)) if newest => return Err(refusal),
                Err(Halt::Repeated { .. } | Halt::Refused(_)) => {
                    Attempt::Again(self.catch_up(&locked.live).await?)
                }
            };
            match attempt {
                Attempt::Accepted(accepted) => return Ok(accepted),
                Attempt::Again(newer) => (head, newest) = (newer, true),
            }
        }
        let message = "other calls kept changing the match first; try again";
        Err(Refusal::new(ErrorReason::Overloaded, message).retry_after(RETRY_AFTER_CONTENTION))
    }

    /// Returns the original response to an accepted call, from a head that is known to be the newest.
    pub(crate) async fn repeated(&self, head: &LiveHead, first: journal::Head) -> Result<Accepted, Refusal> {
        let answer = Box::pin(self.original_answer(head, first)).await?;
        let registration = head.registration.clone();
        let (position, events) = (Arc::clone(&answer.position), answer.events.clone());
        Ok(Accepted { position, registration, events, repeated: true })
    }

    /// Appends a change as a task of its own, unless the match turns out to have newer events.
    async fn try_append(
        self: &Arc<Self>,
        locked: &Locked,
        head: &Arc<LiveHead>,
        change: MatchChange,
    ) -> Result<Attempt, Refusal> {
        let (matches, live, head) = (Arc::clone(self), Arc::clone(&locked.live), Arc::clone(head));
        let held = (Arc::clone(&locked.lock), locked.permit.clone());
        let append = async move {
            let appended = matches.append(&live, &head, change).await;
            // Before the lock is released: the events may have been written all the same.
            if matches!(appended, Err(AppendError::OutcomeUnknown | AppendError::HistoryChanged)) {
                live.invalidate();
            }
            appended
        };
        let match_id = locked.live.match_id;
        match detached(held, append).await.map_err(|error| aborted(match_id, &error))? {
            Ok(accepted) => Ok(Attempt::Accepted(accepted)),
            Err(AppendError::Conflict | AppendError::HistoryChanged) => {
                Ok(Attempt::Again(self.catch_up(&locked.live).await?))
            }
            Err(error) => Err(of_append_error(match_id, error)),
        }
    }

    /// Returns the published head and whether it is known to be the newest.
    async fn known_head(&self, live: &LiveMatch) -> Result<(Arc<LiveHead>, bool), Refusal> {
        match live.head() {
            Some(head) if !live.is_stale() => Ok((head, self.journal().is_sole_writer())),
            _ => Ok((self.catch_up(live).await?, true)),
        }
    }
}
