//! One write for what an HTTP/2 connection has to send at the same time. A batch of the journal answers many
//! calls at once; sent one by one, they would cost a system call or two each.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::AsyncWrite;

/// A write of up to so many bytes is kept until the next one or the flush. It may be the head of a frame,
/// whose payload is written next.
const MAX_HELD: usize = 1 << 10;

/// The writes of an HTTP/2 connection.
#[derive(Default)]
pub(super) struct Coalescing {
    /// Whether other tasks had their turn since the last flush, so that their responses are in this write.
    yielded: bool,
    /// Bytes that were taken but are not written yet.
    held: Vec<u8>,
}

impl Coalescing {
    /// Returns whether the task has to let others run before it writes. It is woken after those that are
    /// ready now.
    pub(super) fn yields(&mut self, context: &Context<'_>) -> bool {
        if self.yielded {
            return false;
        }
        self.yielded = true;
        context.waker().wake_by_ref();
        true
    }

    /// Writes bytes, together with those that are held.
    pub(super) fn poll_write<W: AsyncWrite>(
        &mut self,
        mut stream: Pin<&mut W>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.held.len() + bytes.len() <= MAX_HELD {
            self.held.extend_from_slice(bytes);
            return Poll::Ready(Ok(bytes.len()));
        }
        while !self.held.is_empty() {
            let both = [IoSlice::new(&self.held), IoSlice::new(bytes)];
            let written = ready!(stream.as_mut().poll_write_vectored(context, &both))?;
            let of_held = written.min(self.held.len());
            self.release(of_held)?;
            if written > of_held {
                return Poll::Ready(Ok(written - of_held));
            }
        }
        stream.poll_write(context, bytes)
    }

    /// Writes the bytes that are held.
    pub(super) fn poll_flush<W: AsyncWrite>(
        &mut self,
        mut stream: Pin<&mut W>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        while !self.held.is_empty() {
            let written = ready!(stream.as_mut().poll_write(context, &self.held))?;
            self.release(written)?;
        }
        self.yielded = false;
        stream.poll_flush(context)
    }

    fn release(&mut self, written: usize) -> io::Result<()> {
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        self.held.drain(..written);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::task::yield_now;

    use super::*;

    /// Takes up to `room` bytes per write and keeps each write.
    struct Writes {
        room: usize,
        taken: Vec<Vec<u8>>,
    }

    impl Writes {
        fn new(room: usize) -> Self {
            Self { room, taken: Vec::new() }
        }
    }

    impl AsyncWrite for Writes {
        fn poll_write(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            bytes: &[u8],
        ) -> Poll<io::Result<usize>> {
            let taken = bytes[..bytes.len().min(self.room)].to_vec();
            self.taken.push(taken);
            Poll::Ready(Ok(bytes.len().min(self.room)))
        }

        fn poll_write_vectored(
            self: Pin<&mut Self>,
            context: &mut Context<'_>,
            slices: &[IoSlice<'_>],
        ) -> Poll<io::Result<usize>> {
            let bytes = slices.iter().flat_map(|slice| slice.iter().copied()).collect::<Vec<_>>();
            self.poll_write(context, &bytes)
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    async fn write_all(coalescing: &mut Coalescing, stream: &mut Writes, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let stream = &mut *stream;
            let write = poll_fn(|context| coalescing.poll_write(Pin::new(&mut *stream), context, bytes));
            bytes = &bytes[write.await.unwrap()..];
        }
    }

    async fn flush(coalescing: &mut Coalescing, stream: &mut Writes) {
        poll_fn(|context| coalescing.poll_flush(Pin::new(&mut *stream), context)).await.unwrap();
    }

    #[tokio::test]
    async fn small_writes_leave_together_at_the_flush() {
        let (mut coalescing, mut stream) = (Coalescing::default(), Writes::new(usize::MAX));
        for part in [b"head".as_slice(), b"message", b"trailers"] {
            write_all(&mut coalescing, &mut stream, part).await;
        }
        assert!(stream.taken.is_empty());
        flush(&mut coalescing, &mut stream).await;
        assert_eq!(stream.taken, [b"headmessagetrailers"]);
    }

    #[tokio::test]
    async fn a_head_leaves_with_its_payload() {
        let (mut coalescing, mut stream) = (Coalescing::default(), Writes::new(usize::MAX));
        write_all(&mut coalescing, &mut stream, b"head").await;
        write_all(&mut coalescing, &mut stream, &[7; 4 * MAX_HELD]).await;
        assert_eq!(stream.taken, [[b"head".as_slice(), &[7; 4 * MAX_HELD]].concat()]);
        write_all(&mut coalescing, &mut stream, &[8; 4 * MAX_HELD]).await;
        flush(&mut coalescing, &mut stream).await;
        assert_eq!(stream.taken[1..], [[8; 4 * MAX_HELD]], "nothing is held or written twice");
    }

    #[tokio::test]
    async fn bytes_arrive_in_order_through_any_short_writes() {
        let sent: Vec<u8> = (0..=255).cycle().take(9 * MAX_HELD).collect();
        for room in [1, 3, MAX_HELD - 1, MAX_HELD, MAX_HELD + 1] {
            let (mut coalescing, mut stream) = (Coalescing::default(), Writes::new(room));
            let mut rest = &sent[..];
            for size in [1, 9, MAX_HELD - 10, 1, 2 * MAX_HELD, MAX_HELD, 5 * MAX_HELD - 1] {
                let (part, after) = rest.split_at(size);
                write_all(&mut coalescing, &mut stream, part).await;
                rest = after;
            }
            flush(&mut coalescing, &mut stream).await;
            assert_eq!(stream.taken.concat(), sent[..sent.len() - rest.len()], "room for {room}");
        }
    }

    #[tokio::test]
    async fn a_stream_that_takes_nothing_fails() {
        let (mut coalescing, mut stream) = (Coalescing::default(), Writes::new(0));
        write_all(&mut coalescing, &mut stream, b"head").await;
        let flushed = poll_fn(|context| coalescing.poll_flush(Pin::new(&mut stream), context)).await;
        assert_eq!(flushed.unwrap_err().kind(), io::ErrorKind::WriteZero);
    }

    #[tokio::test]
    async fn other_tasks_run_once_before_the_writes_of_each_flush() {
        let turns = Arc::new(AtomicUsize::new(0));
        let others = Arc::clone(&turns);
        tokio::spawn(async move {
            loop {
                others.fetch_add(1, Ordering::Relaxed);
                yield_now().await;
            }
        });
        let (mut coalescing, mut stream) = (Coalescing::default(), Writes::new(usize::MAX));
        for round in 1..4 {
            let mut polls = 0;
            poll_fn(|context| {
                polls += 1;
                if coalescing.yields(context) { Poll::Pending } else { Poll::Ready(()) }
            })
            .await;
            assert_eq!((polls, turns.load(Ordering::Relaxed)), (2, round));
            write_all(&mut coalescing, &mut stream, b"message").await;
            assert!(poll_fn(|context| Poll::Ready(!coalescing.yields(context))).await);
            flush(&mut coalescing, &mut stream).await;
        }
    }
}
