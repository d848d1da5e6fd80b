//! A request and its response, and the bytes that they occupy.

use std::sync::Arc;

use http::{Method, Request, Response};
use http_body::Body as _;
use play::Refusal;
use tonic::body::Body;

use super::budget::{ClientBudget, refusal};
use super::charge::Charge;
use super::received_bytes::ReceivedBytes;
use super::request_body::RequestBody;
use super::response_body::ResponseBody;
use crate::listener::{Connection, RunningCall};

/// Responses and messages up to this size are sent whatever the budget, so that a change is always answered.
pub(super) const SMALL: usize = 64 << 10;

/// A request in progress.
pub(crate) struct Exchange {
    client: ClientBudget,
    /// Whether the request changes nothing, so that its response may be replaced by a refusal.
    is_safe: bool,
    /// The bytes of the request's body.
    received: ReceivedBytes,
    guard: Arc<ExchangeGuard>,
}

/// What ends when the last byte of a response has been taken.
pub(super) struct ExchangeGuard {
    _call: Option<RunningCall>,
    _base: Charge,
}

/// How a response ends if a message of it exceeds the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResponseKind {
    /// One message over gRPC: by a status in the trailers. Small ones are always sent.
    GrpcUnary,
    /// Many messages over gRPC: by a status in the trailers.
    GrpcStream,
    /// Any other: by the end of the connection or stream. Whole bodies and the first message of a stream are
    /// checked before the headers are sent.
    Http,
}

impl Exchange {
    /// Begins an exchange, whose request is counted by `base`.
    pub(super) fn begin(client: ClientBudget, base: Charge, request: &mut Request<Body>) -> Self {
        let is_safe = matches!(*request.method(), Method::GET | Method::HEAD);
        let call = Connection::of(request.extensions()).map(Connection::begin_call);
        let received = ReceivedBytes::nothing(client.clone());
        let body = std::mem::take(request.body_mut());
        *request.body_mut() = RequestBody::wrap(body, received.clone());
        request.extensions_mut().insert(received.clone());
        let guard = Arc::new(ExchangeGuard { _call: call, _base: base });
        Self { client, is_safe, received, guard }
    }

    /// Counts the response until the client has taken it. Returns the refusal to send instead if it is large,
    /// exceeds the budget, and nothing was changed.
    pub(crate) fn finish(
        self,
        kind: ResponseKind,
        response: Response<Body>,
    ) -> Result<Response<Body>, Refusal> {
        let Self { client, is_safe, received, guard } = self;
        // The request has been read.
        drop(received);
        let (Some(size), ResponseKind::Http) = (WholeSize::of(&response), kind) else {
            let (parts, body) = response.into_parts();
            let mut body = ResponseBody::counted(body, kind, client, guard);
            if kind == ResponseKind::Http {
                // Before the headers are sent, a stream can still be refused.
                body.count_first()?;
            }
            return Ok(Response::from_parts(parts, Body::new(body)));
        };
        let mut charge = Charge::nothing(&client);
        match charge.grow(size) {
            Err(exhausted) if size > SMALL && is_safe => return Err(refusal(exhausted)),
            Err(_) => charge.grow_anyway(size),
            Ok(()) => {}
        }
        Ok(response.map(|body| ResponseBody::charged(body, charge, guard)))
    }
}

/// The size of a response's body, in its extensions where a later layer compresses it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WholeSize(usize);

impl WholeSize {
    /// Notes the size of a body that is whole.
    pub(crate) fn note(response: &mut Response<Body>) {
        if let Some(size) = exact_size(response) {
            response.extensions_mut().insert(Self(size));
        }
    }

    /// Returns the noted size, or that of the body itself. Streams have none.
    fn of(response: &Response<Body>) -> Option<usize> {
        response.extensions().get().map(|Self(size)| *size).or_else(|| exact_size(response))
    }
}

fn exact_size(response: &Response<Body>) -> Option<usize> {
    response.body().size_hint().exact().and_then(|size| usize::try_from(size).ok())
}
