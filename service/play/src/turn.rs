//! A change of a match: judged under the match's turn, appended, and only then
//! answered and published. Whoever asked may go away meanwhile; the work goes on.

use std::sync::Arc;
use std::time::Duration;

use journal::{Append, AppendError, DeadlineChange, MatchId, NewEvent, STEPS};
use replay::{Draft, Ended, Entry, Phase, Position, Told};
use rules::Seat;
use tokio::task::JoinHandle;
use tracing::{Instrument as _, error_span};
use uuid::Uuid;
use wire::v1::ErrorReason;

use crate::limits::JUDGE_ATTEMPTS;
use crate::live::{Head, LiveMatch};
use crate::stored::{IssuedToken, Registration};
use crate::{Play, Refusal};

/// What judging a call on a head came to.
pub(crate) enum Verdict {
    /// The call was accepted before; its first event is this.
    Repeated { first: u32 },
    /// To be appended.
    Change(Box<Change>),
    /// To be appended before the call is judged again: the end that had come when the call did.
    Overdue(Box<Change>),
}

/// New events of a match and what comes with them.
pub(crate) struct Change {
    pub ended: Ended,
    pub request_hash: Option<[u8; 32]>,
    pub registration: Registration,
    /// The match's line in the directory changes too.
    pub listed: bool,
}

impl Change {
    /// A draft of a call on a match, with the call's hash. The directory's line changes where the match does more than
    /// go on.
    pub(crate) fn of(draft: Draft, head: &Head, request_hash: Option<[u8; 32]>) -> Self {
        let ended = draft.finish();
        Self {
            listed: ended.position.result().is_some(),
            ended,
            request_hash,
            registration: head.registration.clone(),
        }
    }

    /// The same with a seat's new token, which the directory keeps the hash of.
    pub(crate) fn issuing(mut self, seat: Seat, token: IssuedToken) -> Self {
        self.registration.tokens[seat] = token;
        self.listed = true;
        self
    }
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
        let _turn = live.turn.lock().instrument(error_span!(target: STEPS, "turn")).await;
        let (mut head, mut current) = self.known_head(&live).await?;
        for _ in 0..JUDGE_ATTEMPTS {
            match error_span!(target: STEPS, "judge").in_scope(|| judge(&head)) {
                Ok(Verdict::Repeated { first }) => {
                    let (position, told) = Box::pin(self.answered(&head, first)).await?;
                    return Ok(Outcome { position, told, repeated: true });
                }
                Ok(Verdict::Change(change)) => match self.append(&live, &head, *change).await {
                    Ok(outcome) => return Ok(outcome),
                    Err(AppendError::Conflict) => {
                        let (newest, news) = self.caught_up(&live).await?;
                        if !news {
                            // Not overtaken, so what we stand on is gone: fold what there is.
                            live.doubt();
                        }
                        head = newest;
                    }
                    Err(error) => return Err(append_failed(&live, error)),
                },
                Ok(Verdict::Overdue(end)) => {
                    let appended = self.append(&live, &head, *end).await;
                    match appended {
                        Ok(_) | Err(AppendError::Conflict) => (head, _) = self.caught_up(&live).await?,
                        Err(error) => return Err(append_failed(&live, error)),
                    }
                    current = true;
                }
                Err(refusal) if current => return Err(refusal),
                Err(_) => {
                    (head, _) = self.caught_up(&live).await?;
                    current = true;
                }
            }
        }
        let message = "other calls kept changing the match first; try again";
        Err(Refusal::new(ErrorReason::Overloaded, message).retry_after(RETRY_AFTER_RACE))
    }

    /// `catch_up` for turns: most need none, so its future is boxed instead of being a part of every turn's.
    async fn caught_up(&self, live: &LiveMatch) -> Result<(Arc<Head>, bool), Refusal> {
        Box::pin(self.catch_up(live)).await
    }

    /// The published head and whether it is sure to be the newest.
    async fn known_head(&self, live: &LiveMatch) -> Result<(Arc<Head>, bool), Refusal> {
        match live.head() {
            Some(head) if !live.is_doubtful() => Ok((head, self.journal.is_sole_writer())),
            _ => Ok((self.caught_up(live).await?.0, true)),
        }
    }

    async fn append(&self, live: &LiveMatch, head: &Head, change: Change) -> Result<Outcome, AppendError> {
        let Change { ended, request_hash, registration, listed } = change;
        let row = listed.then(|| registration.row(&ended.position));
        let append = Append {
            match_id: MatchId(live.match_id),
            events: events_of(&ended, request_hash),
            after_hlc: Some(head.hlc),
            match_row: row,
            deadline: deadline_change(&head.position, &ended.position),
        };
        let committed = self.journal.append(append).await?;

        let mut next = head.clone();
        next.position = Arc::new(ended.position);
        next.hlc = committed.hlc;
        next.registration = registration;
        let told: Vec<_> = ended.told.into_iter().map(Arc::new).collect();
        for told in &told {
            next.remember(Arc::clone(told), request_hash.filter(|_| carries_request(told.entry())));
        }
        let position = Arc::clone(&next.position);
        live.publish(Arc::new(next));
        Ok(Outcome { position, told, repeated: false })
    }
}

/// What a change of a match does to its deadline: the end of a seat's time, or before the start the end of patience.
fn deadline_change(before: &Position, after: &Position) -> DeadlineChange {
    let was_open = matches!(before.phase(), Phase::Open);
    match (after.phase(), after.next_due()) {
        (Phase::Running(_), Some(due)) => DeadlineChange::Set { seq: after.seq(), due },
        (Phase::Running(_), None) if was_open => DeadlineChange::Clear,
        (Phase::Over(_), _) if was_open || before.timing().is_some() => DeadlineChange::Clear,
        (Phase::Open | Phase::Running(_) | Phase::Over(_), _) => DeadlineChange::Keep,
    }
}

/// Events for the journal, with the call's hash on those that the call is known by.
pub(crate) fn events_of(ended: &Ended, request_hash: Option<[u8; 32]>) -> Vec<NewEvent> {
    let both = ended.events.iter().zip(&ended.told);
    both.map(|(event, told)| NewEvent {
        event: event.clone(),
        request_hash: request_hash.filter(|_| carries_request(told.entry())),
    })
    .collect()
}

/// Whether a call is known by such an event. A create with a claim is known by
/// both its events; what follows from a move by itself is not the call.
pub(crate) fn carries_request(entry: &Entry) -> bool {
    match entry {
        Entry::MatchCreated(_)
        | Entry::MatchForked(_)
        | Entry::SeatClaimed(_)
        | Entry::SeatTokenRotated(_)
        | Entry::MoveMade(_)
        | Entry::MoveSealed(_)
        | Entry::DrawOffered(_)
        | Entry::DrawDeclined(_) => true,
        Entry::MatchStarted(_) | Entry::TurnRevealed(_) => false,
        Entry::MatchEnded(_) => entry.seat().is_some(),
    }
}

const RETRY_AFTER_RACE: Duration = Duration::from_millis(50);
const RETRY_AFTER_CROWD: Duration = Duration::from_millis(250);

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
        AppendError::Stopped => Refusal::stopping("the service is stopping; nothing was written"),
        AppendError::Conflict
        | AppendError::DuplicateCreate
        | AppendError::Refused { .. }
        | AppendError::TooLarge => {
            tracing::error!(match.id = %match_id, %error, "the journal refuses an append");
            Refusal::internal()
        }
    }
}

impl Play {
    /// Runs a change in a task of its own: the caller may cancel its call, not the
    /// work. So it is the work that is counted, and not the calls that wait for it.
    pub(crate) fn detached<T: Send + 'static>(
        &self,
        match_id: Uuid,
        work: impl Future<Output = Result<T, Refusal>> + Send + 'static,
    ) -> impl Future<Output = Result<T, Refusal>> {
        let started = self.start_change(work);
        async move {
            match started?.await {
                Ok(result) => result.map(|done| *done),
                Err(error) => {
                    let head = self.registry.find(match_id).and_then(|live| live.head());
                    let seq = head.map(|head| head.seq());
                    tracing::error!(match.id = %match_id, match.seq = seq, panicked = error.is_panic(), "a change died");
                    Err(Refusal::internal())
                }
            }
        }
    }

    fn start_change<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Refusal>> + Send + 'static,
    ) -> Result<JoinHandle<Result<Box<T>, Refusal>>, Refusal> {
        let place = Arc::clone(&self.changes).try_acquire_owned().map_err(|_| {
            Refusal::new(ErrorReason::Overloaded, "as many changes are under way as this service takes")
                .retry_after(RETRY_AFTER_CROWD)
        })?;
        // Work and answer are kilobytes, and the runtime moves what it is given several times: boxed, they stay put.
        let work = Box::pin(work);
        let counted = async move {
            let _place = place;
            work.await.map(Box::new)
        };
        Ok(tokio::spawn(counted.in_current_span()))
    }
}
