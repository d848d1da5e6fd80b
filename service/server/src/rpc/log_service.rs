//! `LogService`: what a stranger checks the service with.

use std::sync::Arc;

use play::{Export, Feed, Play};
use tonic::{Request, Response, Status};
use wire::v1;
use wire::v1::log_service_server::LogService;

use super::outgoing::Outgoing;
use super::{answer, opened};
use crate::metrics::Calls;
use crate::payer::Payer;
use crate::status;
use crate::watch_places::{WatchPlace, WatchPlaces};

/// The RPCs of `LogService`.
pub(crate) struct LogRpcs {
    play: Play,
    places: WatchPlaces,
    calls: Arc<Calls>,
}

impl LogRpcs {
    /// The logs of this play. An export or a reader of the feed takes a watch's place.
    pub(crate) fn new(play: Play, places: WatchPlaces, calls: Arc<Calls>) -> Self {
        Self { play, places, calls }
    }

    /// A place for one more stream of this caller.
    fn place<T>(&self, request: &Request<T>) -> Result<WatchPlace, Status> {
        // The door has put it there.
        let payer = request.extensions().get().copied().unwrap_or(Payer::Here);
        self.places.take(payer).map_err(|refusal| status::of(&refusal))
    }
}

#[tonic::async_trait]
impl LogService for LogRpcs {
    type ExportLogStream = Outgoing<Export>;
    type StreamFeedStream = Outgoing<Feed>;

    async fn export_log(
        &self,
        request: Request<v1::ExportLogRequest>,
    ) -> Result<Response<Self::ExportLogStream>, Status> {
        let place = self.place(&request)?;
        let (caller, request) = opened(request)?;
        let export = self.play.export_log(&caller, request).await;
        answer(export.map(|export| Outgoing::new(export, place, Arc::clone(&self.calls))))
    }

    async fn sign_head(
        &self,
        request: Request<v1::SignHeadRequest>,
    ) -> Result<Response<v1::SignHeadResponse>, Status> {
        let (caller, request) = opened(request)?;
        answer(self.play.sign_head(&caller, request).await)
    }

    async fn stream_feed(
        &self,
        request: Request<v1::StreamFeedRequest>,
    ) -> Result<Response<Self::StreamFeedStream>, Status> {
        let place = self.place(&request)?;
        let (caller, request) = opened(request)?;
        let feed = self.play.stream_feed(&caller, request).await;
        answer(feed.map(|feed| Outgoing::new(feed, place, Arc::clone(&self.calls))))
    }

    async fn list_keys(
        &self,
        request: Request<v1::ListKeysRequest>,
    ) -> Result<Response<v1::ListKeysResponse>, Status> {
        Ok(Response::new(self.play.list_keys(request.into_inner())))
    }
}
