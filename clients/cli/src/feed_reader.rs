//! Reading the feed over as many streams as it takes: every event once and in order, whatever happens to the connection.

use tonic::{Status, Streaming};
use wire::v1::stream_feed_response::Frame;
use wire::v1::{StreamFeedRequest, StreamFeedResponse};

use crate::connection::Service;
use crate::failure::Failure;
use crate::refusal::{Refusal, is_transient};
use crate::retry::Backoff;

/// What is done once everything has been told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stay {
    /// Waits for more.
    Follow,
    /// Ends.
    Leave,
}

/// The feed being read.
pub(crate) struct FeedReader {
    service: Service,
    /// Of the last frame that was given out, or where the caller wanted to begin.
    cursor: String,
    stay: Stay,
    stream: Option<Streaming<StreamFeedResponse>>,
    ended: bool,
    backoff: Backoff,
}

impl FeedReader {
    /// Begins behind this place; with an empty one at the beginning.
    pub(crate) fn new(service: &Service, after: &str, stay: Stay) -> Self {
        Self {
            service: service.clone(),
            cursor: after.to_owned(),
            stay,
            stream: None,
            ended: false,
            backoff: Backoff::default(),
        }
    }

    /// The next frame; none at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<StreamFeedResponse>, Failure> {
        while !self.ended {
            let message = match &mut self.stream {
                Some(stream) => stream.message().await,
                None => self.open().await,
            };
            match message {
                Ok(Some(frame)) => {
                    self.backoff.succeeded();
                    self.cursor.clone_from(&frame.cursor);
                    let all = matches!(&frame.frame, Some(Frame::Heartbeat(beat)) if beat.caught_up);
                    self.ended = all && self.stay == Stay::Leave;
                    return Ok(Some(frame));
                }
                Ok(None) => self.broken(&Status::unavailable("the service closed the stream")).await?,
                Err(status) => self.broken(&status).await?,
            }
        }
        Ok(None)
    }

    async fn open(&mut self) -> Result<Option<StreamFeedResponse>, Status> {
        let follow = Some(self.stay == Stay::Follow);
        let request = StreamFeedRequest { after: self.cursor.clone(), follow };
        self.stream.insert(self.service.stream_feed(request).await?).message().await
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
