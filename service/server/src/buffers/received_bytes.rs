//! The bytes of a request that have arrived and are not answered, as the service that reads a stream of
//! requests counts them: its body by what may be unread, and each message until its answer is taken.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use play::Refusal;

use super::budget::{ClientBudget, refusal};
use super::charge::Charge;
use crate::admission::Exhausted;

/// The bytes of one request; cheap to clone. Also stands in the request's extensions.
#[derive(Clone)]
pub(crate) struct ReceivedBytes {
    client: ClientBudget,
    body: Arc<Mutex<BodyBytes>>,
}

/// The bytes of a request's body.
struct BodyBytes {
    charge: Charge,
    /// How many of the newest bytes may be unread.
    unread: usize,
}

/// A message of a stream, which counts until it is dropped.
pub(crate) struct MessageBytes(Charge);

impl ReceivedBytes {
    /// Counts nothing yet.
    pub(super) fn nothing(client: ClientBudget) -> Self {
        let body = BodyBytes { charge: Charge::nothing(&client), unread: usize::MAX };
        Self { client, body: Arc::new(Mutex::new(body)) }
    }

    /// Counts bytes of the body that have arrived, unless they exceed the client's budget.
    pub(super) fn grow(&self, bytes: usize) -> Result<(), Exhausted> {
        let mut body = self.body();
        body.charge.grow(bytes)?;
        let unread = body.unread;
        body.charge.shrink_to(unread);
        Ok(())
    }

    /// Counts only the newest bytes of the body from now on: its messages are counted one by one, and at most
    /// `bytes` are of a message that is not complete.
    pub(crate) fn count_unread(&self, bytes: usize) {
        self.body().unread = bytes;
    }

    /// Counts a message of the body, or refuses it.
    pub(crate) fn message(&self, bytes: usize) -> Result<MessageBytes, Refusal> {
        Charge::new(&self.client, bytes).map(MessageBytes).map_err(refusal)
    }

    fn body(&self) -> MutexGuard<'_, BodyBytes> {
        // A panic cannot leave a charge half-counted.
        self.body.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MessageBytes {
    /// Counts the message's answer too, which is kept whatever the budget.
    pub(crate) fn add_answer(&mut self, bytes: usize) {
        self.0.grow_anyway(bytes);
    }
}
