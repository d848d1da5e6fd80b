//! Watching a match to its end.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::{Stream, StreamExt as _};
use wire::v1::match_service_client::MatchServiceClient;
use wire::v1::watch_match_response::Frame;
use wire::v1::{MatchStatus, WatchMatchRequest, WatchMatchResponse, event};

use crate::client::Client;
use crate::error::Error;
use crate::resume::{OpeningStream, Resuming, Seen, Subscription};

/// A stream of what happens in a match: one start frame, then every event once and in order, with heartbeats
/// in between. It reconnects after the last event received and ends with the match.
///
/// After an error the stream ends. Dropping a pending `next` loses nothing.
pub struct Watch(Resuming<WatchSubscription>);

impl Client {
    /// Watches a match from its newest position until it is over; [`Watch::after`] starts earlier.
    pub fn watch(&self, match_id: impl Into<String>) -> Watch {
        Watch::new(self, match_id.into())
    }
}

impl Watch {
    pub(crate) fn new(client: &Client, match_id: String) -> Self {
        let subscription = WatchSubscription { match_id, last_seq: None, has_started: false, is_over: false };
        Self(Resuming::new(client, subscription))
    }

    /// Starts after this event instead of with the newest position; 0 starts with the first event. Call it
    /// before the first poll.
    #[must_use]
    pub fn after(mut self, seq: u32) -> Self {
        self.0.subscription.last_seq = Some(seq);
        self
    }

    /// Returns the seq to pass to [`Watch::after`] to resume here; `None` before the start frame of a watch
    /// that starts with the newest position.
    pub fn last_seq(&self) -> Option<u32> {
        self.0.subscription.last_seq
    }
}

impl Stream for Watch {
    type Item = Result<WatchMatchResponse, Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().0.poll_next_unpin(cx)
    }
}

struct WatchSubscription {
    match_id: String,
    /// The last event received, or where the caller wants to start.
    last_seq: Option<u32>,
    /// The reader has a start frame; those of later streams repeat it.
    has_started: bool,
    is_over: bool,
}

impl Subscription for WatchSubscription {
    type Frame = WatchMatchResponse;

    fn open(&self, client: &Client) -> OpeningStream<WatchMatchResponse> {
        let message = WatchMatchRequest { match_id: self.match_id.clone(), after_seq: self.last_seq };
        let request = client.request(message);
        let mut service = MatchServiceClient::new(client.channel());
        Box::pin(async move { Ok(service.watch_match(request).await?.into_inner().boxed()) })
    }

    fn receive(&mut self, response: &WatchMatchResponse) -> Seen {
        let is_new = match &response.frame {
            Some(Frame::Start(start)) => {
                let view = start.view.clone().unwrap_or_default();
                self.is_over = view.status() == MatchStatus::Over && view.seq >= start.head_seq;
                self.last_seq.get_or_insert(view.seq);
                !std::mem::replace(&mut self.has_started, true)
            }
            Some(Frame::Event(event)) => {
                self.is_over = matches!(event.kind, Some(event::Kind::MatchEnded(_)));
                let is_later = self.last_seq.is_none_or(|last| event.seq > last);
                self.last_seq = self.last_seq.max(Some(event.seq));
                is_later
            }
            Some(Frame::Heartbeat(_)) => true,
            None => false,
        };
        if is_new { Seen::New } else { Seen::Before }
    }

    fn is_progress(response: &WatchMatchResponse) -> bool {
        // A service that sends the start and breaks off each time makes no progress.
        matches!(response.frame, Some(Frame::Event(_) | Frame::Heartbeat(_)))
    }

    fn is_complete(&self) -> bool {
        self.is_over
    }
}

#[cfg(test)]
mod tests {
    use wire::v1::{Event, MatchEnded, View, WatchStart};

    use super::*;

    fn start(seq: u32, status: MatchStatus) -> WatchMatchResponse {
        let view = View { seq, status: status.into(), ..View::default() };
        let start = WatchStart { view: Some(view), head_seq: seq, ..WatchStart::default() };
        WatchMatchResponse { frame: Some(Frame::Start(start)) }
    }

    fn event(seq: u32, kind: Option<event::Kind>) -> WatchMatchResponse {
        WatchMatchResponse { frame: Some(Frame::Event(Event { seq, kind, ..Event::default() })) }
    }

    fn subscription() -> WatchSubscription {
        WatchSubscription { match_id: String::new(), last_seq: None, has_started: false, is_over: false }
    }

    #[test]
    fn a_second_stream_repeats_neither_the_start_nor_an_event() {
        let mut watch = subscription();
        assert_eq!(watch.receive(&start(4, MatchStatus::Running)), Seen::New);
        assert_eq!(watch.receive(&event(5, None)), Seen::New);
        assert_eq!(watch.receive(&start(5, MatchStatus::Running)), Seen::Before);
        assert_eq!(watch.receive(&event(5, None)), Seen::Before);
        assert_eq!(watch.receive(&event(6, None)), Seen::New);
        assert_eq!(watch.last_seq, Some(6));
        assert!(!watch.is_complete());
    }

    #[test]
    fn a_watch_is_complete_with_the_last_event_or_with_a_finished_position() {
        let mut watch = subscription();
        watch.receive(&event(7, Some(event::Kind::MatchEnded(MatchEnded::default()))));
        assert!(watch.is_complete());
        let mut watch = subscription();
        assert_eq!(watch.receive(&start(7, MatchStatus::Over)), Seen::New);
        assert!(watch.is_complete());
    }
}
