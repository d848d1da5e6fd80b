//! Catching up with the journal. If others write to the database, no answer relies on a cached head alone.

use std::sync::Arc;
use std::time::Duration;

use event::{MatchId, Seq};
use journal::{MatchRow, PageSize, STEPS};
use replay::Entry;
use tracing::{Instrument as _, Span, error_span};
use wire::v1::ErrorReason;

use super::fold_pool::Work;
use super::{LiveHead, LiveMatch, LiveMatches};
use crate::refusal::{of_read_error, of_replay_error, unknown_match};
use crate::registration::Registration;
use crate::{Refusal, ShareHolder};

/// Events read at a time while a log is folded.
pub(crate) const FOLD_PAGE: PageSize = PageSize(500);

const RETRY_AFTER_REPLACEMENT: Duration = Duration::from_millis(250);

/// Whether a head could be extended by the events in the database.
#[derive(PartialEq, Eq)]
enum Extension {
    /// By all that follow it.
    Complete,
    /// The database lacks the head's newest event or has another one.
    OtherHistory,
}

impl LiveMatches {
    /// Returns the live match of an id. It may not be folded yet, and the journal may have no such match.
    pub(crate) fn live(&self, match_id: MatchId) -> Arc<LiveMatch> {
        self.registry.get_or_insert(match_id)
    }

    /// Returns the newest head of a match.
    pub(crate) async fn current(
        &self,
        match_id: MatchId,
        holder: Option<ShareHolder>,
    ) -> Result<Arc<LiveHead>, Refusal> {
        let (live, head) = self.cached(match_id, holder).await?;
        self.newest(&live, head, holder).await
    }

    /// Returns the newest head of a live match whose published head is `head`, after asking the journal for
    /// newer events if others can write them.
    pub(crate) async fn newest(
        &self,
        live: &LiveMatch,
        head: Arc<LiveHead>,
        holder: Option<ShareHolder>,
    ) -> Result<Arc<LiveHead>, Refusal> {
        if self.journal.is_sole_writer() && !live.is_stale() {
            return Ok(head);
        }
        let newest = self.journal.head(live.match_id).await.map_err(of_read_error)?;
        if newest == Some(head.newest()) && !live.is_stale() {
            return Ok(head);
        }
        let _turn = self.fold_pool.turn_at_head(holder).await;
        let _lock = live.match_lock.lock().await;
        self.catch_up(live).await
    }

    /// Returns a live match and its published head, which may be behind the journal. Folds the log if the
    /// match is not live.
    pub(crate) async fn cached(
        &self,
        match_id: MatchId,
        holder: Option<ShareHolder>,
    ) -> Result<(Arc<LiveMatch>, Arc<LiveHead>), Refusal> {
        let live = self.live(match_id);
        let head = self.published(&live, None, holder).await?;
        Ok((live, head))
    }

    /// Returns the published head of a live match. Folds the log, and with it `row` if that was read already,
    /// if the match is not folded yet.
    pub(crate) async fn published(
        &self,
        live: &Arc<LiveMatch>,
        row: Option<Box<MatchRow>>,
        holder: Option<ShareHolder>,
    ) -> Result<Arc<LiveHead>, Refusal> {
        self.lookups.count(live.lookup());
        let head = match live.head() {
            Some(head) => head,
            // Boxed: folding is rare and its future is large, while the futures of all calls are moved often.
            None => {
                Box::pin(async {
                    let _turn = self.fold_pool.turn_at_head(holder).await;
                    live.head_or_fold(self.fold(live.match_id, row)).await
                })
                .await?
            }
        };
        // For every log line of this call, including that of a panic in the rules.
        let call = Span::current();
        tracing::record_all!(call, match.id = %live.match_id, match.seq = i64::from(head.seq().0));
        self.registry.cache(live);
        Ok(head)
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
        let known = live.head_or_fold(self.fold(live.match_id, None)).await?;
        let invalidations = live.invalidations();
        let mut head = LiveHead::clone(&known);
        if live.is_stale() || self.extend(&mut head).await? == Extension::OtherHistory {
            let head = Arc::new(self.refold(&known).await?);
            live.publish(Arc::clone(&head));
            live.resolve(invalidations);
            return Ok(head);
        }
        if head.seq() == known.seq() {
            return Ok(known);
        }
        let head = Arc::new(head);
        live.publish(Arc::clone(&head));
        Ok(head)
    }

    /// Folds a match from its first event, with its row if that was read already.
    async fn fold(&self, match_id: MatchId, row: Option<Box<MatchRow>>) -> Result<LiveHead, Refusal> {
        let fold = async {
            let row = match row {
                Some(row) => row,
                None => Box::new(self.row(match_id).await?),
            };
            let registration = Registration::of_row(&row);
            let first = self.events_after(match_id, Seq(0), PageSize(1)).await?;
            let (work, games, checkpoints) = (Work::of(&first), self.games, self.new_checkpoints());
            let start = move || {
                let first = first.first().ok_or_else(unknown_match)?;
                LiveHead::start(games, match_id, first, registration, checkpoints).map_err(of_replay_error)
            };
            let mut head = self.fold_pool.for_head(work, start).await?;
            match self.extend(&mut head).await? {
                Extension::Complete => Ok(head),
                Extension::OtherHistory => Err(changed_meanwhile()),
            }
        };
        fold.instrument(error_span!(target: STEPS, "fold")).await
    }

    /// Folds a match from its first event in place of `known`, which may be on another history.
    async fn refold(&self, known: &LiveHead) -> Result<LiveHead, Refusal> {
        let mut head = self.fold(known.match_id(), None).await?;
        head.history = known.history;
        if !self.continues(&head, known).await? {
            head.history += 1;
            tracing::warn!(
                match.id = %known.match_id(), match.seq = known.seq().0,
                "the database lost events of a match that this replica had read"
            );
        }
        Ok(head)
    }

    /// Returns whether the log of `head` has the newest event of `known`.
    async fn continues(&self, head: &LiveHead, known: &LiveHead) -> Result<bool, Refusal> {
        if head.seq() <= known.seq() {
            return Ok(head.newest() == known.newest());
        }
        let events = self.events_after(known.match_id(), known.seq().previous(), PageSize(1)).await?;
        Ok(events.first().is_some_and(|event| event.event.hash == known.newest().hash))
    }

    /// Applies all events after a head. Each page begins with the head's own newest event, which shows that
    /// those after it are of the same history.
    async fn extend(&self, head: &mut LiveHead) -> Result<Extension, Refusal> {
        let match_id = head.match_id();
        let mut tokens_changed = false;
        loop {
            let page = self.events_after(match_id, head.seq().previous(), FOLD_PAGE).await?;
            if page.first().is_none_or(|newest| newest.event.hash != head.newest().hash) {
                return Ok(Extension::OtherHistory);
            }
            let (size, work, mut folded) = (page.len(), Work::of(&page), head.clone());
            let fold = move || {
                let mut tokens_changed = false;
                for event in &page[1..] {
                    let applied = folded.apply(event).map_err(of_replay_error)?;
                    tokens_changed |=
                        matches!(applied.entry(), Entry::SeatClaimed(_) | Entry::SeatTokenRotated(_));
                }
                Ok((folded, tokens_changed))
            };
            let (folded, changed) = self.fold_pool.for_head(work, fold).await?;
            *head = folded;
            tokens_changed |= changed;
            if size < FOLD_PAGE.0 as usize {
                break;
            }
        }
        if tokens_changed {
            head.registration = self.registration(match_id).await?;
            head.registration.remove_forged_players(&head.position);
        }
        Ok(Extension::Complete)
    }

    async fn registration(&self, match_id: MatchId) -> Result<Registration, Refusal> {
        Ok(Registration::of_row(&self.row(match_id).await?))
    }

    /// Returns a match's row in the directory.
    pub(crate) async fn row(&self, match_id: MatchId) -> Result<MatchRow, Refusal> {
        self.journal.match_row(match_id).await.map_err(of_read_error)?.ok_or_else(unknown_match)
    }
}

/// Returns the refusal of a match whose log was replaced while it was read.
fn changed_meanwhile() -> Refusal {
    Refusal::new(ErrorReason::Overloaded, "the database was replaced while the match was read; retry")
        .retry_after(RETRY_AFTER_REPLACEMENT)
}

#[cfg(test)]
mod tests {
    use futures_util::{FutureExt, StreamExt};
    use journal::{Journal, JournalConfig};
    use wire::v1 as proto;

    use crate::requests::fields;
    use crate::{Caller, Play, ServiceKey, Settings, ShareHolder};

    /// A caller that has many matches folded must not hold up others, even at the same matches.
    #[tokio::test]
    async fn a_caller_waits_for_its_turn_to_have_a_match_folded_and_not_for_anothers() {
        let journal = Journal::open(JournalConfig::new("memory:".parse().unwrap())).await.unwrap();
        let play = Play::start(journal, ServiceKey::from_bytes([9; 32]), Settings::default()).await.unwrap();
        let create = proto::CreateMatchRequest { game_id: "ludus-magus".to_owned(), ..Default::default() };
        let created = play.create_match(&Caller::anonymous(), create).await.unwrap();
        let match_id = fields::match_id(&created.r#match.unwrap().match_id).unwrap();
        let [greedy, other] = [1, 2].map(|number| Some(ShareHolder::new(number)));
        let [calling, playing] = [greedy, other].map(|holder| Caller::anonymous().with_share_holder(holder));
        let turn = || play.matches.fold_pool.turn_at_head(greedy).now_or_never();
        let turns: Vec<_> = std::iter::from_fn(turn).collect();
        assert!(!turns.is_empty());
        for stale in [false, true] {
            if stale {
                play.matches.live(match_id).invalidate();
            } else {
                play.matches.invalidate_all();
            }
            let mut waiting = Box::pin(play.current(&calling, match_id));
            assert!((&mut waiting).now_or_never().is_none(), "the call has taken no turn");
            let all = proto::ExportMatchesRequest::default();
            let mut export = Box::pin(play.export_matches(&calling, all).await.unwrap());
            assert!(export.next().now_or_never().is_some_and(|found| found.unwrap().is_ok()));
            assert!(export.next().now_or_never().is_none(), "the export has taken no turn");
            play.current(&playing, match_id).await.unwrap();
            drop((waiting, export));
            // Nothing is left to fold.
            play.current(&calling, match_id).await.unwrap();
        }
    }
}
