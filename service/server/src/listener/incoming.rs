//! Incoming connections, limited in number: further ones wait in the kernel's backlog instead of exhausting
//! the process.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::stream::{self, Stream};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;
use tonic::transport::server::{Connected, TcpConnectInfo};

use super::preface::Preface;
use super::stream::MaybeTlsStream;
use super::write_timeout::WriteTimeout;

/// Pause after a failed accept: without free sockets, an immediate retry would only burn CPU time.
const ACCEPT_RETRY: Duration = Duration::from_millis(100);

/// An open connection and its permit.
pub(crate) struct Connection {
    stream: MaybeTlsStream,
    info: TcpConnectInfo,
    preface: Preface,
    write_timeout: WriteTimeout,
    _permit: OwnedSemaphorePermit,
}

/// Accepts up to `max_connections` at a time, with TLS if there is an acceptor.
pub(crate) fn incoming(
    listener: TcpListener,
    acceptor: Option<TlsAcceptor>,
    max_connections: usize,
) -> impl Stream<Item = io::Result<Connection>> {
    let permits = Arc::new(Semaphore::new(max_connections.min(Semaphore::MAX_PERMITS)));
    stream::unfold((listener, acceptor, permits), async |(listener, acceptor, permits)| {
        let permit = Arc::clone(&permits).acquire_owned().await.ok()?;
        let socket = accept(&listener).await;
        let info = socket.connect_info();
        let stream = MaybeTlsStream::new(socket, acceptor.as_ref());
        let (preface, write_timeout) = (Preface::awaited(), WriteTimeout::default());
        Some((
            Ok(Connection { stream, info, preface, write_timeout, _permit: permit }),
            (listener, acceptor, permits),
        ))
    })
}

async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((socket, _)) => {
                // If the connection is already closed, the first read reports it.
                let _ = socket.set_nodelay(true);
                return socket;
            }
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                sleep(ACCEPT_RETRY).await;
            }
        }
    }
}

impl Connected for Connection {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> TcpConnectInfo {
        self.info.clone()
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        let bytes = read.is_ready().then(|| buffer.filled().len() - before);
        self.preface.after_read(bytes, context)?;
        read
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.write_timeout.after(written, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.write_timeout.after(flushed, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(context);
        self.write_timeout.after(shut, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.write_timeout.after(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;
    use crate::listener::certificate::TlsFiles;
    use crate::listener::preface::{PREFACE_BYTES, PREFACE_TIMEOUT};
    use crate::listener::tls::Tls;

    #[tokio::test(start_paused = true)]
    async fn a_missing_tls_handshake_times_out() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut incoming = Box::pin(incoming(listener, Some(tls()), 1));
        let _silent = TcpStream::connect(address).await.unwrap();
        let mut connection = incoming.next().await.unwrap().unwrap();
        let error = connection.read_to_end(&mut Vec::new()).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn plaintext_on_a_tls_listener_is_rejected() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut incoming = Box::pin(incoming(listener, Some(tls()), 1));
        let mut plain = TcpStream::connect(address).await.unwrap();
        plain.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.unwrap();
        let mut connection = incoming.next().await.unwrap().unwrap();
        assert!(connection.read_to_end(&mut Vec::new()).await.is_err());
        assert!(connection.write_all(b"late").await.is_err(), "the stream stays failed");
        assert_eq!(connection.connect_info().remote_addr(), Some(plain.local_addr().unwrap()));
    }

    fn tls() -> TlsAcceptor {
        let folder = tempfile::tempdir().unwrap();
        let [certificate, key] = ["crt", "key"].map(|name| folder.path().join(name));
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        std::fs::write(&certificate, made.cert.pem()).unwrap();
        std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
        Tls::load(&TlsFiles { certificate, key }).unwrap().acceptor
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_sends_no_preface_frees_its_permit() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut incoming = Box::pin(incoming(listener, None, 1));

        let mut silent = TcpStream::connect(address).await.unwrap();
        silent.write_all(b"PRI * HTTP/2").await.unwrap();
        let mut connection = incoming.next().await.unwrap().unwrap();
        let mut bytes = Vec::new();
        let error = connection.read_to_end(&mut bytes).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(connection);

        let mut talking = TcpStream::connect(address).await.unwrap();
        talking.write_all(&[0; PREFACE_BYTES]).await.unwrap();
        let mut connection = incoming.next().await.unwrap().unwrap();
        connection.read_exact(&mut [0; PREFACE_BYTES]).await.unwrap();
        tokio::time::advance(PREFACE_TIMEOUT * 2).await;
        talking.write_all(b"more").await.unwrap();
        assert_eq!(connection.read(&mut [0; 9]).await.unwrap(), 4);
    }
}
