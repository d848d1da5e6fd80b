//! `ExportLog`: a match's log as a file that verifies away from the service. It is read page by page as it is taken, and
//! ends with the head as it was when it began.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::{Stream, stream};
use rules::Viewer;
use tokio::sync::OwnedSemaphorePermit;
use wire::v1::export_log_response::Record as Line;
use wire::v1::{self as proto, ErrorReason};

use crate::limits::EXPORT_PAGE;
use crate::live::Head;
use crate::refusal::unknown_match;
use crate::{Caller, Play, Refusal, access, fields};

/// The records of one file, header first. It ends after the signed head, and after the first refusal.
pub struct Export(Pin<Box<dyn Stream<Item = Result<proto::ExportLogResponse, Refusal>> + Send>>);

impl Stream for Export {
    type Item = Result<proto::ExportLogResponse, Refusal>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context)
    }
}

/// An export under way.
struct Exporter {
    play: Play,
    head: Arc<Head>,
    viewer: Viewer,
    /// The last event that was read.
    seq: u32,
    waiting: VecDeque<proto::ExportLogResponse>,
    ended: bool,
    _place: OwnedSemaphorePermit,
}

impl Play {
    /// The log of a match up to now, with the secrets that the caller may see.
    pub async fn export_log(
        &self,
        caller: &Caller,
        request: proto::ExportLogRequest,
    ) -> Result<Export, Refusal> {
        let match_id = fields::match_id(&request.match_id)?;
        let place = Arc::clone(&self.watches).try_acquire_owned().map_err(|_| {
            let message = "as many streams are open as this service takes; try again later";
            Refusal::new(ErrorReason::TooManyStreams, message).retry_after(self.limits.heartbeat)
        })?;
        let (_, head) = self.fresh(match_id).await?;
        let viewer = access::party(&self.keys, caller, &head)?.viewer();
        let header = head.position.header_shown(self.signing.signer.public_key().name());
        let exporter = Exporter {
            play: self.clone(),
            head,
            viewer,
            seq: 0,
            waiting: VecDeque::from([header]),
            ended: false,
            _place: place,
        };
        Ok(Export(Box::pin(stream::unfold(exporter, |mut exporter| async {
            exporter.next().await.map(|record| (record, exporter))
        }))))
    }
}

impl Exporter {
    async fn next(&mut self) -> Option<Result<proto::ExportLogResponse, Refusal>> {
        if self.waiting.is_empty() {
            if self.ended {
                return None;
            }
            if let Err(refusal) = self.read().await {
                self.ended = true;
                return Some(Err(refusal));
            }
        }
        self.waiting.pop_front().map(Ok)
    }

    /// Reads the next page, or closes the file.
    async fn read(&mut self) -> Result<(), Refusal> {
        if *self.play.ending.borrow() {
            return Err(Refusal::stopping("the service is stopping; export the match again"));
        }
        let position = &self.head.position;
        if self.seq == self.head.seq() {
            self.ended = true;
            let head = Line::Head(position.head_signed(&self.play.signing.signer));
            self.waiting.push_back(proto::ExportLogResponse { record: Some(head) });
            return Ok(());
        }
        let last = self.head.seq();
        let events = self.play.past_events(position.match_id().0, self.seq, last, EXPORT_PAGE).await?;
        for event in events.iter().take_while(|event| event.event.seq.0 <= self.head.seq()) {
            self.seq = event.event.seq.0;
            self.waiting.push_back(position.record_shown(&event.event, self.viewer));
        }
        // A log that is shorter than its head has been tampered with.
        if self.waiting.is_empty() { Err(unknown_match()) } else { Ok(()) }
    }
}
