//! An append on its way through a writer, and the ticket on which its caller waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use tokio::sync::oneshot;
use tracing::Span;

use crate::{Append, AppendError, Committed};

/// The writer's half. Dropping it without an answer tells the caller that none will come.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) append: Append,
    pub(crate) size: usize,
    /// The span of the call that waits; disabled if the call is not traced.
    pub(crate) step: Span,
    answer: oneshot::Sender<Result<Committed, AppendError>>,
    stage: Arc<Stage>,
}

/// The caller's half.
#[derive(Debug)]
pub(crate) struct Ticket {
    answer: oneshot::Receiver<Result<Committed, AppendError>>,
    stage: Arc<Stage>,
}

/// The progress of a request. Caller and writer change it by compare-and-swap.
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

    /// Marks the request as sent to the database, unless its caller has given up.
    pub(crate) fn start(&self) -> Started {
        match self.stage.0.compare_exchange(WAITING, SENT, Ordering::AcqRel, Ordering::Acquire) {
            Err(ABANDONED) => Started::Abandoned,
            _ => Started::Yes,
        }
    }

    /// Answers the caller, if it still waits.
    pub(crate) fn answer(self, answer: Result<Committed, AppendError>) {
        drop(self.answer.send(answer));
    }

    /// Answers that the events are committed, and returns whether the caller still waited.
    pub(crate) fn acknowledge(self, committed: Committed) -> Delivery {
        match self.answer.send(Ok(committed)) {
            Ok(()) => Delivery::Delivered,
            Err(_unheard) => Delivery::CallerGone,
        }
    }
}

/// Whether an answer reached its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    Delivered,
    CallerGone,
}

/// Whether a request may be sent to the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Started {
    Yes,
    Abandoned,
}

impl Ticket {
    /// Waits for the answer, but no longer than `limit`.
    pub(crate) async fn wait(mut self, limit: Duration) -> Result<Committed, AppendError> {
        match tokio::time::timeout(limit, &mut self.answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_dropped)) => Err(self.give_up(AppendError::Stopped)),
            Err(_elapsed) => {
                Err(self.give_up(AppendError::Overloaded { retry_after: Duration::from_secs(1) }))
            }
        }
    }

    /// Returns `unsent` if the request was not sent, and prevents that it ever is.
    fn give_up(&self, unsent: AppendError) -> AppendError {
        match self.stage.0.compare_exchange(WAITING, ABANDONED, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => unsent,
            Err(_) => AppendError::OutcomeUnknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use event::Seats;
    use uuid::Uuid;

    use super::*;
    use crate::{DeadlineChange, Labels, MatchId};

    fn request() -> (Request, Ticket) {
        let append = Append {
            match_id: MatchId(Uuid::new_v4()),
            events: Vec::new(),
            after: None,
            match_row: None,
            deadline: DeadlineChange::Keep,
            labels: Labels::default(),
            to_act: Seats::NONE,
        };
        Request::new(append, Span::none())
    }

    #[tokio::test]
    async fn a_request_abandoned_in_the_queue_is_never_sent() {
        let (request, ticket) = request();
        let answer = ticket.wait(Duration::ZERO).await;
        assert!(matches!(answer, Err(AppendError::Overloaded { .. })));
        assert_eq!(request.start(), Started::Abandoned);
    }

    #[tokio::test]
    async fn a_caller_that_gives_up_after_sending_gets_outcome_unknown() {
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
