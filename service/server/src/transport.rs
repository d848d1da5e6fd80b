//! The bytes of a connection, plain or through TLS. The handshake happens within the first read or write, so that it
//! holds up nobody else and falls under the same deadline as the rest of the introduction.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;
use tokio_rustls::{Accept, TlsAcceptor};

/// One connection's bytes.
pub(crate) enum Transport {
    /// As they come.
    Plain(TcpStream),
    /// The handshake is under way.
    Greeting(Box<Accept<TcpStream>>),
    /// Through TLS.
    Secured(Box<TlsStream<TcpStream>>),
    /// The handshake failed.
    Refused,
}

impl Transport {
    /// TLS if there is an acceptor.
    pub(crate) fn new(stream: TcpStream, acceptor: Option<&TlsAcceptor>) -> Self {
        match acceptor {
            None => Self::Plain(stream),
            Some(acceptor) => Self::Greeting(Box::new(acceptor.accept(stream))),
        }
    }

    /// The stream, once there is one.
    fn poll_stream(&mut self, context: &mut Context<'_>) -> Poll<io::Result<Stream<'_>>> {
        if let Self::Greeting(accept) = self {
            match ready!(Pin::new(&mut **accept).poll(context)) {
                Ok(stream) => *self = Self::Secured(Box::new(stream)),
                Err(error) => {
                    *self = Self::Refused;
                    tracing::debug!(%error, "a TLS handshake failed");
                    return Poll::Ready(Err(error));
                }
            }
        }
        Poll::Ready(match self {
            Self::Plain(stream) => Ok(Stream::Plain(Pin::new(stream))),
            Self::Secured(stream) => Ok(Stream::Secured(Pin::new(&mut **stream))),
            Self::Greeting(_) | Self::Refused => Err(io::ErrorKind::NotConnected.into()),
        })
    }
}

/// What is read from and written to.
enum Stream<'a> {
    Plain(Pin<&'a mut TcpStream>),
    Secured(Pin<&'a mut TlsStream<TcpStream>>),
}

impl AsyncRead for Transport {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match ready!(self.poll_stream(context))? {
            Stream::Plain(stream) => stream.poll_read(context, buffer),
            Stream::Secured(stream) => stream.poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Transport {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match ready!(self.poll_stream(context))? {
            Stream::Plain(stream) => stream.poll_write(context, bytes),
            Stream::Secured(stream) => stream.poll_write(context, bytes),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match ready!(self.poll_stream(context))? {
            Stream::Plain(stream) => stream.poll_write_vectored(context, slices),
            Stream::Secured(stream) => stream.poll_write_vectored(context, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        // Both kinds of stream are.
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match ready!(self.poll_stream(context))? {
            Stream::Plain(stream) => stream.poll_flush(context),
            Stream::Secured(stream) => stream.poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if let Self::Greeting(_) | Self::Refused = *self {
            // Nothing was said yet that would need a farewell.
            return Poll::Ready(Ok(()));
        }
        match ready!(self.poll_stream(context))? {
            Stream::Plain(stream) => stream.poll_shutdown(context),
            Stream::Secured(stream) => stream.poll_shutdown(context),
        }
    }
}
