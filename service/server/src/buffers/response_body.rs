//! A response's body whose bytes count until the client has taken them.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_util::FutureExt;
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::BodyExt;
use play::Refusal;
use tonic::Status;
use tonic::body::Body;

use super::budget::{ClientBudget, refusal};
use super::charge::Charge;
use super::exchange::{ExchangeGuard, ResponseKind, SMALL};
use crate::admission::Exhausted;
use crate::listener::Connection;
use crate::protocol;

/// Large messages are handed over in pieces, so that a slow client shows progress.
const PIECE: usize = 16 << 10;

/// How many times a message of a stream over HTTP counts: the gRPC codecs that it goes through keep buffers
/// of the size of their greatest message.
const COPIES_OVER_HTTP: usize = 3;

/// A response's body.
pub(super) struct ResponseBody {
    body: Body,
    counting: Counting,
    guard: Arc<ExchangeGuard>,
    /// What remains of a large message.
    rest: Option<Piece>,
    /// A frame without data, or the end, that came before the headers were sent.
    polled: Option<Polled>,
    ended: bool,
}

/// What a body returned when it was polled.
type Polled = Option<Result<Frame<Bytes>, Status>>;

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

impl ResponseKind {
    /// Returns how many times a message of a stream stands in memory.
    fn copies(self) -> usize {
        match self {
            Self::GrpcUnary | Self::GrpcStream => 1,
            Self::Http => COPIES_OVER_HTTP,
        }
    }
}

impl ResponseBody {
    /// Wraps a body that is counted message by message.
    pub(super) fn counted(
        body: Body,
        kind: ResponseKind,
        client: ClientBudget,
        guard: Arc<ExchangeGuard>,
    ) -> Self {
        let counting = Counting::PerMessage(client, kind);
        Self { body, counting, guard, rest: None, polled: None, ended: false }
    }

    /// Counts the first message if it is there already, or returns its refusal.
    pub(super) fn count_first(&mut self) -> Result<(), Refusal> {
        match self.body.frame().now_or_never().map(|next| next.map(|frame| frame.map(Frame::into_data))) {
            None => {}
            Some(Some(Ok(Ok(bytes)))) => self.rest = Some(self.count(bytes).map_err(refusal)?),
            Some(Some(Ok(Err(trailers)))) => self.polled = Some(Some(Ok(trailers))),
            Some(Some(Err(status))) => self.polled = Some(Some(Err(status))),
            Some(None) => self.polled = Some(None),
        }
        Ok(())
    }

    /// Wraps a body that is counted already.
    pub(super) fn charged(body: Body, charge: Charge, guard: Arc<ExchangeGuard>) -> Body {
        if body.is_end_stream() {
            return body;
        }
        let connection = charge.connection();
        let counting = Counting::Charged(Arc::new(charge), connection);
        Body::new(Self { body, counting, guard, rest: None, polled: None, ended: false })
    }

    /// Counts a message.
    fn count(&self, bytes: Bytes) -> Result<Piece, Exhausted> {
        let guard = Arc::clone(&self.guard);
        match &self.counting {
            Counting::Charged(charge, connection) => {
                Ok(Piece { bytes, charge: Arc::clone(charge), connection: connection.clone(), guard })
            }
            Counting::PerMessage(client, kind) => {
                let mut charge = Charge::nothing(client);
                match charge.grow(bytes.len().saturating_mul(kind.copies())) {
                    Err(_) if *kind == ResponseKind::GrpcUnary && bytes.len() <= SMALL => {
                        charge.grow_anyway(bytes.len());
                    }
                    result => result?,
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
        let polled = match self.polled.take() {
            Some(polled) => polled,
            None => ready!(Pin::new(&mut self.body).poll_frame(context)),
        };
        let frame = match polled {
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
            Err(exhausted) => Poll::Ready(Some(self.fail(protocol::to_status(&refusal(exhausted))))),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_none() && self.polled.is_none() && (self.ended || self.body.is_end_stream())
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
