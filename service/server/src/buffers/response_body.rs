//! A response's body whose bytes count until the client has taken them.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Body as _, Frame, SizeHint};
use tonic::Status;
use tonic::body::Body;

use super::budget::{ClientBudget, refusal};
use super::charge::Charge;
use super::exchange::{ExchangeGuard, ResponseKind, SMALL};
use crate::listener::Connection;
use crate::protocol;

/// Large messages are handed over in pieces, so that a slow client shows progress.
const PIECE: usize = 16 << 10;

/// A response's body.
pub(super) struct ResponseBody {
    body: Body,
    counting: Counting,
    guard: Arc<ExchangeGuard>,
    /// What remains of a large message.
    rest: Option<Piece>,
    ended: bool,
}

/// How the bytes of a body are counted.
enum Counting {
    /// The whole body has been.
    Charged(Arc<Charge>, Option<Arc<Connection>>),
    /// Each message when it is made.
    PerMessage(ClientBudget, ResponseKind),
}

/// A part of a message. The transport keeps it until the client takes it.
struct Piece {
    bytes: Bytes,
    charge: Arc<Charge>,
    connection: Option<Arc<Connection>>,
    guard: Arc<ExchangeGuard>,
}

impl ResponseBody {
    /// Wraps a body that is counted message by message.
    pub(super) fn counted(
        body: Body,
        kind: ResponseKind,
        client: ClientBudget,
        guard: Arc<ExchangeGuard>,
    ) -> Body {
        let counting = Counting::PerMessage(client, kind);
        Body::new(Self { body, counting, guard, rest: None, ended: false })
    }

    /// Wraps a body that is counted already.
    pub(super) fn charged(body: Body, charge: Charge, guard: Arc<ExchangeGuard>) -> Body {
        if body.is_end_stream() {
            return body;
        }
        let connection = charge.connection();
        let counting = Counting::Charged(Arc::new(charge), connection);
        Body::new(Self { body, counting, guard, rest: None, ended: false })
    }

    /// Counts a message, or returns the status that ends the stream.
    fn count(&self, bytes: Bytes) -> Result<Piece, Status> {
        let guard = Arc::clone(&self.guard);
        match &self.counting {
            Counting::Charged(charge, connection) => {
                Ok(Piece { bytes, charge: Arc::clone(charge), connection: connection.clone(), guard })
            }
            Counting::PerMessage(client, kind) => {
                let to_status = |exhausted| protocol::to_status(&refusal(exhausted));
                let mut charge = Charge::nothing(client);
                match charge.grow(bytes.len()) {
                    Err(_) if *kind == ResponseKind::GrpcUnary && bytes.len() <= SMALL => {
                        charge.grow_anyway(bytes.len());
                    }
                    result => result.map_err(to_status)?,
                }
                let connection = charge.connection();
                Ok(Piece { bytes, charge: Arc::new(charge), connection, guard })
            }
        }
    }

    /// Ends the stream with a status.
    fn fail(&mut self, status: Status) -> Result<Frame<Bytes>, Status> {
        self.ended = true;
        match self.counting {
            Counting::PerMessage(_, ResponseKind::GrpcUnary | ResponseKind::GrpcStream) => {
                Ok(Frame::trailers(status.into_http::<()>().into_parts().0.headers))
            }
            Counting::Charged(..) | Counting::PerMessage(_, ResponseKind::Http) => Err(status),
        }
    }

    /// Returns the next part of a large message.
    fn next_piece(&mut self) -> Option<Frame<Bytes>> {
        let mut rest = self.rest.take()?;
        if rest.bytes.len() > PIECE {
            let bytes = rest.bytes.split_to(PIECE);
            let piece = Piece {
                bytes,
                charge: Arc::clone(&rest.charge),
                connection: rest.connection.clone(),
                guard: Arc::clone(&rest.guard),
            };
            self.rest = Some(rest);
            return Some(Frame::data(Bytes::from_owner(piece)));
        }
        Some(Frame::data(Bytes::from_owner(rest)))
    }
}

impl http_body::Body for ResponseBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        if let Some(piece) = self.next_piece() {
            return Poll::Ready(Some(Ok(piece)));
        }
        if self.ended {
            return Poll::Ready(None);
        }
        let frame = match ready!(Pin::new(&mut self.body).poll_frame(context)) {
            None => {
                self.ended = true;
                return Poll::Ready(None);
            }
            Some(Err(status)) => return Poll::Ready(Some(Err(status))),
            Some(Ok(frame)) => frame,
        };
        let bytes = match frame.into_data() {
            Ok(bytes) if bytes.is_empty() => return Poll::Ready(Some(Ok(Frame::data(bytes)))),
            Ok(bytes) => bytes,
            Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
        };
        match self.count(bytes) {
            Ok(piece) => {
                self.rest = Some(piece);
                Poll::Ready(self.next_piece().map(Ok))
            }
            Err(status) => Poll::Ready(Some(self.fail(status))),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_none() && (self.ended || self.body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.rest.as_ref().map_or(0, |piece| piece.bytes.len() as u64);
        let inner = self.body.size_hint();
        let mut hint = SizeHint::new();
        hint.set_lower(inner.lower().saturating_add(rest));
        if let Some(upper) = inner.upper() {
            hint.set_upper(upper.saturating_add(rest));
        }
        hint
    }
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        if let Some(connection) = &self.connection {
            connection.note_progress();
        }
    }
}
