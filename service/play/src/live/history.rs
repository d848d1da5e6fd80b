//! Past positions and events, folded from the log on demand.

use std::sync::Arc;

use event::{Event, MatchId, Part, Seq};
use journal::{EventRange, PageSize, StoredEvent};
use replay::{AppliedEvent, Position};
use rules::Games;

use super::fold_pool::Work;
use super::looks::LOOK_EVENTS;
use super::{FOLD_PAGE, LiveHead, LiveMatches};
use crate::refusal::{of_read_error, of_replay_error, unknown_match};
use crate::{Refusal, ShareHolder};

/// Reads a match's log forwards and folds it on the way.
#[derive(Clone)]
pub(crate) struct LogReader {
    match_id: MatchId,
    position: Option<Arc<Position>>,
    purpose: Purpose,
    /// The caller that reads, with whom others take turns.
    holder: Option<ShareHolder>,
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
        Self { match_id, position: None, purpose: Purpose::Showing, holder: None }
    }

    /// Returns a reader at the start of a log, to decide on its events.
    pub(crate) fn to_decide(match_id: MatchId) -> Self {
        Self { purpose: Purpose::Deciding, ..Self::from_start(match_id) }
    }

    /// Returns a reader after a position, to show the events that follow.
    pub(crate) fn after(position: Arc<Position>) -> Self {
        Self { position: Some(Arc::clone(&position)), ..Self::from_start(position.match_id()) }
    }

    /// Returns the reader for a caller.
    pub(crate) fn on_behalf_of(self, holder: Option<ShareHolder>) -> Self {
        Self { holder, ..self }
    }

    /// Returns the caller that reads.
    pub(crate) fn holder(&self) -> Option<ShareHolder> {
        self.holder
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
        let (work, mut reader, games) = (Work::of(&events), self.clone(), matches.games);
        let fold = move || {
            let mut count = 0;
            for event in events.iter().take_while(|event| event.event.seq <= last) {
                let (position, applied) = reader.fold(games, &event.event)?;
                visit(&mut collected, position, Arc::new(applied));
                count += 1;
            }
            Ok((reader, collected, count))
        };
        let (reader, collected, count) = matches.fold_pool.for_past(self.holder, work, fold).await?;
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

    /// Reads up to event `seq`, which the match must have, and returns the events read.
    async fn read_to(&mut self, matches: &LiveMatches, seq: Seq) -> Result<Vec<Arc<AppliedEvent>>, Refusal> {
        let mut events = Vec::new();
        while self.seq() < seq {
            let page = self.read(matches, seq, FOLD_PAGE).await?;
            if page.is_empty() {
                return Err(unknown_match());
            }
            events.extend(page);
        }
        Ok(events)
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

    /// Returns the position after event `seq`, which the head must have reached, for a caller.
    pub(crate) async fn position_at(
        &self,
        head: &LiveHead,
        seq: Seq,
        holder: Option<ShareHolder>,
    ) -> Result<Arc<Position>, Refusal> {
        if seq == head.seq() {
            return Ok(Arc::clone(&head.position));
        }
        if let Some(look) = self.looks.find(head, seq) {
            return Ok(Arc::clone(&look.position));
        }
        if let Some(position) = head.checkpoint(seq).filter(|position| position.seq() == seq) {
            return Ok(Arc::clone(position));
        }
        // With the events before it, which are wanted next, unless that means to read from the start.
        let before = Seq(seq.0.saturating_sub(LOOK_EVENTS.0));
        let from = if head.checkpoint(before).is_some() { before } else { seq };
        let mut reader = LogReader::near(head, from).on_behalf_of(holder);
        let events = reader.read_to(self, seq).await?;
        let position = reader.position().ok_or_else(unknown_match)?;
        self.looks.remember(head, position, events);
        Ok(Arc::clone(position))
    }

    /// Returns up to `limit` events after event `after`, none beyond the head, for a caller.
    pub(crate) async fn applied_events(
        &self,
        head: &LiveHead,
        after: Seq,
        limit: PageSize,
        holder: Option<ShareHolder>,
    ) -> Result<Vec<Arc<AppliedEvent>>, Refusal> {
        let last = head.seq().min(Seq(after.0.saturating_add(limit.0)));
        let wanted = after.next()..=last;
        let recent: Vec<_> =
            head.recent.iter().filter(|event| wanted.contains(&event.seq())).cloned().collect();
        if recent.first().is_some_and(|event| event.seq() == *wanted.start()) {
            return Ok(recent);
        }
        if let Some(events) = self.looks.find(head, last).and_then(|look| look.events_after(after)) {
            return Ok(events);
        }
        let mut reader = LogReader::near(head, after.min(last)).on_behalf_of(holder);
        reader.read_to(self, after.min(last)).await?;
        reader.read_to(self, last).await
    }

    /// Runs a fold of a match's past that is long whatever its events, for a caller.
    pub(crate) async fn fold_past<T: Send + 'static>(
        &self,
        holder: Option<ShareHolder>,
        fold: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        self.fold_pool.for_past(holder, Work::MUCH, fold).await
    }
}

#[cfg(test)]
mod tests {
    use journal::{Journal, JournalConfig};
    use wire::v1 as proto;

    use super::super::ANSWERS_PART;
    use super::super::looks::Looks;
    use super::*;
    use crate::requests::fields;
    use crate::{Caller, Capacity, Play, ServiceKey, Settings};

    async fn service(checkpoint_interval: u32) -> Play {
        let journal = Journal::open(JournalConfig::new("memory:".parse().unwrap())).await.unwrap();
        let capacity = Capacity { checkpoint_interval, ..Capacity::default() };
        let settings = Settings { capacity, ..Settings::default() };
        Play::start(journal, ServiceKey::from_bytes([9; 32]), settings).await.unwrap()
    }

    /// Claims the seats of a match and plays suggested moves.
    async fn play_on(play: &Play, match_id: &str, moves: u64) -> Arc<LiveHead> {
        let mut seats = Vec::new();
        for seat in [0, 1] {
            let player = Some(proto::Player::named("Ada"));
            let match_id = match_id.to_owned();
            let claim = proto::ClaimSeatRequest { match_id, seat: Some(seat), player, ..Default::default() };
            let claimed = play.claim_seat(&Caller::anonymous(), claim).await.unwrap();
            seats.push(Caller::anonymous().with_seat_token(claimed.seat_token));
        }
        for seed in 0..moves {
            let seat = &seats[usize::from(seed % 2 == 1)];
            let match_id = match_id.to_owned();
            let suggest = proto::SuggestMoveRequest { match_id, seed: Some(seed), ..Default::default() };
            let notation = play.suggest_move(seat, suggest.clone()).await.unwrap().notation;
            let submit = proto::SubmitMoveRequest {
                match_id: suggest.match_id,
                input: Some(proto::submit_move_request::Input::Notation(notation)),
                ..Default::default()
            };
            play.submit_move(seat, submit).await.unwrap();
        }
        play.matches.current(fields::match_id(match_id).unwrap(), None).await.unwrap()
    }

    async fn new_match(play: &Play) -> String {
        let create = proto::CreateMatchRequest { game_id: "ludus-magus".to_owned(), ..Default::default() };
        play.create_match(&Caller::anonymous(), create).await.unwrap().r#match.unwrap().match_id
    }

    #[tokio::test]
    async fn a_look_at_the_past_is_not_folded_again_for_the_events_that_led_to_it() {
        let play = service(16).await;
        let match_id = new_match(&play).await;
        let head = play_on(&play, &match_id, 56).await;
        for seq in [40, 41, 47, 50] {
            let (seq, after) = (Seq(seq), Seq(seq - LOOK_EVENTS.0));
            let position = play.matches.position_at(&head, seq, None).await.unwrap();
            assert_eq!(position.seq(), seq);
            let again = play.matches.position_at(&head, seq, None).await.unwrap();
            assert!(Arc::ptr_eq(&position, &again), "{seq:?} was folded again");
            let look = play.matches.looks.find(&head, seq).unwrap();
            let events = play.matches.applied_events(&head, after, LOOK_EVENTS, None).await.unwrap();
            assert_eq!(events.len(), LOOK_EVENTS.0 as usize);
            let same = |(one, other): (&Arc<AppliedEvent>, &Arc<AppliedEvent>)| Arc::ptr_eq(one, other);
            assert!(events.iter().zip(&look.events).all(same), "{seq:?} was folded again");
            let few = play.matches.applied_events(&head, seq.previous(), PageSize(1), None).await.unwrap();
            assert_eq!(few.iter().map(|event| event.seq()).collect::<Vec<_>>(), [seq]);
        }
    }

    #[tokio::test]
    async fn looks_take_a_bounded_number_of_bytes() {
        let play = service(4).await;
        let match_id = new_match(&play).await;
        let head = play_on(&play, &match_id, 40).await;
        let max_bytes = Capacity::default().live_bytes / ANSWERS_PART;
        let looks = Looks::new(3 * head.weight().0);
        let position = play.matches.position_at(&head, Seq(30), None).await.unwrap();
        for _ in 0..2 {
            looks.remember(&head, &position, Vec::new());
        }
        assert_eq!(looks.bytes(), head.weight().0);
        for seq in 5..40 {
            let position = play.matches.position_at(&head, Seq(seq), None).await.unwrap();
            looks.remember(&head, &position, Vec::new());
            assert!(looks.bytes() <= 3 * head.weight().0);
        }
        assert!(play.matches.looks.bytes() <= max_bytes);
    }

    #[tokio::test]
    async fn a_look_at_a_forks_past_does_not_repeat_the_moves_of_its_parent() {
        let play = service(4).await;
        let match_id = new_match(&play).await;
        play_on(&play, &match_id, 12).await;
        let fork = proto::ForkMatchRequest { match_id, ..Default::default() };
        let forked = play.fork_match(&Caller::anonymous(), fork).await.unwrap().r#match.unwrap().match_id;
        let played = play_on(&play, &forked, 20).await;
        play.matches.invalidate_all();
        let folded = play.matches.current(played.match_id(), None).await.unwrap();
        for head in [&played, &folded] {
            let first = head.checkpoint(Seq::FIRST).expect("the first position is kept");
            assert_eq!(first.seq(), Seq::FIRST);
            let second = play.matches.position_at(head, Seq(2), None).await.unwrap();
            assert_eq!(second.seq(), Seq(2));
        }
    }
}
