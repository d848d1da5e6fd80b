//! Watching a match to its end.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::{Stream, StreamExt as _, TryStreamExt as _};
use wire::v1::match_service_client::MatchServiceClient;
use wire::v1::watch_match_response::Frame;
use wire::v1::{Event, MatchStatus, View, WatchMatchRequest, WatchMatchResponse, event};

use crate::client::Client;
use crate::error::Error;
use crate::resume::{OpeningStream, Resuming, Seen, Subscription};

/// A stream of what happens in a match: one start frame, then every event once and in order, with heartbeats
/// in between. It reconnects after the last event received and ends with the match.
///
/// After an error the stream ends. Dropping a pending `next` loses nothing.
///
/// [`next_event`](Watch::next_event) returns the events alone. As a [`Stream`] it yields every frame, with
/// the service's time, the clocks and, if wanted, the position.
///
/// ```no_run
/// # async fn example(stored: Option<(u32, Vec<u8>)>) -> Result<(), Box<dyn std::error::Error>> {
/// use matchbook_client::Client;
///
/// let client = Client::connect("127.0.0.1:7420").await?;
/// let mut watch = client.watch("0193ac52-1f6e-7a3b-9c1d-2e4f5a6b7c8d").after(0);
/// if let Some((seq, hash)) = stored {
///     watch = watch.after_event(seq, hash);
/// }
/// while let Some(event) = watch.next_event().await? {
///     println!("event {}: {:?}", event.seq, event.kind);
///     // Store these to go on in another process.
///     let (_seq, _hash) = (watch.last_seq(), watch.last_hash());
/// }
/// # Ok(())
/// # }
/// ```
pub struct Watch(Resuming<WatchSubscription>);

impl Client {
    /// Watches a match from its newest position until it is over; [`Watch::after`] starts earlier.
    pub fn watch(&self, match_id: impl Into<String>) -> Watch {
        Watch::new(self, match_id.into())
    }
}

impl Watch {
    pub(crate) fn new(client: &Client, match_id: String) -> Self {
        let subscription = WatchSubscription::new(match_id);
        Self(Resuming::new(client, subscription))
    }

    /// Starts after this event instead of with the newest position; 0 starts with the first event. Call it
    /// before the first poll.
    #[must_use]
    pub fn after(mut self, seq: u32) -> Self {
        self.0.subscription.last_seq = Some(seq);
        self.0.subscription.last_hash = None;
        self
    }

    /// Starts after an event that was seen, as [`Watch::last_seq`] and [`Watch::last_hash`] returned it. If
    /// the match has another event there, because the database lost events, the watch ends with
    /// `HISTORY_CHANGED`. Call it before the first poll.
    #[must_use]
    pub fn after_event(mut self, seq: u32, hash: Vec<u8>) -> Self {
        self.0.subscription.last_seq = Some(seq);
        self.0.subscription.last_hash = Some(hash);
        self
    }

    /// Has every event come with the view after it. Call it before the first poll.
    #[must_use]
    pub fn with_views(mut self) -> Self {
        self.0.subscription.include_view = true;
        self
    }

    /// Returns the next event, or `None` after the end of the match. Skips the start frame and heartbeats.
    ///
    /// # Errors
    ///
    /// If the service refuses, or has not answered for as many attempts as the policy allows.
    pub async fn next_event(&mut self) -> Result<Option<Event>, Error> {
        while let Some(response) = self.try_next().await? {
            if let Some(Frame::Event(event)) = response.frame {
                return Ok(Some(event));
            }
        }
        Ok(None)
    }

    /// Returns the seq to pass to [`Watch::after`] to resume here; `None` before the start frame of a watch
    /// that starts with the newest position.
    pub fn last_seq(&self) -> Option<u32> {
        self.0.subscription.last_seq
    }

    /// Returns the hash of the event at [`Watch::last_seq`]; `None` if there is no such event or it was not
    /// received. Reconnecting sends it.
    pub fn last_hash(&self) -> Option<&[u8]> {
        self.0.subscription.last_hash.as_deref()
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
    /// The hash of that event, if it was received.
    last_hash: Option<Vec<u8>>,
    include_view: bool,
    /// The reader has a start frame; those of later streams repeat it.
    has_started: bool,
    is_over: bool,
}

impl WatchSubscription {
    fn new(match_id: String) -> Self {
        let (has_started, is_over) = (false, false);
        Self { match_id, last_seq: None, last_hash: None, include_view: false, has_started, is_over }
    }

    fn request(&self) -> WatchMatchRequest {
        let Self { match_id, last_seq, last_hash, include_view, .. } = self;
        WatchMatchRequest {
            match_id: match_id.clone(),
            after_seq: *last_seq,
            include_view: *include_view,
            after_hash: last_hash.clone(),
        }
    }
}

impl Subscription for WatchSubscription {
    type Frame = WatchMatchResponse;

    fn open(&self, client: &Client) -> OpeningStream<WatchMatchResponse> {
        let request = client.request(self.request());
        let mut service = MatchServiceClient::new(client.channel());
        Box::pin(async move { Ok(service.watch_match(request).await?.into_inner().boxed()) })
    }

    fn receive(&mut self, response: &WatchMatchResponse) -> Seen {
        let is_new = match &response.frame {
            Some(Frame::Start(start)) => {
                let view = response.view.as_ref();
                let seq = view.map_or(0, |view| view.seq);
                let status = view.map(View::status);
                self.is_over = status == Some(MatchStatus::Over) && seq >= start.head_seq;
                if *self.last_seq.get_or_insert(seq) == seq && !start.after_hash.is_empty() {
                    self.last_hash = Some(start.after_hash.clone());
                }
                !std::mem::replace(&mut self.has_started, true)
            }
            Some(Frame::Event(event)) => {
                self.is_over = matches!(event.kind, Some(event::Kind::MatchEnded(_)));
                let is_later = self.last_seq.is_none_or(|last| event.seq > last);
                if is_later {
                    (self.last_seq, self.last_hash) = (Some(event.seq), Some(event.hash.clone()));
                }
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
    use prost::Message as _;
    use prost::encoding::WireType;
    use wire::v1::{MatchEnded, WatchStart};

    use super::*;

    fn start(seq: u32, status: MatchStatus) -> WatchMatchResponse {
        let view = View { seq, status: status.into(), ..View::default() };
        let frame =
            Some(Frame::Start(WatchStart { head_seq: seq, after_hash: vec![seq.to_le_bytes()[0]; 32] }));
        WatchMatchResponse { frame, view: Some(view), ..WatchMatchResponse::default() }
    }

    fn event(seq: u32, kind: Option<event::Kind>) -> WatchMatchResponse {
        let frame = Some(Frame::Event(Event { seq, kind, ..Event::default() }));
        WatchMatchResponse { frame, ..WatchMatchResponse::default() }
    }

    fn subscription() -> WatchSubscription {
        WatchSubscription::new(String::new())
    }

    /// Returns a message with a field of a newer service: number 2000, with four bytes.
    fn with_newer_field(mut message: Vec<u8>) -> Vec<u8> {
        prost::encoding::encode_key(2000, WireType::LengthDelimited, &mut message);
        message.extend([4, 1, 2, 3, 4]);
        message
    }

    /// Returns the frame of an event whose kind only a newer service knows.
    fn event_of_unknown_kind(seq: u32) -> WatchMatchResponse {
        let event = with_newer_field(Event { seq, ..Event::default() }.encode_to_vec());
        let mut frame = Vec::new();
        prost::encoding::encode_key(2, WireType::LengthDelimited, &mut frame);
        prost::encoding::encode_varint(u64::try_from(event.len()).unwrap(), &mut frame);
        frame.extend(event);
        WatchMatchResponse::decode(frame.as_slice()).unwrap()
    }

    #[test]
    fn an_event_of_an_unknown_kind_is_received_and_the_watch_goes_on_after_it() {
        let mut watch = subscription();
        watch.receive(&start(4, MatchStatus::Running));
        let unknown = event_of_unknown_kind(5);
        assert!(matches!(&unknown.frame, Some(Frame::Event(event)) if event.kind.is_none()));
        assert_eq!(watch.receive(&unknown), Seen::New);
        assert_eq!((watch.last_seq, watch.is_complete()), (Some(5), false));
        assert_eq!(watch.receive(&event(6, None)), Seen::New);
        // If the unknown event ended the match, the next stream begins with its last position.
        watch.receive(&start(6, MatchStatus::Over));
        assert!(watch.is_complete());
    }

    #[test]
    fn a_frame_of_an_unknown_kind_is_ignored() {
        let mut watch = subscription();
        watch.receive(&start(4, MatchStatus::Running));
        let unknown = WatchMatchResponse::decode(with_newer_field(Vec::new()).as_slice()).unwrap();
        assert_eq!(watch.receive(&unknown), Seen::Before);
        assert_eq!((watch.last_seq, watch.is_complete()), (Some(4), false));
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
    fn a_second_stream_begins_after_the_event_that_was_received() {
        let sent = |watch: &WatchSubscription| (watch.request().after_seq, watch.request().after_hash);
        let mut watch = subscription();
        assert_eq!(sent(&watch), (None, None));
        watch.receive(&start(4, MatchStatus::Running));
        assert_eq!(sent(&watch), (Some(4), Some(vec![4; 32])));
        for seq in [6, 5] {
            let mut frame = event(seq, None);
            if let Some(Frame::Event(event)) = &mut frame.frame {
                event.hash = vec![u8::try_from(10 * seq).unwrap(); 32];
            }
            watch.receive(&frame);
            assert_eq!(sent(&watch), (Some(6), Some(vec![60; 32])), "an older event changes nothing");
        }
        // A start before the first event has no hash.
        let mut watch = subscription();
        watch.last_seq = Some(0);
        let mut first = start(0, MatchStatus::Open);
        first.frame = Some(Frame::Start(WatchStart { head_seq: 2, after_hash: Vec::new() }));
        watch.receive(&first);
        assert_eq!(sent(&watch), (Some(0), None));
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
