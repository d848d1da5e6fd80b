//! The connections that come in: counted, so that a flood of them waits outside instead of using up the process.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::stream::{self, Stream};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Sleep, sleep};
use tokio_rustls::TlsAcceptor;
use tonic::transport::server::{Connected, TcpConnectInfo};

use crate::stall::Stall;
use crate::transport::Transport;

/// When the system has no more sockets for us, asking again at once would only burn time.
const PAUSE: Duration = Duration::from_millis(100);

/// A connection that takes longer to say hello, TLS included, is closed: its place is for those who talk.
const HELLO_WITHIN: Duration = Duration::from_secs(10);

/// What every HTTP/2 client sends first, in bytes; no request of HTTP/1.1 is shorter.
const HELLO_BYTES: usize = 24;

/// An open connection and its place among all.
pub(crate) struct Connection {
    transport: Transport,
    info: TcpConnectInfo,
    hello: Hello,
    stall: Stall,
    _place: OwnedSemaphorePermit,
}

/// How far a connection's client has introduced itself.
enum Hello {
    /// Not yet, and not for long.
    Awaited { missing: usize, late: Pin<Box<Sleep>> },
    /// From here on HTTP/2's own keepalive looks after it, or HTTP/1's time limit for headers.
    Said,
}

impl Hello {
    /// Counts what was read; while nothing is, sees whether it is too late.
    fn after_read(&mut self, read: Option<usize>, context: &mut Context<'_>) -> io::Result<()> {
        let Self::Awaited { missing, late } = self else { return Ok(()) };
        match read {
            Some(bytes) if bytes >= *missing => *self = Self::Said,
            Some(bytes) => *missing -= bytes,
            None if late.as_mut().poll(context).is_ready() => return Err(io::ErrorKind::TimedOut.into()),
            None => {}
        }
        Ok(())
    }
}

/// Accepts at most `most` connections at a time, through TLS if there is an acceptor; the system lets others wait.
pub(crate) fn accepted(
    listener: TcpListener,
    acceptor: Option<TlsAcceptor>,
    most: usize,
) -> impl Stream<Item = io::Result<Connection>> {
    let places = Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS)));
    stream::unfold((listener, acceptor, places), async |(listener, acceptor, places)| {
        let place = Arc::clone(&places).acquire_owned().await.ok()?;
        let stream = next(&listener).await;
        let hello = Hello::Awaited { missing: HELLO_BYTES, late: Box::pin(sleep(HELLO_WITHIN)) };
        let info = stream.connect_info();
        let transport = Transport::new(stream, acceptor.as_ref());
        Some((
            Ok(Connection { transport, info, hello, stall: Stall::default(), _place: place }),
            (listener, acceptor, places),
        ))
    })
}

async fn next(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // A connection that is gone already says so when it is read.
                let _ = stream.set_nodelay(true);
                return stream;
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                sleep(PAUSE).await;
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
        let read = Pin::new(&mut self.transport).poll_read(context, buffer);
        let bytes = read.is_ready().then(|| buffer.filled().len() - before);
        self.hello.after_read(bytes, context)?;
        read
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.transport).poll_write(context, bytes);
        self.stall.after(written, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.transport).poll_flush(context);
        self.stall.after(flushed, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.transport).poll_shutdown(context);
        self.stall.after(shut, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.transport).poll_write_vectored(context, slices);
        self.stall.after(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.transport.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;
    use crate::tls::{Tls, TlsFiles};

    #[tokio::test(start_paused = true)]
    async fn a_handshake_that_never_comes_is_late_too() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut accepted = Box::pin(accepted(listener, Some(tls()), 1));
        let _silent = TcpStream::connect(address).await.unwrap();
        let mut connection = accepted.next().await.unwrap().unwrap();
        let error = connection.read_to_end(&mut Vec::new()).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn who_speaks_no_tls_is_turned_away() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut accepted = Box::pin(accepted(listener, Some(tls()), 1));
        let mut plain = TcpStream::connect(address).await.unwrap();
        plain.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.unwrap();
        let mut connection = accepted.next().await.unwrap().unwrap();
        assert!(connection.read_to_end(&mut Vec::new()).await.is_err());
        assert!(connection.write_all(b"late").await.is_err(), "and stays so");
        assert_eq!(connection.connect_info().remote_addr(), Some(plain.local_addr().unwrap()));
    }

    fn tls() -> TlsAcceptor {
        let folder = tempfile::tempdir().unwrap();
        let [certificate, key] = ["crt", "key"].map(|name| folder.path().join(name));
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        std::fs::write(&certificate, made.cert.pem()).unwrap();
        std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
        Tls::open(&TlsFiles { certificate, key }).unwrap().acceptor
    }

    #[tokio::test(start_paused = true)]
    async fn who_never_says_hello_loses_the_place_to_the_next() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut accepted = Box::pin(accepted(listener, None, 1));

        let mut silent = TcpStream::connect(address).await.unwrap();
        silent.write_all(b"PRI * HTTP/2").await.unwrap();
        let mut connection = accepted.next().await.unwrap().unwrap();
        let mut bytes = Vec::new();
        let error = connection.read_to_end(&mut bytes).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(connection);

        let mut talking = TcpStream::connect(address).await.unwrap();
        talking.write_all(&[0; HELLO_BYTES]).await.unwrap();
        let mut connection = accepted.next().await.unwrap().unwrap();
        connection.read_exact(&mut [0; HELLO_BYTES]).await.unwrap();
        tokio::time::advance(HELLO_WITHIN * 2).await;
        talking.write_all(b"more").await.unwrap();
        assert_eq!(connection.read(&mut [0; 9]).await.unwrap(), 4);
    }
}
