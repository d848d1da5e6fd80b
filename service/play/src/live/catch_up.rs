//! Reading what the journal has beyond the published head. In a database that
//! others write to, no answer comes from a cached head alone.

use std::sync::Arc;

use journal::{EventRange, MatchId, PageSize, STEPS, Seq, StoredEvent};
use replay::{Entry, ReplayError};
use tracing::{Instrument as _, Span, error_span};
use uuid::Uuid;
use wire::v1::ErrorReason;

use super::{Head, LiveMatch};
use crate::refusal::unknown_match;
use crate::stored::Registration;
use crate::{Play, Refusal};

/// Events read at a time when a log is folded.
pub(crate) const PAGE: u32 = 500;

impl Play {
    /// A match as the journal has it now.
    pub(crate) async fn fresh(&self, match_id: Uuid) -> Result<(Arc<LiveMatch>, Arc<Head>), Refusal> {
        let (live, head) = self.cached(match_id).await?;
        if self.journal.is_sole_writer() && !live.is_doubtful() {
            return Ok((live, head));
        }
        let newest = self.journal.head(MatchId(match_id)).await.map_err(read_failed)?;
        if newest.is_some_and(|newest| newest.0 <= head.seq()) && !live.is_doubtful() {
            return Ok((live, head));
        }
        let turn = live.turn.lock().await;
        let (head, _) = self.catch_up(&live).await?;
        drop(turn);
        Ok((live, head))
    }

    /// A match as it is published here, folded from the log if it is not live.
    pub(crate) async fn cached(&self, match_id: Uuid) -> Result<(Arc<LiveMatch>, Arc<Head>), Refusal> {
        let live = self.registry.enter(match_id);
        self.lookups.count(live.lookup());
        let head = match live.head() {
            Some(head) => head,
            // Boxed, since it is rare and large, and what a call might do is moved with every call.
            None => live.head_or_fold(Box::pin(self.fold(match_id))).await?,
        };
        // For whatever is logged of this call, a panic in the rules included.
        let call = Span::current();
        tracing::record_all!(call, match.id = %match_id, match.seq = i64::from(head.seq()));
        self.registry.keep(&live);
        Ok((live, head))
    }

    /// Publishes what the journal has and this replica has not seen. Needs the
    /// match's turn. Tells whether there was anything.
    pub(crate) async fn catch_up(&self, live: &LiveMatch) -> Result<(Arc<Head>, bool), Refusal> {
        let match_id = live.match_id;
        let known = live.head_or_fold(self.fold(match_id)).await?;
        if live.is_doubtful() {
            let doubts = live.doubts();
            let refold = self.fold(match_id).await?;
            let changed = refold.position.head_hash() != known.position.head_hash();
            let head = Arc::new(refold);
            live.publish(Arc::clone(&head));
            live.settle(doubts);
            return Ok((head, changed));
        }
        let mut head = Head::clone(&known);
        self.extend(&mut head).await?;
        if head.seq() == known.seq() {
            return Ok((known, false));
        }
        let head = Arc::new(head);
        live.publish(Arc::clone(&head));
        Ok((head, true))
    }

    /// Folds a match from its first event.
    async fn fold(&self, match_id: Uuid) -> Result<Head, Refusal> {
        self.folded(match_id).instrument(error_span!(target: STEPS, "fold")).await
    }

    async fn folded(&self, match_id: Uuid) -> Result<Head, Refusal> {
        let row = self.journal.match_row(MatchId(match_id)).await.map_err(read_failed)?;
        let registration = Registration::of_row(&row.ok_or_else(unknown_match)?);
        let first = self.journal.events(MatchId(match_id), Seq(0), PageSize(1)).await.map_err(read_failed)?;
        let first = first.first().ok_or_else(unknown_match)?;
        let mut head = Head::begin(MatchId(match_id), first, registration).map_err(broken_log)?;
        self.extend(&mut head).await?;
        Ok(head)
    }

    async fn extend(&self, head: &mut Head) -> Result<(), Refusal> {
        let match_id = head.position.match_id().0;
        let mut seats_changed = false;
        loop {
            let events = self.events_after(match_id, head.seq(), PAGE).await?;
            if events.is_empty() {
                break;
            }
            for event in &events {
                let told = head.apply(event).map_err(broken_log)?;
                seats_changed |= matches!(told.entry(), Entry::SeatClaimed(_) | Entry::SeatTokenRotated(_));
            }
        }
        if seats_changed {
            let row = self.journal.match_row(MatchId(match_id)).await.map_err(read_failed)?;
            head.registration = Registration::of_row(&row.ok_or_else(unknown_match)?);
        }
        Ok(())
    }

    /// At most `count` events of a match after event `seq`.
    pub(crate) async fn events_after(
        &self,
        match_id: Uuid,
        seq: u32,
        count: u32,
    ) -> Result<Vec<StoredEvent>, Refusal> {
        self.journal.events(MatchId(match_id), Seq(seq), PageSize(count)).await.map_err(read_failed)
    }

    /// At most `count` events of a match after event `seq` and up to `last`, which the head has reached. To show, not to
    /// decide by: they may come from a read database.
    pub(crate) async fn past_events(
        &self,
        match_id: Uuid,
        seq: u32,
        last: u32,
        count: u32,
    ) -> Result<Vec<StoredEvent>, Refusal> {
        let range = EventRange { after: Seq(seq), last: Seq(last) };
        let read = self.journal.past_events(MatchId(match_id), range, PageSize(count));
        read.await.map_err(read_failed)
    }
}

/// The database could not be read.
pub(crate) fn read_failed(error: journal::ReadError) -> Refusal {
    tracing::error!(%error, "the journal can't be read");
    match error {
        journal::ReadError::Unavailable { .. } => {
            Refusal::new(ErrorReason::Overloaded, "the database can't be reached now; try again")
                .retry_after(std::time::Duration::from_secs(1))
        }
        journal::ReadError::Corrupt { .. } => Refusal::internal(),
    }
}

/// A stored log does not replay: never guess, never drift.
pub(crate) fn broken_log(error: ReplayError) -> Refusal {
    tracing::error!(match.id = %error.match_id, match.seq = error.seq.0, fault = %error.fault, "a log does not replay");
    Refusal::internal()
}
