//! Past positions and events, folded from the log when they are asked for.

use std::sync::Arc;

use journal::MatchId;
use replay::{Entry, Position, Told};
use uuid::Uuid;

use crate::live::{Head, catch_up};
use crate::refusal::unknown_match;
use crate::{Play, Refusal};

/// A walk through a match's log from its first event on.
pub(crate) struct Walk {
    match_id: Uuid,
    position: Option<Arc<Position>>,
    purpose: Purpose,
}

/// What a walk is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// To show what has been: it may come from a read database.
    Showing,
    /// To decide by it.
    Deciding,
}

impl Walk {
    pub(crate) fn from_start(match_id: Uuid) -> Self {
        Self { match_id, position: None, purpose: Purpose::Showing }
    }

    /// A walk by which something is decided.
    pub(crate) fn to_decide(match_id: Uuid) -> Self {
        Self { purpose: Purpose::Deciding, ..Self::from_start(match_id) }
    }

    /// A walk that goes on from a position.
    pub(crate) fn from(position: Arc<Position>) -> Self {
        Self { match_id: position.match_id().0, position: Some(position), purpose: Purpose::Showing }
    }

    /// Where the walk is; none before the first event.
    pub(crate) fn position(&self) -> Option<&Arc<Position>> {
        self.position.as_ref()
    }

    pub(crate) fn seq(&self) -> u32 {
        self.position.as_ref().map_or(0, |position| position.seq().0)
    }

    /// Goes on to `last`, by at most `count` events, and gives what it passed.
    pub(crate) async fn advance(
        &mut self,
        play: &Play,
        last: u32,
        count: u32,
    ) -> Result<Vec<Arc<Told>>, Refusal> {
        let mut passed = Vec::new();
        self.advance_telling(play, last, count, |_, told| passed.push(told)).await?;
        Ok(passed)
    }

    /// The same, and tells each event with the position after it.
    pub(crate) async fn advance_telling(
        &mut self,
        play: &Play,
        last: u32,
        count: u32,
        mut tell: impl FnMut(&Arc<Position>, Arc<Told>),
    ) -> Result<usize, Refusal> {
        let events = match self.purpose {
            Purpose::Showing => play.past_events(self.match_id, self.seq(), last, count).await?,
            Purpose::Deciding => play.events_after(self.match_id, self.seq(), count).await?,
        };
        let before = self.seq();
        for event in events.iter().take_while(|event| event.event.seq.0 <= last) {
            let (position, told) = match self.position.take() {
                Some(mut position) => {
                    Arc::make_mut(&mut position).apply(&event.event).map(|told| (position, told))
                }
                None => Position::begin(MatchId(self.match_id), &event.event)
                    .map(|(position, told)| (Arc::new(position), told)),
            }
            .map_err(catch_up::broken_log)?;
            tell(&position, Arc::new(told));
            self.position = Some(position);
        }
        Ok(self.seq().saturating_sub(before) as usize)
    }

    /// Goes on to the position after event `seq`, which the match must have.
    async fn advance_to(&mut self, play: &Play, seq: u32) -> Result<(), Refusal> {
        while self.seq() < seq {
            if self.advance(play, seq, catch_up::PAGE).await?.is_empty() {
                return Err(unknown_match());
            }
        }
        Ok(())
    }
}

impl Play {
    /// The position after event `seq`, which the head must have reached.
    pub(crate) async fn position_at(&self, head: &Head, seq: u32) -> Result<Arc<Position>, Refusal> {
        if seq == head.seq() {
            return Ok(Arc::clone(&head.position));
        }
        let mut walk = Walk::from_start(head.position.match_id().0);
        walk.advance_to(self, seq).await?;
        walk.position().cloned().ok_or_else(unknown_match)
    }

    /// At most `count` events after `after`, up to the head.
    pub(crate) async fn events_told(
        &self,
        head: &Head,
        after: u32,
        count: u32,
    ) -> Result<Vec<Arc<Told>>, Refusal> {
        let last = head.seq().min(after.saturating_add(count));
        let recent = head.recent.iter().filter(|told| (after + 1..=last).contains(&told.seq().0));
        let recent: Vec<_> = recent.cloned().collect();
        if recent.first().is_some_and(|told| told.seq().0 == after + 1) {
            return Ok(recent);
        }
        let mut walk = Walk::from_start(head.position.match_id().0);
        walk.advance_to(self, after.min(last)).await?;
        let mut events = Vec::new();
        while walk.seq() < last {
            let page = walk.advance(self, last, catch_up::PAGE).await?;
            if page.is_empty() {
                return Err(unknown_match());
            }
            events.extend(page);
        }
        Ok(events)
    }

    /// The events that one accepted call made, beginning with `first`, and the
    /// position after them: what it was answered with the first time.
    pub(crate) async fn answered(
        &self,
        head: &Head,
        first: u32,
    ) -> Result<(Arc<Position>, Vec<Arc<Told>>), Refusal> {
        let following = self.events_told(head, first - 1, MOST_EVENTS_OF_A_CALL).await?;
        let more = following.iter().skip(1).take_while(|told| follows_at_once(told.entry())).count();
        let events: Vec<_> = following.into_iter().take(1 + more).collect();
        let last = events.last().map_or(first, |told| told.seq().0);
        Ok((self.position_at(head, last).await?, events))
    }
}

/// A choice, the reveal and the end.
const MOST_EVENTS_OF_A_CALL: u32 = 3;

/// Whether an event belongs to the call of the event before it.
fn follows_at_once(entry: &Entry) -> bool {
    match entry {
        Entry::MatchStarted(_) | Entry::TurnRevealed(_) => true,
        Entry::MatchEnded(ended) => ended.ended_by() == wire::log::v1::EndedBy::Rules,
        Entry::MatchCreated(_)
        | Entry::MatchForked(_)
        | Entry::SeatClaimed(_)
        | Entry::SeatTokenRotated(_)
        | Entry::MoveMade(_)
        | Entry::MoveSealed(_)
        | Entry::DrawOffered(_)
        | Entry::DrawDeclined(_) => false,
    }
}
