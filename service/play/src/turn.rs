//! A change of a match: judged under the match's turn, appended, and only then
//! answered and published. Whoever asked may go away meanwhile; the work goes on.

use std::sync::Arc;

use journal::{Append, AppendError, DeadlineChange, MatchId};
use replay::{Ended, Position, Told};
use uuid::Uuid;
use wire::v1::ErrorReason;

use crate::{
    Play, Refusal,
    limits::JUDGE_ATTEMPTS,
    live::{Head, LiveMatch},
    stored::{self, Registration},
};

/// What judging a call on a head came to.
pub(crate) enum Verdict {
    /// The call was accepted before; its first event is this.
    Repeated { first: u32 },
    /// To be appended.
    Change(Box<Change>),
}

/// New events of a match and what comes with them.
pub(crate) struct Change {
    pub ended: Ended,
    pub request_hash: Option<[u8; 32]>,
    pub registration: Registration,
    /// The match's line in the directory changes too.
    pub listed: bool,
}

/// What a call did, now or when it was made the first time.
pub(crate) struct Outcome {
    pub position: Arc<Position>,
    pub told: Vec<Arc<Told>>,
    pub repeated: bool,
}

impl Play {
    /// Judges and carries out a change. `judge` is asked again whenever the match
    /// turns out to be further than it was judged on, and never refuses finally
    /// on a head that the journal has left behind.
    pub(crate) async fn take_turn(
        &self,
        match_id: Uuid,
        judge: impl Fn(&Head) -> Result<Verdict, Refusal>,
    ) -> Result<Outcome, Refusal> {
        let (live, _) = self.cached(match_id).await?;
        let _turn = live.turn.lock().await;
        let (mut head, mut current) = self.known_head(&live).await?;
        for _ in 0..JUDGE_ATTEMPTS {
            match judge(&head) {
                Ok(Verdict::Repeated { first }) => {
                    let (position, told) = self.answered(&head, first).await?;
                    return Ok(Outcome { position, told, repeated: true });
                }
                Ok(Verdict::Change(change)) => match self.append(&live, &head, *change).await {
                    Ok(outcome) => return Ok(outcome),
                    Err(AppendError::Conflict) => (head, _) = self.catch_up(&live).await?,
                    Err(error) => return Err(append_failed(&live, error)),
                },
                Err(refusal) if current => return Err(refusal),
                Err(_) => {
                    (head, _) = self.catch_up(&live).await?;
                    current = true;
                }
            }
        }
        let message = "other calls kept changing the match first; try again";
        Err(Refusal::new(ErrorReason::Overloaded, message).retry_after(RETRY_AFTER_RACE))
    }

    /// The published head and whether it is sure to be the newest.
    async fn known_head(&self, live: &LiveMatch) -> Result<(Arc<Head>, bool), Refusal> {
        match live.head() {
            Some(head) if !live.is_doubtful() => Ok((head, self.journal.is_sole_writer())),
            _ => Ok((self.catch_up(live).await?.0, true)),
        }
    }

    async fn append(&self, live: &LiveMatch, head: &Head, change: Change) -> Result<Outcome, AppendError> {
        let Change { ended, request_hash, registration, listed } = change;
        let row = listed.then(|| registration.row(&ended.position));
        let append = Append {
            match_id: MatchId(live.match_id),
            events: events_of(&ended, request_hash),
            after_clock: Some(head.clock),
            match_row: row,
            deadline: DeadlineChange::Keep,
        };
        let committed = self.journal.append(append).await?;

        let mut next = head.clone();
        next.position = Arc::new(ended.position);
        next.clock = committed.clock;
        next.registration = registration;
        let told: Vec<_> = ended.told.into_iter().map(Arc::new).collect();
        for (index, told) in told.iter().enumerate() {
            next.remember(Arc::clone(told), request_hash.filter(|_| index == 0));
        }
        let position = Arc::clone(&next.position);
        live.publish(Arc::new(next));
        Ok(Outcome { position, told, repeated: false })
    }
}

/// Events for the journal; the first carries the call's hash.
pub(crate) fn events_of(ended: &Ended, request_hash: Option<[u8; 32]>) -> Vec<journal::Event> {
    let numbered = ended.records.iter().enumerate();
    numbered.map(|(index, record)| stored::to_journal(record, request_hash.filter(|_| index == 0))).collect()
}

const RETRY_AFTER_RACE: std::time::Duration = std::time::Duration::from_millis(50);

/// Tells the caller what became of an append, and doubts the cache where it may
/// have been written all the same.
pub(crate) fn append_failed(live: &LiveMatch, error: AppendError) -> Refusal {
    if matches!(error, AppendError::OutcomeUnknown) {
        live.doubt();
    }
    refusal_of(live.match_id, error)
}

pub(crate) fn refusal_of(match_id: Uuid, error: AppendError) -> Refusal {
    match error {
        AppendError::Overloaded { retry_after } => {
            Refusal::new(ErrorReason::Overloaded, "too much is waiting to be written; try again")
                .retry_after(retry_after)
        }
        AppendError::OutcomeUnknown => Refusal::new(
            ErrorReason::OutcomeUnknown,
            "it is not known whether the call took effect; repeat it with the same request_id",
        ),
        AppendError::Stopped => {
            Refusal::new(ErrorReason::ShuttingDown, "the service is stopping; nothing was written")
        }
        AppendError::Conflict
        | AppendError::DuplicateCreate
        | AppendError::Refused { .. }
        | AppendError::TooLarge => {
            tracing::error!(match.id = %match_id, %error, "the journal refuses an append");
            Refusal::internal()
        }
    }
}

/// Runs a change in a task of its own: the caller may cancel its call, not the work.
pub(crate) async fn detached<T: Send + 'static>(
    match_id: Uuid,
    work: impl Future<Output = Result<T, Refusal>> + Send + 'static,
) -> Result<T, Refusal> {
    use tracing::Instrument as _;
    match tokio::spawn(work.in_current_span()).await {
        Ok(result) => result,
        Err(error) => {
            tracing::error!(match.id = %match_id, panicked = error.is_panic(), "a change of a match died");
            Err(Refusal::internal())
        }
    }
}
