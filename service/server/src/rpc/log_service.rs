//! `LogService`: what a stranger checks the service with.

use std::pin::Pin;

use play::Play;
use tokio_stream::{Stream, StreamExt as _};
use tonic::{Request, Response, Status};
use wire::v1;
use wire::v1::log_service_server::LogService;

use super::{answer, opened};
use crate::payer::Payer;
use crate::status;
use crate::watch_places::WatchPlaces;

/// The RPCs of `LogService`.
pub(crate) struct LogRpcs {
    play: Play,
    places: WatchPlaces,
}

impl LogRpcs {
    /// The logs of this play. An export takes a watch's place.
    pub(crate) fn new(play: Play, places: WatchPlaces) -> Self {
        Self { play, places }
    }
}

#[tonic::async_trait]
impl LogService for LogRpcs {
    type ExportLogStream = Pin<Box<dyn Stream<Item = Result<v1::ExportLogResponse, Status>> + Send>>;

    async fn export_log(
        &self,
        request: Request<v1::ExportLogRequest>,
    ) -> Result<Response<Self::ExportLogStream>, Status> {
        // The door has put it there.
        let payer = request.extensions().get().copied().unwrap_or(Payer::Here);
        let place = self.places.take(payer).map_err(|refusal| status::of(&refusal))?;
        let (caller, request) = opened(request)?;
        let export = self.play.export_log(&caller, request).await.map_err(|refusal| status::of(&refusal))?;
        let records = export.map(move |record| {
            // Held for as long as there is something to send.
            let _held = &place;
            record.map_err(|refusal| status::of(&refusal))
        });
        Ok(Response::new(Box::pin(records)))
    }

    async fn sign_head(
        &self,
        request: Request<v1::SignHeadRequest>,
    ) -> Result<Response<v1::SignHeadResponse>, Status> {
        let (caller, request) = opened(request)?;
        answer(self.play.sign_head(&caller, request).await)
    }

    async fn list_keys(
        &self,
        request: Request<v1::ListKeysRequest>,
    ) -> Result<Response<v1::ListKeysResponse>, Status> {
        Ok(Response::new(self.play.list_keys(request.into_inner())))
    }
}
