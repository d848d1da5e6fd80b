//! Matchbook's adapter for `transcode`: error reasons, frame ids of watches and the feed, and what entity
//! tags leave out.

use std::sync::Arc;

use http::StatusCode;
use play::{Credential, FieldViolation, Refusal};
use prost_reflect::{DynamicMessage, ReflectMessage as _, Value};
use tonic::{Code, Status};
use tonic_types::StatusExt;
use transcode::{Adapter, FieldNames, HttpError, MatchError, Rejection, RequestError};
use wire::v1::{ErrorReason, MatchStatus};

use crate::protocol::{error_mapping, reason_of, to_status};
use crate::telemetry::metrics::CallMetrics;

/// Fields of responses that change while nothing happens in a match.
const VOLATILE_FIELDS: [&str; 2] = ["server_time", "spectator_count"];

/// The scheme of API keys in `WWW-Authenticate`.
const API_KEY_SCHEME: &str = "Bearer";

/// The scheme of seats' tokens, which have a header of their own.
const SEAT_TOKEN_SCHEME: &str = "Matchbook-Seat-Token";

/// The adapter of Matchbook's API.
pub(super) struct Matchbook {
    /// Counts the refusals of requests that become no call.
    pub(super) metrics: Arc<CallMetrics>,
}

impl Adapter for Matchbook {
    fn status(&self, rejection: &Rejection) -> Status {
        let refusal = to_refusal(rejection);
        // These requests never reach admission control.
        self.metrics.record_refusal(refusal.reason);
        to_status(&refusal)
    }

    fn http_error(&self, status: &Status) -> HttpError {
        // Statuses of the gRPC library have no reason.
        let reason = reason_of(status).unwrap_or(match status.code() {
            Code::Unimplemented => ErrorReason::UnknownRoute,
            Code::Cancelled | Code::Unavailable => ErrorReason::ShuttingDown,
            _ => ErrorReason::Internal,
        });
        let http =
            StatusCode::from_u16(error_mapping(reason).http).expect("the table has valid HTTP statuses");
        HttpError { status: http, reason: play::reason_name(reason).to_owned() }
    }

    fn challenges(&self, status: &Status) -> Vec<&'static str> {
        let info = status.get_details_error_info();
        let named = info.as_ref().and_then(|info| info.metadata.get("credential"));
        let bad = Credential::ALL.into_iter().find(|one| named.is_some_and(|name| name == one.as_str()));
        match (reason_of(status), bad) {
            (Some(ErrorReason::MissingKey), _) | (_, Some(Credential::ApiKey)) => vec![API_KEY_SCHEME],
            // Where the owner's key helps too, the message says so.
            (_, Some(Credential::SeatToken)) | (Some(ErrorReason::MissingToken), None) => {
                vec![SEAT_TOKEN_SCHEME]
            }
            (_, None) => vec![API_KEY_SCHEME, SEAT_TOKEN_SCHEME],
        }
    }

    fn frame_id(&self, frame: &DynamicMessage) -> Option<String> {
        match frame.descriptor().full_name() {
            "matchbook.v1.StreamFeedResponse" => text(frame, "cursor"),
            "matchbook.v1.WatchMatchResponse" => watch_id(frame),
            // Frames between have none, so that a browser resumes after the last whole match.
            "matchbook.v1.ExportMatchesResponse" => text(frame, "next_page_token"),
            // The log of a match is read again from its beginning.
            _ => None,
        }
    }

    /// Applies only to requests that resume: without a start the caller has not seen the last position yet.
    fn has_nothing_new(&self, request: &DynamicMessage, first: &DynamicMessage) -> bool {
        if inner(first, "end").is_some() {
            return request.has_field_by_name("page_token");
        }
        if inner(first, "heartbeat").is_some() {
            // A feed without `follow` ends with a heartbeat.
            let follows = request.get_field_by_name("follow").and_then(|follow| follow.as_bool());
            return request.has_field_by_name("after")
                && request.has_field_by_name("follow")
                && follows == Some(false);
        }
        let Some(start) = inner(first, "start") else { return false };
        let Some(view) = inner(first, "view") else { return false };
        request.has_field_by_name("after_seq")
            && number(&view, "status") == u32::try_from(MatchStatus::Over as i32).ok()
            && number(&view, "seq") == number(&start, "head_seq")
    }

    fn name_fields(&self, response: &mut DynamicMessage, names: &FieldNames<'_>) {
        let may_refuse = ["matchbook.v1.CheckMoveResponse", "matchbook.v1.SubmitMovesResponse"];
        if !may_refuse.contains(&response.descriptor().full_name()) {
            return;
        }
        let Some(mut refusal) = inner(response, "refusal") else { return };
        let mut sentence = text(&refusal, "message").unwrap_or_default();
        if let Some(Value::List(fields)) = refusal.get_field_by_name_mut("fields") {
            for field in fields.iter_mut().filter_map(Value::as_message_mut) {
                let path = text(field, "field").unwrap_or_default();
                let named = names.path(&path);
                if let Some(rest) = sentence.strip_prefix(&path) {
                    sentence = format!("{named}{rest}");
                }
                let description = text(field, "description").unwrap_or_default();
                field.set_field_by_name("description", Value::String(names.sentence(&description)));
                field.set_field_by_name("field", Value::String(named));
            }
        }
        refusal.set_field_by_name("message", Value::String(names.sentence(&sentence)));
        response.set_field_by_name("refusal", Value::Message(refusal));
    }

    fn clear_volatile(&self, response: &mut DynamicMessage) -> bool {
        let set = VOLATILE_FIELDS.into_iter().filter(|field| response.has_field_by_name(field));
        let set: Vec<_> = set.collect();
        set.iter().for_each(|field| response.clear_field_by_name(field));
        !set.is_empty()
    }
}

fn to_refusal(rejection: &Rejection) -> Refusal {
    use ErrorReason as R;
    let text = rejection.to_string();
    match rejection {
        Rejection::NoRoute(MatchError::NotFound) => {
            Refusal::new(R::UnknownRoute, "no such route; see /docs, or /openapi.json")
        }
        Rejection::NoRoute(MatchError::UnknownVerb { .. }) => {
            Refusal::new(R::UnknownRoute, format!("{text}; see /docs, or /openapi.json"))
        }
        Rejection::NoRoute(MatchError::MethodNotAllowed { .. }) => Refusal::new(R::MethodNotAllowed, text),
        Rejection::BadRequest(RequestError::Field(violation))
        | Rejection::BadLine { error: RequestError::Field(violation), .. } => {
            let (field, description) = (violation.field.clone(), violation.problem.to_string());
            Refusal {
                fields: vec![FieldViolation { field, description }],
                ..Refusal::new(R::InvalidArgument, text)
            }
        }
        Rejection::UnsupportedMediaType(_) => Refusal::new(R::UnsupportedMediaType, text),
        Rejection::NotAcceptable { .. } => Refusal::new(R::NotAcceptable, text),
        Rejection::BodyTooLarge { limit } => Refusal::new(R::MessageTooLarge, text).with("max_bytes", limit),
        Rejection::BadHeader(name) => Refusal::field(*name, text),
        Rejection::NoRoute(_)
        | Rejection::BadRequest(_)
        | Rejection::BadLine { .. }
        | Rejection::BodyTimeout
        | Rejection::BodyUnreadable => Refusal::new(R::InvalidArgument, text),
    }
}

/// Returns the id of a frame of a watch: the seq after which the watch goes on.
fn watch_id(frame: &DynamicMessage) -> Option<String> {
    if let Some(event) = inner(frame, "event") {
        return number(&event, "seq").map(|seq| seq.to_string());
    }
    inner(frame, "start")?;
    // Before the first event there is no view.
    let seq = inner(frame, "view").and_then(|view| number(&view, "seq"));
    Some(seq.unwrap_or(0).to_string())
}

/// Returns a text of a frame, unless it is empty.
fn text(frame: &DynamicMessage, field: &str) -> Option<String> {
    let text = frame.get_field_by_name(field)?;
    text.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

fn inner(message: &DynamicMessage, field: &str) -> Option<DynamicMessage> {
    if !message.has_field_by_name(field) {
        return None;
    }
    message.get_field_by_name(field)?.as_message().cloned()
}

fn number(message: &DynamicMessage, field: &str) -> Option<u32> {
    match *message.get_field_by_name(field)? {
        Value::U32(number) => Some(number),
        Value::EnumNumber(number) => u32::try_from(number).ok(),
        _ => None,
    }
}
