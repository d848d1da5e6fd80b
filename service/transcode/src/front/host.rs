//! What the front has to be told by the service that it stands before.

use http::StatusCode;
use prost_reflect::DynamicMessage;
use tonic::Status;

use super::Refusal;

/// The service's own words and decisions.
pub trait Host: Send + Sync + 'static {
    /// What is refused here, as the service itself would refuse it.
    fn refusal(&self, refusal: &Refusal) -> Status;

    /// How a failed call looks over HTTP.
    fn failure(&self, status: &Status) -> Failure;

    /// The id of a stream's frame, from which a client can go on.
    fn frame_id(&self, frame: &DynamicMessage) -> Option<String>;

    /// Whether a stream that begins with this frame has nothing to say that the client does
    /// not know. An event source that is told so (204) asks no more.
    fn has_nothing_left(&self, request: &DynamicMessage, first: &DynamicMessage) -> bool;
}

/// A failed call over HTTP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The status.
    pub http: StatusCode,
    /// One word for programs.
    pub reason: String,
}
