//! Turns of callers at something that few can do at once. However many turns a caller or a network waits for,
//! only some of them stand in the queue of all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::ShareHolder;
use crate::shares::Bearer;

/// The turns of all callers.
pub(super) struct Turns {
    per_caller: usize,
    bearers: Arc<Bearers>,
}

/// The callers and networks that have turns or wait for some.
type Bearers = Mutex<HashMap<Bearer, Queue>>;

/// The turns of one caller or network.
struct Queue {
    permits: Arc<Semaphore>,
    /// Turns that it has or waits for.
    turns: usize,
}

/// A turn of a caller or network, or its wait for one.
pub(super) struct Turn {
    bearer: Bearer,
    bearers: Arc<Bearers>,
    permit: Option<OwnedSemaphorePermit>,
}

impl Turns {
    /// Allows each caller so many turns at once, and each network twice as many.
    pub(super) fn new(per_caller: usize) -> Self {
        Self { per_caller, bearers: Arc::default() }
    }

    /// Waits for the turn of a caller and of its network. A caller without a share has no need of one.
    pub(super) async fn wait(&self, holder: Option<ShareHolder>) -> Vec<Turn> {
        let mut turns = Vec::new();
        for bearer in holder.into_iter().flat_map(ShareHolder::bearers) {
            let (mut turn, permits) = self.queue(bearer);
            turn.permit = Some(permits.acquire_owned().await.expect("the semaphore is never closed"));
            turns.push(turn);
        }
        turns
    }

    fn queue(&self, bearer: Bearer) -> (Turn, Arc<Semaphore>) {
        let new = || Queue { permits: Arc::new(Semaphore::new(bearer.turns(self.per_caller))), turns: 0 };
        let mut bearers = lock(&self.bearers);
        let queue = bearers.entry(bearer).or_insert_with(new);
        queue.turns += 1;
        let turn = Turn { bearer, bearers: Arc::clone(&self.bearers), permit: None };
        (turn, Arc::clone(&queue.permits))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut bearers = lock(&self.bearers);
        let Some(queue) = bearers.get_mut(&self.bearer) else { return };
        queue.turns -= 1;
        if queue.turns == 0 {
            bearers.remove(&self.bearer);
        }
    }
}

fn lock(bearers: &Bearers) -> MutexGuard<'_, HashMap<Bearer, Queue>> {
    bearers.lock().expect("nothing panics while holding this lock")
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn granted(turns: &Turns, holders: impl Iterator<Item = ShareHolder>) -> Vec<Vec<Turn>> {
        holders.filter_map(|holder| turns.wait(Some(holder)).now_or_never()).collect()
    }

    #[tokio::test]
    async fn callers_and_networks_have_a_number_of_turns_at_once() {
        let turns = Turns::new(4);
        let caller = |number| ShareHolder::new(number);
        let own = granted(&turns, (0..10).map(|_| caller(1)));
        assert_eq!(own.len(), 4);
        let of_network = granted(&turns, (10..30).map(|number| caller(number).within(1)));
        assert_eq!(of_network.len(), 8);
        assert_eq!(granted(&turns, [caller(30).within(2), caller(31)].into_iter()).len(), 2);
        assert!(turns.wait(None).now_or_never().is_some());
        drop((own, of_network));
        assert!(lock(&turns.bearers).is_empty(), "those that are done are forgotten");
    }
}
