//! `ExportMatches`: the logs of many matches, one after another. Matches are found a page at a time and read
//! as the caller takes them; after each the export can go on later.

use std::collections::VecDeque;

use event::MatchId;
use journal::{MatchFilter, Scope};
use uuid::Uuid;
use wire::v1::export_log_response::Record;
use wire::v1::export_matches_response::Frame;
use wire::v1::{self as proto, ErrorReason};

use super::export_log::MatchExport;
use crate::refusal::of_read_error;
use crate::requests::ListTokens;
use crate::streams::{MatchesExport, Produce, ShutdownSignal};
use crate::use_cases::matches::match_filter;
use crate::{ApiKey, Caller, Play, Refusal, StreamKind};

/// Matches found at a time.
const PAGE: u32 = 50;

/// An export of many matches in progress.
struct MatchesExporter {
    play: Play,
    shutdown: ShutdownSignal,
    caller: Caller,
    /// The request without its page, which the tokens are for.
    request: proto::ExportMatchesRequest,
    /// The filter of the next page.
    filter: MatchFilter,
    has_more: bool,
    /// Matches of the last page that are not exported yet.
    waiting: VecDeque<MatchId>,
    current: Option<(MatchId, Box<MatchExport>)>,
    end: proto::ExportEnd,
    ended: bool,
}

impl Play {
    /// Exports the logs of the matches that pass a filter, newest first, as far as the caller may list them.
    pub async fn export_matches(
        &self,
        caller: &Caller,
        request: proto::ExportMatchesRequest,
    ) -> Result<MatchesExport, Refusal> {
        let key = self.access.key(caller)?;
        let without_page = proto::ExportMatchesRequest { page_token: String::new(), ..request.clone() };
        let before = tokens(self, key, &without_page).decode(&request.page_token)?;
        let before = before.map(|id| MatchId(Uuid::from_bytes(id)));
        let filter = match_filter(&self.access, key, &listing(&without_page), before)?;
        let scope = match filter.scope {
            // An app exports what it owns: what others made public is theirs to export.
            Scope::PublicOrOwnedBy(owner) => Scope::OwnedBy(owner),
            Scope::Public if !self.access.is_open() => return Err(missing_key()),
            scope => scope,
        };
        let permit = self.streams.permit(StreamKind::Export)?;
        let exporter = MatchesExporter {
            play: self.clone(),
            shutdown: self.streams.shutdown_signal(),
            // A seat's token is for one match, and would be refused for all others.
            caller: caller.without_seat_token(),
            request: without_page,
            filter: MatchFilter { scope, limit: PAGE, ..filter },
            has_more: true,
            waiting: VecDeque::new(),
            current: None,
            end: proto::ExportEnd::default(),
            ended: false,
        };
        Ok(MatchesExport::new(exporter, permit))
    }
}

impl Produce for MatchesExporter {
    type Response = proto::ExportMatchesResponse;

    async fn next(&mut self) -> Option<Result<proto::ExportMatchesResponse, Refusal>> {
        if self.ended {
            return None;
        }
        let frame = self.frame().await;
        self.ended = match &frame {
            Ok(response) => matches!(response.frame, Some(Frame::End(_))),
            Err(_) => true,
        };
        Some(frame)
    }
}

impl MatchesExporter {
    async fn frame(&mut self) -> Result<proto::ExportMatchesResponse, Refusal> {
        if self.shutdown.has_begun() {
            let message = "the service is shutting down; go on with the newest next_page_token";
            return Err(Refusal::stopping(message));
        }
        if self.current.is_none() {
            let Some(match_id) = self.waiting.pop_front() else { return self.read_page().await };
            match MatchExport::open(&self.play, &self.caller, match_id).await {
                Ok(export) => self.current = Some((match_id, Box::new(export))),
                Err(refusal) => return self.skip(match_id, refusal),
            }
        }
        let Some((match_id, export)) = &mut self.current else { return Err(Refusal::internal()) };
        let match_id = *match_id;
        match export.next().await {
            Some(Ok(proto::ExportLogResponse { record: Some(record) })) => Ok(self.record(match_id, record)),
            Some(Err(refusal)) => self.skip(match_id, refusal),
            // A log ends with its head, after which there is no current match.
            Some(Ok(_)) | None => Err(Refusal::internal()),
        }
    }

    /// Returns the frame of a record.
    fn record(&mut self, match_id: MatchId, record: Record) -> proto::ExportMatchesResponse {
        match record {
            Record::Header(header) => response(Frame::Header(header)),
            Record::Event(event) => response(Frame::Event(event)),
            Record::Head(head) => {
                self.current = None;
                self.end.exported += 1;
                proto::ExportMatchesResponse {
                    next_page_token: self.token_after(match_id),
                    ..response(Frame::Head(head))
                }
            }
        }
    }

    /// Returns the frame of a match that cannot be exported, or the refusal if that may pass.
    fn skip(&mut self, match_id: MatchId, refusal: Refusal) -> Result<proto::ExportMatchesResponse, Refusal> {
        use ErrorReason::{Internal, MatchArchived, UnknownMatch, UnknownRulesVersion};
        let reasons = [UnknownRulesVersion, MatchArchived, UnknownMatch, Internal];
        if !reasons.contains(&refusal.reason) {
            return Err(refusal);
        }
        self.current = None;
        self.end.skipped += 1;
        let (match_id, token) = (match_id.to_string(), self.token_after(match_id));
        let skipped = proto::SkippedMatch { match_id, reason: refusal.reason.into() };
        Ok(proto::ExportMatchesResponse { next_page_token: token, ..response(Frame::Skipped(skipped)) })
    }

    /// Finds more matches. Returns the frame that says how far the search has come, or the end.
    async fn read_page(&mut self) -> Result<proto::ExportMatchesResponse, Refusal> {
        if !self.has_more {
            return Ok(response(Frame::End(self.end)));
        }
        let page = self.play.journal.list_matches(&self.filter).await.map_err(of_read_error)?;
        let before = self.filter.before;
        self.waiting.extend(page.rows.iter().map(|row| row.match_id));
        self.filter.before = page.next;
        self.has_more = page.next.is_some();
        if page.rows.is_empty() && !self.has_more {
            return Ok(response(Frame::End(self.end)));
        }
        // What was found is still to come.
        let searched = if page.rows.is_empty() { page.next } else { before };
        let next_page_token = searched.map(|id| self.token_after(id)).unwrap_or_default();
        Ok(proto::ExportMatchesResponse { frame: None, next_page_token })
    }

    fn token_after(&self, match_id: MatchId) -> String {
        let key = self.play.access.key(&self.caller).ok().flatten();
        tokens(&self.play, key, &self.request).encode(match_id.0.as_bytes())
    }
}

fn tokens<'a>(
    play: &'a Play,
    key: Option<&ApiKey>,
    without_page: &proto::ExportMatchesRequest,
) -> ListTokens<'a> {
    play.page_tokens.of_key("ExportMatches", without_page, key)
}

fn response(frame: Frame) -> proto::ExportMatchesResponse {
    proto::ExportMatchesResponse { frame: Some(frame), next_page_token: String::new() }
}

/// Returns the request that lists the matches to export.
fn listing(request: &proto::ExportMatchesRequest) -> proto::ListMatchesRequest {
    let proto::ExportMatchesRequest {
        game_id,
        status,
        player,
        created_since,
        created_before,
        mine,
        page_token,
        labels,
        external_id,
        player_id,
        player_to_act,
        seat_to_act,
    } = request.clone();
    proto::ListMatchesRequest {
        game_id,
        status,
        player,
        created_since,
        created_before,
        mine,
        page_size: PAGE,
        page_token,
        labels,
        external_id,
        player_id,
        player_to_act,
        seat_to_act,
    }
}

fn missing_key() -> Refusal {
    Refusal::new(
        ErrorReason::MissingKey,
        "exporting matches requires an API key; send `authorization: Bearer KEY`",
    )
}
