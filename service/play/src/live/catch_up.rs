//! Catching up with the journal. If others write to the database, no answer relies on a cached head alone.

use std::sync::Arc;

use event::{MatchId, Seq};
use journal::{MatchRow, PageSize, STEPS, Visibility};
use replay::{Entry, Fault, ReplayError};
use tracing::{Instrument as _, Span, error_span};

use super::fold_permits::EVENTS_BEFORE_YIELD;
use super::{LiveHead, LiveMatch, LiveMatches};
use crate::Refusal;
use crate::refusal::{of_read_error, of_replay_error, unknown_match};
use crate::registration::Registration;

/// Events read at a time while a log is folded.
pub(crate) const FOLD_PAGE: PageSize = PageSize(500);

impl LiveMatches {
    /// Returns the newest head of a match.
    pub(crate) async fn current(&self, match_id: MatchId) -> Result<Arc<LiveHead>, Refusal> {
        Ok(self.current_live(match_id).await?.1)
    }

    /// Returns a live match and its newest head, after asking the journal for newer events if others can
    /// write them.
    pub(crate) async fn current_live(
        &self,
        match_id: MatchId,
    ) -> Result<(Arc<LiveMatch>, Arc<LiveHead>), Refusal> {
        let (live, head) = self.cached(match_id).await?;
        if self.journal.is_sole_writer() && !live.is_stale() {
            return Ok((live, head));
        }
        let newest = self.journal.head(match_id).await.map_err(of_read_error)?;
        if newest.is_some_and(|newest| newest <= head.seq()) && !live.is_stale() {
            return Ok((live, head));
        }
        let lock = live.match_lock.lock().await;
        let head = self.catch_up(&live).await?;
        drop(lock);
        Ok((live, head))
    }

    /// Returns a live match and its published head, which may be behind the journal. Folds the log if the
    /// match is not live.
    pub(crate) async fn cached(&self, match_id: MatchId) -> Result<(Arc<LiveMatch>, Arc<LiveHead>), Refusal> {
        let live = self.registry.get_or_insert(match_id);
        self.lookups.count(live.lookup());
        let head = match live.head() {
            Some(head) => head,
            // Boxed: folding is rare and its future is large, while the futures of all calls are moved often.
            None => live.head_or_fold(Box::pin(self.fold(match_id))).await?,
        };
        // For every log line of this call, including that of a panic in the rules.
        let call = Span::current();
        tracing::record_all!(call, match.id = %match_id, match.seq = i64::from(head.seq().0));
        self.registry.cache(&live);
        Ok((live, head))
    }

    /// Makes a match that was just created live.
    pub(crate) async fn insert(&self, head: LiveHead) -> Result<(), Refusal> {
        let live = self.registry.get_or_insert(head.match_id());
        live.head_or_fold(async { Ok::<_, Refusal>(head) }).await?;
        self.registry.cache(&live);
        Ok(())
    }

    /// Reads and publishes the events that the journal has beyond the published head. The caller must hold
    /// the match lock.
    pub(crate) async fn catch_up(&self, live: &LiveMatch) -> Result<Arc<LiveHead>, Refusal> {
        // Boxed: most calls need no catching up, so its large future must not be part of theirs.
        Box::pin(self.read_and_publish(live)).await
    }

    async fn read_and_publish(&self, live: &LiveMatch) -> Result<Arc<LiveHead>, Refusal> {
        let match_id = live.match_id;
        let known = live.head_or_fold(self.fold(match_id)).await?;
        if live.is_stale() {
            let invalidations = live.invalidations();
            let head = Arc::new(self.fold(match_id).await?);
            live.publish(Arc::clone(&head));
            live.resolve(invalidations);
            return Ok(head);
        }
        let mut head = LiveHead::clone(&known);
        self.extend(&mut head).await?;
        if head.seq() == known.seq() {
            return Ok(known);
        }
        let head = Arc::new(head);
        live.publish(Arc::clone(&head));
        Ok(head)
    }

    /// Folds a match from its first event.
    async fn fold(&self, match_id: MatchId) -> Result<LiveHead, Refusal> {
        let fold = async {
            let row = self.row(match_id).await?;
            let registration = Registration::of_row(&row);
            let first = self.events_after(match_id, Seq(0), PageSize(1)).await?;
            let first = first.first().ok_or_else(unknown_match)?;
            let mut head = LiveHead::start(self.games, match_id, first, registration, self.new_checkpoints())
                .map_err(|error| cannot_start(error, row.visibility))?;
            self.extend(&mut head).await?;
            Ok(head)
        };
        fold.instrument(error_span!(target: STEPS, "fold")).await
    }

    /// Applies all events after a head.
    async fn extend(&self, head: &mut LiveHead) -> Result<(), Refusal> {
        let match_id = head.match_id();
        let mut tokens_changed = false;
        loop {
            let events = self.events_after(match_id, head.seq(), FOLD_PAGE).await?;
            if events.is_empty() {
                break;
            }
            let _permit = self.fold_permits.for_head(events.len()).await;
            for (count, event) in events.iter().enumerate() {
                if count % EVENTS_BEFORE_YIELD == EVENTS_BEFORE_YIELD - 1 {
                    tokio::task::yield_now().await;
                }
                let applied = head.apply(event).map_err(of_replay_error)?;
                tokens_changed |=
                    matches!(applied.entry(), Entry::SeatClaimed(_) | Entry::SeatTokenRotated(_));
            }
        }
        if tokens_changed {
            head.registration = self.registration(match_id).await?;
        }
        Ok(())
    }

    async fn registration(&self, match_id: MatchId) -> Result<Registration, Refusal> {
        Ok(Registration::of_row(&self.row(match_id).await?))
    }

    async fn row(&self, match_id: MatchId) -> Result<MatchRow, Refusal> {
        self.journal.match_row(match_id).await.map_err(of_read_error)?.ok_or_else(unknown_match)
    }
}

/// Returns the refusal of a match whose first event this build cannot apply.
fn cannot_start(error: ReplayError, visibility: Visibility) -> Refusal {
    match (&error.fault, visibility) {
        // Who may know of the match is judged on its head, which this build cannot fold.
        (Fault::UnknownRules { .. }, Visibility::Private) => unknown_match(),
        _ => of_replay_error(error),
    }
}
