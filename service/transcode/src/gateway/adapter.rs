//! The decisions that a gateway leaves to the service behind it.

use http::StatusCode;
use prost_reflect::DynamicMessage;
use tonic::Status;

use super::{FieldNames, Rejection};

/// What the service decides itself: its error model, how its streams resume, and when a response has changed.
pub trait Adapter: Send + Sync + 'static {
    /// Converts a rejection to the status that the service would return.
    fn status(&self, rejection: &Rejection) -> Status;

    /// Converts the status of a failed call to an HTTP error.
    fn http_error(&self, status: &Status) -> HttpError;

    /// Returns the challenges (`WWW-Authenticate`) of a failed call whose HTTP status is 401: the schemes of
    /// the credentials that can help.
    fn challenges(&self, status: &Status) -> Vec<&'static str>;

    /// Returns the ID of a frame of a stream, from which a client can resume.
    fn frame_id(&self, frame: &DynamicMessage) -> Option<String>;

    /// Returns whether a stream that begins with this frame has nothing new for the client. The gateway then
    /// responds 204, upon which an EventSource stops reconnecting.
    fn has_nothing_new(&self, request: &DynamicMessage, first: &DynamicMessage) -> bool;

    /// Names the fields of the request in a response as the client does: a response may refuse a part of its
    /// request.
    fn name_fields(&self, response: &mut DynamicMessage, names: &FieldNames<'_>);

    /// Clears the fields of a unary response that change by themselves, such as the current time, and returns
    /// whether any was set. The response's [`TaggedText`](super::TaggedText) is the JSON of what remains.
    fn clear_volatile(&self, response: &mut DynamicMessage) -> bool;
}

/// The HTTP form of a failed call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpError {
    /// The HTTP status.
    pub status: StatusCode,
    /// The machine-readable reason.
    pub reason: String,
}
