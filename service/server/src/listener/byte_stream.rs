//! The bytes of a connection: TLS, the deadline of the first bytes, the rate of its address, the write
//! timeout, and writes that leave together.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;

use super::coalescing::Coalescing;
use super::inbound::InboundLimit;
use super::preface::Preface;
use super::stream::MaybeTlsStream;
use super::write_timeout::WriteTimeout;

/// The byte stream of a connection, with bounds on silent and stalled clients.
pub(super) struct ByteStream {
    stream: MaybeTlsStream,
    inbound: InboundLimit,
    preface: Preface,
    write_timeout: WriteTimeout,
    /// Used with HTTP/2.
    coalescing: Coalescing,
}

impl ByteStream {
    /// Wraps an accepted socket, with TLS if there is an acceptor.
    pub(super) fn new(socket: TcpStream, acceptor: Option<&TlsAcceptor>, inbound: InboundLimit) -> Self {
        let stream = MaybeTlsStream::new(socket, acceptor);
        let (write_timeout, coalescing) = (WriteTimeout::default(), Coalescing::default());
        Self { stream, inbound, preface: Preface::awaited(), write_timeout, coalescing }
    }
}

impl AsyncRead for ByteStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let Self { stream, inbound, .. } = &mut *self;
        let read = inbound.poll_read(Pin::new(stream), context, buffer);
        self.preface.after_read(read.is_ready().then(|| &buffer.filled()[before..]), context)?;
        read
    }
}

impl AsyncWrite for ByteStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let Self { stream, preface, write_timeout, coalescing, .. } = &mut *self;
        let stream = Pin::new(stream);
        if !preface.is_http2() {
            return write_timeout.after(stream.poll_write(context, bytes), context);
        }
        if coalescing.yields(context) {
            return Poll::Pending;
        }
        write_timeout.after(coalescing.poll_write(stream, context, bytes), context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { stream, write_timeout, coalescing, .. } = &mut *self;
        write_timeout.after(coalescing.poll_flush(Pin::new(stream), context), context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.preface.is_http2() {
            ready!(self.as_mut().poll_flush(context))?;
        }
        let shut = Pin::new(&mut self.stream).poll_shutdown(context);
        self.write_timeout.after(shut, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if self.preface.is_http2() {
            let first = slices.iter().find(|slice| !slice.is_empty());
            return self.poll_write(context, first.map_or(&[], |slice| slice));
        }
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.write_timeout.after(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        // Without it, the HTTP/2 library writes small messages, their heads and their trailers at once.
        !self.preface.is_http2() && self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;
    use crate::listener::certificate::TlsFiles;
    use crate::listener::preface::{PREFACE_BYTES, PREFACE_TIMEOUT};
    use crate::listener::tls::Tls;

    /// Returns the two ends of a connection.
    async fn pair(acceptor: Option<&TlsAcceptor>) -> (TcpStream, ByteStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (socket, _) = listener.accept().await.unwrap();
        (client, ByteStream::new(socket, acceptor, InboundLimit::default()))
    }

    #[tokio::test(start_paused = true)]
    async fn a_missing_tls_handshake_times_out() {
        let (_silent, mut connection) = pair(Some(&tls())).await;
        let error = connection.read_to_end(&mut Vec::new()).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn plaintext_on_a_tls_listener_is_rejected() {
        let (mut plain, mut connection) = pair(Some(&tls())).await;
        plain.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.unwrap();
        assert!(connection.read_to_end(&mut Vec::new()).await.is_err());
        assert!(connection.write_all(b"late").await.is_err(), "the stream stays failed");
    }

    fn tls() -> TlsAcceptor {
        let folder = tempfile::tempdir().unwrap();
        let [certificate, key] = ["crt", "key"].map(|name| folder.path().join(name));
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        std::fs::write(&certificate, made.cert.pem()).unwrap();
        std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
        Tls::load(&TlsFiles { certificate, key }).unwrap().acceptor
    }

    #[tokio::test]
    async fn an_http2_connection_sends_what_it_holds_before_it_ends() {
        let (mut client, mut connection) = pair(None).await;
        client.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.unwrap();
        assert!(connection.is_write_vectored());
        connection.read_exact(&mut [0; PREFACE_BYTES]).await.unwrap();
        assert!(!connection.is_write_vectored());
        connection.write_all(b"last ").await.unwrap();
        assert_eq!(connection.write_vectored(&[IoSlice::new(b"words")]).await.unwrap(), 5);
        connection.shutdown().await.unwrap();
        let mut received = Vec::new();
        client.read_to_end(&mut received).await.unwrap();
        assert_eq!(received, b"last words");
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_must_send_the_preface_in_time_and_nothing_after_it() {
        let (mut silent, mut connection) = pair(None).await;
        silent.write_all(b"PRI * HTTP/2").await.unwrap();
        let mut bytes = Vec::new();
        let error = connection.read_to_end(&mut bytes).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);

        let (mut talking, mut connection) = pair(None).await;
        talking.write_all(&[0; PREFACE_BYTES]).await.unwrap();
        connection.read_exact(&mut [0; PREFACE_BYTES]).await.unwrap();
        tokio::time::advance(PREFACE_TIMEOUT * 2).await;
        talking.write_all(b"more").await.unwrap();
        assert_eq!(connection.read(&mut [0; 9]).await.unwrap(), 4);
    }
}
