//! The byte stream of a connection, plain or TLS. The TLS handshake happens inside the first read or write,
//! so that it does not block accepting and falls under the preface deadline.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;
use tokio_rustls::{Accept, TlsAcceptor};

/// A connection's byte stream.
pub(super) enum MaybeTlsStream {
    /// Without TLS.
    Plain(TcpStream),
    /// The TLS handshake is running.
    Handshake(Box<Accept<TcpStream>>),
    /// After the handshake.
    Tls(Box<TlsStream<TcpStream>>),
    /// The handshake failed.
    Failed,
}

impl MaybeTlsStream {
    /// Wraps an accepted socket, with TLS if there is an acceptor.
    pub(super) fn new(stream: TcpStream, acceptor: Option<&TlsAcceptor>) -> Self {
        match acceptor {
            None => Self::Plain(stream),
            Some(acceptor) => Self::Handshake(Box::new(acceptor.accept(stream))),
        }
    }

    /// Drives the handshake, then returns the stream.
    fn poll_stream(&mut self, context: &mut Context<'_>) -> Poll<io::Result<PollableStream<'_>>> {
        if let Self::Handshake(accept) = self {
            match ready!(Pin::new(&mut **accept).poll(context)) {
                Ok(stream) => *self = Self::Tls(Box::new(stream)),
                Err(error) => {
                    *self = Self::Failed;
                    tracing::debug!(%error, "TLS handshake failed");
                    return Poll::Ready(Err(error));
                }
            }
        }
        Poll::Ready(match self {
            Self::Plain(stream) => Ok(PollableStream::Plain(Pin::new(stream))),
            Self::Tls(stream) => Ok(PollableStream::Tls(Pin::new(&mut **stream))),
            Self::Handshake(_) | Self::Failed => Err(io::ErrorKind::NotConnected.into()),
        })
    }
}

/// The stream to read from and write to.
enum PollableStream<'a> {
    Plain(Pin<&'a mut TcpStream>),
    Tls(Pin<&'a mut TlsStream<TcpStream>>),
}

impl AsyncRead for MaybeTlsStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match ready!(self.poll_stream(context))? {
            PollableStream::Plain(stream) => stream.poll_read(context, buffer),
            PollableStream::Tls(stream) => stream.poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for MaybeTlsStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match ready!(self.poll_stream(context))? {
            PollableStream::Plain(stream) => stream.poll_write(context, bytes),
            PollableStream::Tls(stream) => stream.poll_write(context, bytes),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match ready!(self.poll_stream(context))? {
            PollableStream::Plain(stream) => stream.poll_write_vectored(context, slices),
            PollableStream::Tls(stream) => stream.poll_write_vectored(context, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        // Both kinds of stream support it.
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match ready!(self.poll_stream(context))? {
            PollableStream::Plain(stream) => stream.poll_flush(context),
            PollableStream::Tls(stream) => stream.poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if let Self::Handshake(_) | Self::Failed = *self {
            // There is no TLS session to close.
            return Poll::Ready(Ok(()));
        }
        match ready!(self.poll_stream(context))? {
            PollableStream::Plain(stream) => stream.poll_shutdown(context),
            PollableStream::Tls(stream) => stream.poll_shutdown(context),
        }
    }
}
