//! Sending events that were never sent: the next page of the feed.

use std::collections::BTreeMap;

use event::MatchId;
use futures_util::stream::{self, StreamExt as _};
use journal::{DeliveryStatus, FeedEnd, FeedQuery, Scope, WebhookState};
use tokio::time::Instant;

use super::attempt::Sent;
use super::{Halt, IDLE_SAVE_INTERVAL, MATCHES_AT_ONCE, Worker};
use crate::Refusal;
use crate::webhooks::payload::EventToSend;

/// Events read at a time.
const PAGE: u32 = 50;

impl Worker {
    /// Sends the next events of the owner. Returns whether there may be more.
    pub(super) async fn send_new(&mut self) -> Result<bool, Halt> {
        let limit = u32::try_from(self.room()).unwrap_or(PAGE).min(PAGE);
        if limit == 0 {
            return Ok(false);
        }
        let scope = Scope::OwnedBy(self.row.owner.clone());
        let query = FeedQuery { after: Some(self.position), ..FeedQuery::new(scope, limit) };
        let page = self.play.journal.feed(&query).await?;
        let (kinds, mut of_match) = (&self.row.kinds, BTreeMap::<MatchId, Vec<EventToSend>>::new());
        for item in &page.events {
            let (position, kind) = (item.cursor, item.event.kind);
            if kinds.is_empty() || kinds.contains(&kind) {
                of_match.entry(position.match_id()).or_default().push(EventToSend { position, kind });
            }
        }
        let idle = of_match.is_empty();
        let sent = self.send_matches(of_match).await?;
        self.position = page.next.unwrap_or(self.position);
        if !idle || self.saved.elapsed() >= IDLE_SAVE_INTERVAL {
            self.save(&sent).await?;
        }
        if sent.gone {
            return Err(self.disable(WebhookState::Gone).await?);
        }
        Ok(page.end == FeedEnd::Full)
    }

    /// Sends the events of each match in order, several matches at once. A match with pending events waits
    /// for them.
    async fn send_matches(&self, of_match: BTreeMap<MatchId, Vec<EventToSend>>) -> Result<Sent, Refusal> {
        let waiting = self.heads();
        let (blocked, free): (Vec<_>, Vec<_>) =
            of_match.into_iter().partition(|(match_id, _)| waiting.contains_key(match_id));
        let blocked = blocked.into_iter().flat_map(|(_, events)| events);
        let mut sent = Sent { undelivered: blocked.map(|event| self.untried(event)).collect(), gone: false };
        let sending = free.into_iter().map(|(_, events)| async move { self.send_in_order(&events).await });
        let mut sending = stream::iter(sending).buffer_unordered(MATCHES_AT_ONCE);
        while let Some(done) = sending.next().await {
            let done = done?;
            sent.undelivered.extend(done.undelivered);
            sent.gone |= done.gone;
        }
        Ok(sent)
    }

    /// Saves the position, and what was not delivered up to it.
    async fn save(&mut self, sent: &Sent) -> Result<(), Halt> {
        let store = self.play.journal.webhooks();
        if !store.advance_webhook(self.id(), self.epoch, self.position, &sent.undelivered).await? {
            return Err(Halt::Ended);
        }
        self.saved = Instant::now();
        let (pending, dead): (Vec<_>, Vec<_>) =
            sent.undelivered.iter().cloned().partition(|row| row.status == DeliveryStatus::Pending);
        dead.iter().for_each(|row| self.count_dead_letter(row));
        self.pending.extend(pending.into_iter().map(|row| (row.position, row)));
        Ok(())
    }
}
