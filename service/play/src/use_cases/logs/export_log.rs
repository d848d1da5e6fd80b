//! `ExportLog`: a match's log as a file that can be verified without the service. It is read page by page as
//! the caller takes it, and ends with the head at the time of the call.

use std::collections::VecDeque;
use std::sync::Arc;

use event::{MatchId, Seat, Seq};
use journal::{EventRange, PageSize};
use rules::Viewer;
use wire::v1 as proto;
use wire::v1::export_log_response::Record as Line;

use crate::live::{LiveHead, LiveMatch};
use crate::refusal::unknown_match;
use crate::requests::fields;
use crate::streams::{Export, Produce, ShutdownSignal};
use crate::{Caller, Play, Refusal, StreamKind};

/// Events read at a time.
const PAGE: PageSize = PageSize(100);

/// A match's export in progress.
pub(super) struct MatchExport {
    play: Play,
    shutdown: ShutdownSignal,
    live: Arc<LiveMatch>,
    /// The head at the time of the call, with which the export ends.
    head: Arc<LiveHead>,
    viewer: Viewer<Seat>,
    /// The newest event read.
    seq: Seq,
    pending: VecDeque<proto::ExportLogResponse>,
    ended: bool,
}

impl Play {
    /// Exports a match's log up to the current head, with the secrets that the caller may see.
    pub async fn export_log(
        &self,
        caller: &Caller,
        request: proto::ExportLogRequest,
    ) -> Result<Export, Refusal> {
        let match_id = fields::match_id(&request.match_id)?;
        let permit = self.streams.permit(StreamKind::Export)?;
        Ok(Export::new(MatchExport::open(self, caller, match_id).await?, permit))
    }
}

impl Produce for MatchExport {
    type Response = proto::ExportLogResponse;

    async fn next(&mut self) -> Option<Result<proto::ExportLogResponse, Refusal>> {
        if self.pending.is_empty() {
            if self.ended {
                return None;
            }
            if let Err(refusal) = self.read().await {
                self.ended = true;
                return Some(Err(refusal));
            }
        }
        self.pending.pop_front().map(Ok)
    }
}

impl MatchExport {
    /// Starts the export of a match up to its current head.
    pub(super) async fn open(play: &Play, caller: &Caller, match_id: MatchId) -> Result<Self, Refusal> {
        let (live, head) = play.current_live(caller, match_id).await?;
        let viewer = play.access.party(caller, &head)?.viewer();
        let header = audit::header_record(&head.position, play.signing.signer.public_key().name());
        Ok(Self {
            play: play.clone(),
            shutdown: play.streams.shutdown_signal(),
            live,
            head,
            viewer,
            seq: Seq(0),
            pending: VecDeque::from([header]),
            ended: false,
        })
    }

    /// Reads the next page of events, or adds the signed head after the last one.
    async fn read(&mut self) -> Result<(), Refusal> {
        if self.shutdown.has_begun() {
            return Err(Refusal::stopping("the service is shutting down; export the match again"));
        }
        let (position, last) = (&self.head.position, self.head.seq());
        if self.seq == last {
            self.ended = true;
            let head = Line::Head(audit::sign_head(position, &self.play.signing.signer));
            self.pending.push_back(proto::ExportLogResponse { record: Some(head) });
            return Ok(());
        }
        let match_id = self.head.match_id();
        let range = EventRange { after: self.seq, last };
        let events = self.play.matches.past_events(match_id, range, PAGE).await?;
        // Of the newest head: a player may have been erased since the export began.
        let newest = self.live.head().unwrap_or_else(|| Arc::clone(&self.head));
        for event in events.iter().take_while(|event| event.event.seq <= last) {
            self.seq = event.event.seq;
            let event = newest.registration.with_player(&event.event);
            self.pending.push_back(audit::event_record(&position.redacted_for(self.viewer, &event)));
        }
        // A log that ends before its head has been tampered with.
        if self.pending.is_empty() { Err(unknown_match()) } else { Ok(()) }
    }
}
