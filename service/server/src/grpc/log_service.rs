//! `LogService`: logs, signatures and the feed, for independent verification.

use std::sync::Arc;

use play::{Export, Feed, MatchesExport, Play};
use tonic::{Request, Response, Status};
use wire::v1;
use wire::v1::log_service_server::LogService;

use super::stream::GrpcStream;
use super::{caller_and_message, rate_limit_key, respond};
use crate::admission::{CallerStreamPermit, CallerStreams};
use crate::protocol::to_status;
use crate::telemetry::metrics::CallMetrics;

/// The RPCs of `LogService`.
pub(super) struct LogRpcs {
    play: Play,
    streams: CallerStreams,
    metrics: Arc<CallMetrics>,
}

impl LogRpcs {
    /// Serves the logs of `play`. An export or a feed reader counts as a watch in `streams`.
    pub(super) fn new(play: Play, streams: CallerStreams, metrics: Arc<CallMetrics>) -> Self {
        Self { play, streams, metrics }
    }

    /// Acquires a permit for one more stream of the caller.
    fn acquire_stream<T>(&self, request: &Request<T>) -> Result<CallerStreamPermit, Status> {
        self.streams.acquire(rate_limit_key(request)).map_err(|refusal| to_status(&refusal))
    }
}

#[tonic::async_trait]
impl LogService for LogRpcs {
    type ExportLogStream = GrpcStream<Export>;
    type ExportMatchesStream = GrpcStream<MatchesExport>;
    type StreamFeedStream = GrpcStream<Feed>;

    async fn export_log(
        &self,
        request: Request<v1::ExportLogRequest>,
    ) -> Result<Response<Self::ExportLogStream>, Status> {
        let permit = self.acquire_stream(&request)?;
        let (caller, message) = caller_and_message(&self.play, request)?;
        let export = self.play.export_log(&caller, message).await;
        respond(export.map(|export| GrpcStream::new(export, permit, Arc::clone(&self.metrics))))
    }

    async fn export_matches(
        &self,
        request: Request<v1::ExportMatchesRequest>,
    ) -> Result<Response<Self::ExportMatchesStream>, Status> {
        let permit = self.acquire_stream(&request)?;
        let (caller, message) = caller_and_message(&self.play, request)?;
        let export = self.play.export_matches(&caller, message).await;
        respond(export.map(|export| GrpcStream::new(export, permit, Arc::clone(&self.metrics))))
    }

    async fn sign_head(
        &self,
        request: Request<v1::SignHeadRequest>,
    ) -> Result<Response<v1::SignHeadResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.sign_head(&caller, message).await)
    }

    async fn stream_feed(
        &self,
        request: Request<v1::StreamFeedRequest>,
    ) -> Result<Response<Self::StreamFeedStream>, Status> {
        let permit = self.acquire_stream(&request)?;
        let (caller, message) = caller_and_message(&self.play, request)?;
        let feed = self.play.stream_feed(&caller, message).await;
        respond(feed.map(|feed| GrpcStream::new(feed, permit, Arc::clone(&self.metrics))))
    }

    async fn list_keys(
        &self,
        request: Request<v1::ListKeysRequest>,
    ) -> Result<Response<v1::ListKeysResponse>, Status> {
        respond(self.play.list_keys(&request.into_inner()))
    }
}
