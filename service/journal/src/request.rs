//! An append on its way through a lane, and the ticket on which its caller waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use tokio::sync::oneshot;
use tracing::Span;

use crate::{Append, AppendError, Committed};

/// What the lane holds. Dropping it unanswered tells the caller that nobody will answer.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) append: Append,
    pub(crate) size: usize,
    /// The step of a call that waits for it; disabled if nobody follows calls.
    pub(crate) step: Span,
    answer: oneshot::Sender<Result<Committed, AppendError>>,
    stage: Arc<Stage>,
}

/// What the caller holds.
#[derive(Debug)]
pub(crate) struct Ticket {
    answer: oneshot::Receiver<Result<Committed, AppendError>>,
    stage: Arc<Stage>,
}

/// How far a request has come; caller and lane agree on it by compare-and-swap.
#[derive(Debug)]
struct Stage(AtomicU8);

const WAITING: u8 = 0;
const SENT: u8 = 1;
const ABANDONED: u8 = 2;

impl Request {
    pub(crate) fn new(append: Append, step: Span) -> (Request, Ticket) {
        let (sender, receiver) = oneshot::channel();
        let stage = Arc::new(Stage(AtomicU8::new(WAITING)));
        let size = append.size();
        let ticket = Ticket { answer: receiver, stage: stage.clone() };
        (Request { append, size, step, answer: sender, stage }, ticket)
    }

    /// Says that it goes to the database now, unless the caller was told that it would not.
    pub(crate) fn start(&self) -> Started {
        match self.stage.0.compare_exchange(WAITING, SENT, Ordering::AcqRel, Ordering::Acquire) {
            Err(ABANDONED) => Started::Abandoned,
            _ => Started::Yes,
        }
    }

    /// Answers; a caller that went away is no error.
    pub(crate) fn answer(self, answer: Result<Committed, AppendError>) {
        drop(self.answer.send(answer));
    }

    /// Answers that it is written, and tells whether the caller was still there to hear it.
    pub(crate) fn acknowledge(self, committed: Committed) -> Heard {
        match self.answer.send(Ok(committed)) {
            Ok(()) => Heard::Yes,
            Err(_unheard) => Heard::No,
        }
    }
}

/// Whether somebody was there for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    Yes,
    No,
}

/// Whether a request may still be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Started {
    Yes,
    Abandoned,
}

impl Ticket {
    /// Waits for the answer, but not for ever.
    pub(crate) async fn wait(mut self, at_most: Duration) -> Result<Committed, AppendError> {
        match tokio::time::timeout(at_most, &mut self.answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_dropped)) => Err(self.give_up(AppendError::Stopped)),
            Err(_elapsed) => {
                Err(self.give_up(AppendError::Overloaded { retry_after: Duration::from_secs(1) }))
            }
        }
    }

    /// `unsent` if the request was not sent and now never will be.
    fn give_up(&self, unsent: AppendError) -> AppendError {
        match self.stage.0.compare_exchange(WAITING, ABANDONED, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => unsent,
            Err(_) => AppendError::OutcomeUnknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::{DeadlineChange, MatchId};

    fn request() -> (Request, Ticket) {
        let append = Append {
            match_id: MatchId(Uuid::new_v4()),
            events: Vec::new(),
            after_clock: None,
            match_row: None,
            deadline: DeadlineChange::Keep,
        };
        Request::new(append, Span::none())
    }

    #[tokio::test]
    async fn a_caller_that_gave_up_in_the_queue_is_never_written() {
        let (request, ticket) = request();
        let answer = ticket.wait(Duration::ZERO).await;
        assert!(matches!(answer, Err(AppendError::Overloaded { .. })));
        assert_eq!(request.start(), Started::Abandoned);
    }

    #[tokio::test]
    async fn a_caller_that_gave_up_later_does_not_know() {
        let (request, ticket) = request();
        assert_eq!(request.start(), Started::Yes);
        assert_eq!(ticket.wait(Duration::ZERO).await, Err(AppendError::OutcomeUnknown));
    }

    #[tokio::test]
    async fn a_dropped_request_is_stopped_or_unknown() {
        let (unsent, ticket) = request();
        drop(unsent);
        assert_eq!(ticket.wait(Duration::from_secs(60)).await, Err(AppendError::Stopped));
        let (sent, ticket) = request();
        sent.start();
        drop(sent);
        assert_eq!(ticket.wait(Duration::from_secs(60)).await, Err(AppendError::OutcomeUnknown));
    }
}
