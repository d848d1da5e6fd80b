//! Receives the message of a gRPC call before the call takes a permit, so that a client that sends none holds
//! nothing that others need.

use std::time::Duration;

use http::{Request, Response};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use play::Refusal;
use tokio::time::timeout;
use tonic::Status;
use tonic::body::Body;
use wire::v1::ErrorReason;

use crate::protocol;

/// Length of the prefix of a gRPC message.
const PREFIX_BYTES: usize = 5;

/// The limits of a request's message.
#[derive(Debug, Clone, Copy)]
pub(super) struct MessageLimits {
    /// Maximum size in bytes.
    pub(super) max_bytes: usize,
    /// Maximum time from the headers to the last byte.
    pub(super) timeout: Duration,
}

impl MessageLimits {
    /// Returns the request with its whole message, or the response that refuses it.
    pub(super) async fn receive(self, request: Request<Body>) -> Result<Request<Body>, Response<Body>> {
        let (parts, body) = request.into_parts();
        let limited = Limited::new(body, self.max_bytes.saturating_add(PREFIX_BYTES));
        let refusal = match timeout(self.timeout, limited.collect()).await {
            Ok(Ok(whole)) => return Ok(Request::from_parts(parts, Body::new(Full::new(whole.to_bytes())))),
            Ok(Err(error)) if error.is::<LengthLimitError>() => self.too_large(),
            Ok(Err(error)) => match error.downcast::<Status>() {
                // Over the budget of bytes; its statuses have details.
                Ok(status) if !status.details().is_empty() => return Err(status.into_http()),
                _ => Refusal::new(ErrorReason::InvalidArgument, "the request's message could not be read"),
            },
            Err(_elapsed) => {
                let message = format!("the message did not arrive within {} ms", self.timeout.as_millis());
                Refusal::new(ErrorReason::InvalidArgument, message)
            }
        };
        Err(protocol::to_status(&refusal).into_http())
    }

    /// Returns the refusal of a message that is too large.
    pub(super) fn too_large(self) -> Refusal {
        let limit = self.max_bytes;
        let message = format!("the request exceeds the limit of {limit} bytes");
        Refusal::new(ErrorReason::MessageTooLarge, message).with("max_bytes", limit)
    }
}
