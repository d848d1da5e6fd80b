//! A connection to a receiver that ends itself when it has read too much since the last request. A receiver
//! can send without ever answering: interim responses (1xx), and over TLS session tickets and empty records.
//! The client reads on to the end of the attempt, as fast as they come and without a pause for other tasks.

use std::io::{Error, IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper_util::client::legacy::connect::{Connected, Connection};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Most bytes that are read after a request: a TLS handshake, whose certificates have at most 64 KiB, and the
/// head of an answer.
pub(super) const MAX_READ_BYTES: usize = 192 << 10;

/// Fewest bytes of a write that can be a request. Smaller writes are TLS's own, such as the replies to key
/// updates, which a receiver can ask for as often as it likes.
const REQUEST_BYTES: usize = 200;

/// A stream that counts what it reads.
pub(super) struct Metered<S> {
    stream: S,
    /// Bytes since the last write that can be a request.
    read: usize,
}

impl<S> Metered<S> {
    pub(super) fn new(stream: S) -> Self {
        Self { stream, read: 0 }
    }

    fn count_written(&mut self, bytes: usize) {
        if bytes >= REQUEST_BYTES {
            self.read = 0;
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Metered<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        if self.read > MAX_READ_BYTES {
            return Poll::Ready(Err(Error::other("the receiver sends without answering")));
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        self.read += buffer.filled().len() - before;
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Metered<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, bytes))?;
        self.count_written(written);
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write_vectored(context, buffers))?;
        self.count_written(written);
        Poll::Ready(Ok(written))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

impl<S: Connection> Connection for Metered<S> {
    fn connected(&self) -> Connected {
        self.stream.connected()
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    /// Writes from the other side, and returns how much of it arrives before the stream ends itself.
    async fn reads(stream: &mut Metered<tokio::io::DuplexStream>, bytes: usize) -> Result<usize> {
        let mut buffer = vec![0; 1 << 10];
        let mut read = 0;
        while read < bytes {
            read += stream.read(&mut buffer).await?;
        }
        Ok(read)
    }

    #[tokio::test]
    async fn what_is_read_is_bounded_until_the_next_request() {
        let (near, mut far) = duplex(MAX_READ_BYTES * 4);
        let mut near = Metered::new(near);
        far.write_all(&vec![0; MAX_READ_BYTES * 3]).await.unwrap();
        assert_eq!(reads(&mut near, MAX_READ_BYTES).await.unwrap(), MAX_READ_BYTES);
        near.write_all(&[0; REQUEST_BYTES]).await.unwrap();
        assert_eq!(reads(&mut near, MAX_READ_BYTES).await.unwrap(), MAX_READ_BYTES);
        near.write_all(&[0; REQUEST_BYTES - 1]).await.unwrap();
        let error = reads(&mut near, MAX_READ_BYTES).await.unwrap_err();
        assert_eq!(error.to_string(), "the receiver sends without answering");
    }
}
