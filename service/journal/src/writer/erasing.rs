//! Erasing players. What callers ask for while a batch commits is erased by one commit, which has no events
//! but tells other replicas which matches to read again.

use std::time::Duration;

use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};

use super::Writer;
use crate::batch::{Batch, Erasure};
use crate::{AppendError, StopReason};

/// Maximum number of erasures that wait, and that one commit makes.
const MAX_ERASURES: usize = 256;

/// The callers' end.
#[derive(Clone, Debug)]
pub(crate) struct ErasureSender(mpsc::Sender<ErasureRequest>);

/// The writer's end.
pub(super) type ErasureReceiver = mpsc::Receiver<ErasureRequest>;

/// An erasure on its way through a writer. Dropping it without an answer tells the caller that none will
/// come.
#[derive(Debug)]
pub(super) struct ErasureRequest {
    erasure: Erasure,
    answer: oneshot::Sender<Result<(), AppendError>>,
}

/// Creates a queue.
pub(super) fn bounded() -> (ErasureSender, ErasureReceiver) {
    let (sender, receiver) = mpsc::channel(MAX_ERASURES);
    (ErasureSender(sender), receiver)
}

impl ErasureSender {
    /// Erases a seat's player and waits until that is durable, but no longer than `limit`.
    pub(crate) async fn erase(&self, erasure: Erasure, limit: Duration) -> Result<(), AppendError> {
        let (answer, answered) = oneshot::channel();
        self.0.try_send(ErasureRequest { erasure, answer }).map_err(|error| match error {
            TrySendError::Full(_) => AppendError::Overloaded { retry_after: Duration::from_secs(1) },
            TrySendError::Closed(_) => AppendError::Stopped,
        })?;
        match tokio::time::timeout(limit, answered).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) | Err(_) => Err(AppendError::OutcomeUnknown),
        }
    }
}

impl Writer {
    /// Makes the erasures that wait, after `first`, and answers them.
    pub(super) async fn erase_waiting(&mut self, first: Option<ErasureRequest>) -> Result<(), StopReason> {
        let waiting = std::iter::from_fn(|| self.erasures.try_recv().ok());
        let requests: Vec<_> = first.into_iter().chain(waiting).take(MAX_ERASURES).collect();
        if requests.is_empty() {
            return Ok(());
        }
        let erasures = requests.iter().map(|request| request.erasure).collect();
        let batch = Batch::of_erasures(self.next_batch_id(None), erasures);
        let outcome = self.commit_erasures(&batch).await?;
        for ErasureRequest { erasure, answer } in requests {
            let unheard = answer.send(outcome.clone()).is_err();
            if unheard && outcome.is_ok() {
                // The caller does not know the outcome, so its cache must learn it this way.
                drop(self.resources.erasures.send(erasure.match_id));
            }
        }
        Ok(())
    }
}
