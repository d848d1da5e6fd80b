//! Past positions and events, folded from the log on demand.

use std::sync::Arc;

use event::{Event, MatchId, Part, Seq};
use journal::{EventRange, PageSize, StoredEvent};
use replay::{AppliedEvent, Position};
use rules::Games;

use super::{FOLD_PAGE, LiveHead, LiveMatches};
use crate::Refusal;
use crate::refusal::{of_read_error, of_replay_error, unknown_match};

/// Reads a match's log forwards and folds it on the way.
#[derive(Clone)]
pub(crate) struct LogReader {
    match_id: MatchId,
    position: Option<Arc<Position>>,
    purpose: Purpose,
}

/// What a log is read for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// To be shown: the events may come from a read database.
    Showing,
    /// To be decided on: the events come from the primary database.
    Deciding,
}

impl LogReader {
    /// Returns a reader at the start of a log, to show its events.
    pub(crate) fn from_start(match_id: MatchId) -> Self {
        Self { match_id, position: None, purpose: Purpose::Showing }
    }

    /// Returns a reader at the start of a log, to decide on its events.
    pub(crate) fn to_decide(match_id: MatchId) -> Self {
        Self { purpose: Purpose::Deciding, ..Self::from_start(match_id) }
    }

    /// Returns a reader after a position, to show the events that follow.
    pub(crate) fn after(position: Arc<Position>) -> Self {
        Self { match_id: position.match_id(), position: Some(position), purpose: Purpose::Showing }
    }

    /// Returns the position after the newest event read, or `None` before the first event.
    pub(crate) fn position(&self) -> Option<&Arc<Position>> {
        self.position.as_ref()
    }

    /// Returns the number of the newest event read.
    pub(crate) fn seq(&self) -> Seq {
        self.position.as_ref().map_or(Seq(0), |position| position.seq())
    }

    /// Reads up to `limit` events, none beyond `last`, and returns them.
    pub(crate) async fn read(
        &mut self,
        matches: &LiveMatches,
        last: Seq,
        limit: PageSize,
    ) -> Result<Vec<Arc<AppliedEvent>>, Refusal> {
        let collect = |events: &mut Vec<_>, _: &Arc<Position>, event| events.push(event);
        Ok(self.read_into(matches, last, limit, Vec::new(), collect).await?.0)
    }

    /// Reads up to `limit` events, none beyond `last`, and passes each to `visit` with the position after it.
    /// Returns what was collected, and the number of events.
    pub(crate) async fn read_into<T: Send + 'static>(
        &mut self,
        matches: &LiveMatches,
        last: Seq,
        limit: PageSize,
        mut collected: T,
        visit: fn(&mut T, &Arc<Position>, Arc<AppliedEvent>),
    ) -> Result<(T, usize), Refusal> {
        let events = match self.purpose {
            Purpose::Showing => {
                matches.past_events(self.match_id, EventRange { after: self.seq(), last }, limit).await?
            }
            Purpose::Deciding => matches.events_after(self.match_id, self.seq(), limit).await?,
        };
        let (size, mut reader, games) = (events.len(), self.clone(), matches.games);
        let fold = move || {
            let mut count = 0;
            for event in events.iter().take_while(|event| event.event.seq <= last) {
                let (position, applied) = reader.fold(games, &event.event)?;
                visit(&mut collected, position, Arc::new(applied));
                count += 1;
            }
            Ok((reader, collected, count))
        };
        let (reader, collected, count) = matches.fold_pool.for_past(size, fold).await?;
        *self = reader;
        Ok((collected, count))
    }

    /// Moves on by the next event, which another reader has read. Returns the position after it: `newest` if
    /// that is it, so that readers share one.
    pub(crate) fn follow(
        &mut self,
        games: Games,
        event: &AppliedEvent,
        newest: Option<&Arc<Position>>,
    ) -> Result<&Arc<Position>, Refusal> {
        match newest {
            Some(newest) if newest.seq() == event.seq() => Ok(self.position.insert(Arc::clone(newest))),
            Some(_) | None => self.fold(games, event.event()).map(|(position, _)| position),
        }
    }

    fn fold<P: Part>(
        &mut self,
        games: Games,
        event: &Event<P>,
    ) -> Result<(&Arc<Position>, AppliedEvent), Refusal> {
        let (position, applied) = match self.position.take() {
            Some(mut position) => {
                Arc::make_mut(&mut position).apply(event).map(|applied| (position, applied))
            }
            None => Position::start(games, self.match_id, event)
                .map(|(position, applied)| (Arc::new(position), applied)),
        }
        .map_err(of_replay_error)?;
        Ok((self.position.insert(position), applied))
    }

    /// Returns a reader of a match's past, at the last checkpoint up to event `seq`.
    fn near(head: &LiveHead, seq: Seq) -> Self {
        head.checkpoint(seq)
            .map_or_else(|| Self::from_start(head.match_id()), |position| Self::after(Arc::clone(position)))
    }

    /// Reads up to event `seq`, which the match must have.
    async fn read_to(&mut self, matches: &LiveMatches, seq: Seq) -> Result<(), Refusal> {
        while self.seq() < seq {
            if self.read(matches, seq, FOLD_PAGE).await?.is_empty() {
                return Err(unknown_match());
            }
        }
        Ok(())
    }
}

impl LiveMatches {
    /// Returns up to `limit` events after event `after`.
    pub(super) async fn events_after(
        &self,
        match_id: MatchId,
        after: Seq,
        limit: PageSize,
    ) -> Result<Vec<StoredEvent>, Refusal> {
        self.journal.events(match_id, after, limit).await.map_err(of_read_error)
    }

    /// Returns up to `limit` events of a range, whose end the head must have reached. They may come from a
    /// read database, so they may be shown but not decided on.
    pub(crate) async fn past_events(
        &self,
        match_id: MatchId,
        range: EventRange,
        limit: PageSize,
    ) -> Result<Vec<StoredEvent>, Refusal> {
        self.journal.past_events(match_id, range, limit).await.map_err(of_read_error)
    }

    /// Returns the position after event `seq`, which the head must have reached.
    pub(crate) async fn position_at(&self, head: &LiveHead, seq: Seq) -> Result<Arc<Position>, Refusal> {
        if seq == head.seq() {
            return Ok(Arc::clone(&head.position));
        }
        let mut reader = LogReader::near(head, seq);
        reader.read_to(self, seq).await?;
        reader.position().cloned().ok_or_else(unknown_match)
    }

    /// Returns up to `limit` events after event `after`, none beyond the head.
    pub(crate) async fn applied_events(
        &self,
        head: &LiveHead,
        after: Seq,
        limit: PageSize,
    ) -> Result<Vec<Arc<AppliedEvent>>, Refusal> {
        let last = head.seq().min(Seq(after.0.saturating_add(limit.0)));
        let wanted = after.next()..=last;
        let recent: Vec<_> =
            head.recent.iter().filter(|event| wanted.contains(&event.seq())).cloned().collect();
        if recent.first().is_some_and(|event| event.seq() == *wanted.start()) {
            return Ok(recent);
        }
        let mut reader = LogReader::near(head, after.min(last));
        reader.read_to(self, after.min(last)).await?;
        let mut events = Vec::new();
        while reader.seq() < last {
            let page = reader.read(self, last, FOLD_PAGE).await?;
            if page.is_empty() {
                return Err(unknown_match());
            }
            events.extend(page);
        }
        Ok(events)
    }
}
