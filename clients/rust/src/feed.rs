//! Reading the events of all matches.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::{Stream, StreamExt as _, TryStreamExt as _};
use wire::v1::log_service_client::LogServiceClient;
use wire::v1::stream_feed_response::Frame;
use wire::v1::{FeedEvent, StreamFeedRequest, StreamFeedResponse};

use crate::calls::MAX_RECORD_BYTES;
use crate::client::Client;
use crate::error::Error;
use crate::resume::{OpeningStream, Resuming, Seen, Subscription};

/// A stream of the events of all matches that the caller may read, in one order, each once. It reconnects
/// behind the last frame received.
///
/// After an error the stream ends. Dropping a pending `next` loses nothing.
///
/// ```no_run
/// use matchbook_client::Client;
///
/// # async fn example(stored_cursor: &str) -> Result<(), Box<dyn std::error::Error>> {
/// let client = Client::connect("http://127.0.0.1:7420").await?.with_api_key("mbk_...")?;
/// let mut feed = client.feed().after(stored_cursor).until_caught_up();
/// while let Some(event) = feed.next_event().await? {
///     println!("{}: store {} to go on after it", event.match_id, feed.cursor());
/// }
/// # Ok(())
/// # }
/// ```
pub struct Feed(Resuming<FeedSubscription>);

impl Client {
    /// Reads the events of all matches that the caller may read, from the first one; [`Feed::after`] starts
    /// later.
    pub fn feed(&self) -> Feed {
        Feed::new(self)
    }
}

impl Feed {
    pub(crate) fn new(client: &Client) -> Self {
        let subscription =
            FeedSubscription { cursor: String::new(), until: Until::Cancelled, is_caught_up: false };
        Self(Resuming::new(client, subscription))
    }

    /// Starts behind this cursor instead of with the first event. Call it before the first poll.
    #[must_use]
    pub fn after(mut self, cursor: impl Into<String>) -> Self {
        self.0.subscription.cursor = cursor.into();
        self
    }

    /// Ends once it has delivered all events up to now, instead of following. Call it before the first poll.
    #[must_use]
    pub fn until_caught_up(mut self) -> Self {
        self.0.subscription.until = Until::CaughtUp;
        self
    }

    /// Returns the next event, or `None` at the end of a feed [`until_caught_up`](Feed::until_caught_up).
    /// Skips heartbeats.
    ///
    /// # Errors
    ///
    /// If the service refuses, or has not answered for as many attempts as the policy allows.
    pub async fn next_event(&mut self) -> Result<Option<FeedEvent>, Error> {
        while let Some(response) = self.try_next().await? {
            if let Some(Frame::Event(event)) = response.frame {
                return Ok(Some(event));
            }
        }
        Ok(None)
    }

    /// Returns the cursor of the last frame received, to pass to [`Feed::after`] later.
    pub fn cursor(&self) -> &str {
        &self.0.subscription.cursor
    }
}

impl Stream for Feed {
    type Item = Result<StreamFeedResponse, Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().0.poll_next_unpin(cx)
    }
}

/// When the feed ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Until {
    CaughtUp,
    Cancelled,
}

struct FeedSubscription {
    cursor: String,
    until: Until,
    is_caught_up: bool,
}

impl Subscription for FeedSubscription {
    type Frame = StreamFeedResponse;

    fn open(&self, client: &Client) -> OpeningStream<StreamFeedResponse> {
        let follow = Some(self.until == Until::Cancelled);
        let request = client.request(StreamFeedRequest { after: self.cursor.clone(), follow });
        let mut service = LogServiceClient::new(client.channel()).max_decoding_message_size(MAX_RECORD_BYTES);
        Box::pin(async move { Ok(service.stream_feed(request).await?.into_inner().boxed()) })
    }

    fn receive(&mut self, response: &StreamFeedResponse) -> Seen {
        self.cursor.clone_from(&response.cursor);
        self.is_caught_up = matches!(&response.frame, Some(Frame::Heartbeat(beat)) if beat.caught_up);
        Seen::New
    }

    fn is_progress(_: &StreamFeedResponse) -> bool {
        true
    }

    fn is_complete(&self) -> bool {
        self.is_caught_up && self.until == Until::CaughtUp
    }
}
