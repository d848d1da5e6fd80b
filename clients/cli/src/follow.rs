//! Following a match to its end, over as many streams as it takes: every event
//! once and in order, whatever happens to the connection.

use tonic::{Status, Streaming};
use wire::v1::watch_match_response::Frame;
use wire::v1::{MatchStatus, WatchMatchRequest, WatchMatchResponse, event};

use crate::connection::Service;
use crate::failure::Failure;
use crate::refusal::{Refusal, is_transient};
use crate::retry::Backoff;

/// A match being followed.
pub(crate) struct Follow {
    service: Service,
    match_id: String,
    /// The last event that was given out, or where the caller wanted to begin.
    last_seq: Option<u32>,
    stream: Option<Streaming<WatchMatchResponse>>,
    /// Whether the start frame was given out; those of later streams are not.
    started: bool,
    ended: bool,
    backoff: Backoff,
}

impl Follow {
    /// Begins after this event, or with the newest position.
    pub(crate) fn new(service: &Service, match_id: &str, after_seq: Option<u32>) -> Self {
        Self {
            service: service.clone(),
            match_id: match_id.to_owned(),
            last_seq: after_seq,
            stream: None,
            started: false,
            ended: false,
            backoff: Backoff::default(),
        }
    }

    /// The next frame: one start, then events, with heartbeats between; none
    /// after the match's last event.
    pub(crate) async fn next(&mut self) -> Result<Option<WatchMatchResponse>, Failure> {
        while !self.ended {
            let message = match &mut self.stream {
                Some(stream) => stream.message().await,
                None => self.open().await,
            };
            match message {
                Ok(Some(response)) => {
                    if self.is_news(&response) {
                        return Ok(Some(response));
                    }
                }
                Ok(None) => self.broken(&Status::unavailable("the service closed the stream")).await?,
                Err(status) => self.broken(&status).await?,
            }
        }
        Ok(None)
    }

    async fn open(&mut self) -> Result<Option<WatchMatchResponse>, Status> {
        let request = WatchMatchRequest { match_id: self.match_id.clone(), after_seq: self.last_seq };
        self.stream.insert(self.service.watch_match(request).await?).message().await
    }

    /// Notes what a frame tells, and whether the caller hasn't seen it yet.
    fn is_news(&mut self, response: &WatchMatchResponse) -> bool {
        match &response.frame {
            Some(Frame::Start(start)) => {
                let view = start.view.clone().unwrap_or_default();
                self.ended = view.status() == MatchStatus::Over && view.seq >= start.head_seq;
                self.last_seq.get_or_insert(view.seq);
                !std::mem::replace(&mut self.started, true)
            }
            Some(Frame::Event(event)) => {
                self.backoff.succeeded();
                self.ended = matches!(event.kind, Some(event::Kind::MatchEnded(_)));
                let is_later = self.last_seq.is_none_or(|last| event.seq > last);
                self.last_seq = self.last_seq.max(Some(event.seq));
                is_later
            }
            Some(Frame::Heartbeat(_)) => {
                self.backoff.succeeded();
                true
            }
            None => false,
        }
    }

    /// Waits before the next stream, or gives up.
    async fn broken(&mut self, status: &Status) -> Result<(), Failure> {
        self.stream = None;
        if !is_transient(status) {
            return Err(self.service.failure(status));
        }
        match self.backoff.after_failure(Refusal::from(status).retry_after) {
            Some(wait) => {
                tokio::time::sleep(wait).await;
                Ok(())
            }
            None => Err(self.service.failure(status)),
        }
    }
}
