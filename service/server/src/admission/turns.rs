//! Turns of callers at the processors: reads run on all processors but one, so that changes never wait for
//! them, and the caller whose reads have used the least time runs next. A long read runs in parts, from one
//! wait to the next, and each part takes a turn.
//!
//! This is start-time fair queueing: each caller's next part has a start tag, the time that its parts have
//! used, and the least one runs. The clock is the tag of what ran last, so nobody saves turns up.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::num::NonZero;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use super::rate_limit_key::LimitSubject;

/// How many callers a network counts as, whose callers share what it may have.
const CALLERS_OF_NETWORK: u32 = 2;

/// How many callers and networks are remembered while others wait, besides those that wait themselves.
const REMEMBERED: usize = 65_536;

/// The turns of all callers; cheap to clone.
#[derive(Clone)]
pub(crate) struct ProcessorTurns {
    queue: Arc<Mutex<Queue>>,
}

/// A read that runs in its caller's turns.
pub(crate) struct InTurn<F> {
    read: F,
    caller: LimitSubject,
    turns: ProcessorTurns,
    waiting: Option<Ticket>,
}

/// The number of a wait, different from all others.
type Ticket = u64;

/// Who runs, and who waits.
struct Queue {
    processors: usize,
    running: usize,
    /// The tag of what ran last.
    clock: Duration,
    next_ticket: Ticket,
    /// The callers that wait, and the networks of callers.
    accounts: HashMap<LimitSubject, Account>,
    /// The callers that wait, by tags of which some are out of date: tags only grow.
    order: BTreeMap<(Duration, Ticket), LimitSubject>,
    /// The waits that have ended, and hold a processor.
    granted: HashSet<Ticket>,
}

/// What a caller or network has used, and its parts that wait.
#[derive(Default)]
struct Account {
    used: Duration,
    waiting: VecDeque<(Ticket, Waker)>,
}

/// The time in which a part runs; ends the turn on drop, also after a panic.
struct Turn<'a> {
    turns: &'a ProcessorTurns,
    caller: LimitSubject,
    start: Instant,
}

impl Default for ProcessorTurns {
    fn default() -> Self {
        Self::at(available_parallelism().map_or(1, NonZero::get).saturating_sub(1).max(1))
    }
}

impl ProcessorTurns {
    /// Lets reads run on so many processors.
    fn at(processors: usize) -> Self {
        let queue = Queue {
            processors,
            running: 0,
            clock: Duration::ZERO,
            next_ticket: 0,
            accounts: HashMap::new(),
            order: BTreeMap::new(),
            granted: HashSet::new(),
        };
        Self { queue: Arc::new(Mutex::new(queue)) }
    }

    /// Runs a read in the turns of its caller.
    pub(crate) fn run<F: Future + Unpin>(&self, caller: LimitSubject, read: F) -> InTurn<F> {
        InTurn { read, caller, turns: self.clone(), waiting: None }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        // Nothing panics while it is held.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<F: Future + Unpin> Future for InTurn<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = &mut *self;
        let begun = this.turns.lock().begin(this.caller, this.waiting, context.waker());
        if let Err(ticket) = begun {
            this.waiting = Some(ticket);
            return Poll::Pending;
        }
        this.waiting = None;
        let _turn = Turn { turns: &this.turns, caller: this.caller, start: Instant::now() };
        Pin::new(&mut this.read).poll(context)
    }
}

impl<F> Drop for InTurn<F> {
    fn drop(&mut self) {
        let Some(ticket) = self.waiting else { return };
        let next = self.turns.lock().leave(self.caller, ticket);
        next.into_iter().for_each(Waker::wake);
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let next = self.turns.lock().end(self.caller, self.start.elapsed());
        next.into_iter().for_each(Waker::wake);
    }
}

impl Queue {
    /// Begins a turn, or returns the ticket with which the caller waits. A call that waited begins once its
    /// wait has ended.
    fn begin(&mut self, caller: LimitSubject, waiting: Option<Ticket>, waker: &Waker) -> Result<(), Ticket> {
        if let Some(ticket) = waiting {
            if self.granted.remove(&ticket) {
                return Ok(());
            }
            let waits = self.accounts.get_mut(&caller).map(|account| &mut account.waiting);
            let own = waits.into_iter().flatten().find(|(other, _)| *other == ticket);
            own.expect("a wait stays until it has ended").1.clone_from(waker);
            return Err(ticket);
        }
        if self.running < self.processors && self.order.is_empty() {
            self.running += 1;
            self.clock = self.tag(caller);
            return Ok(());
        }
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        let tag = self.tag(caller);
        let account = self.accounts.entry(caller).or_default();
        if account.waiting.is_empty() {
            self.order.insert((tag, ticket), caller);
        }
        account.waiting.push_back((ticket, waker.clone()));
        Err(ticket)
    }

    /// Ends a turn that took so long, and returns who is to be woken for the next one.
    fn end(&mut self, caller: LimitSubject, took: Duration) -> Option<Waker> {
        for (bearer, used) in bearers(caller, took) {
            let account = self.accounts.entry(bearer).or_default();
            account.used = account.used.max(self.clock) + used;
        }
        self.pass_on()
    }

    /// Forgets a wait, and returns who is to be woken if it held a processor.
    fn leave(&mut self, caller: LimitSubject, ticket: Ticket) -> Option<Waker> {
        if self.granted.remove(&ticket) {
            return self.pass_on();
        }
        let account = self.accounts.get_mut(&caller).expect("a caller is remembered while it waits");
        account.waiting.retain(|(other, _)| *other != ticket);
        None
    }

    /// Gives the processor of a turn that has ended to the caller with the least tag.
    fn pass_on(&mut self) -> Option<Waker> {
        while let Some(((tag, ticket), caller)) = self.order.pop_first() {
            let newest = self.tag(caller);
            // A caller that left stays in the order until its turn.
            let waits = self.accounts.get_mut(&caller).filter(|account| !account.waiting.is_empty());
            let Some(account) = waits else { continue };
            if newest > tag {
                self.order.insert((newest, ticket), caller);
                continue;
            }
            let (granted, waker) = account.waiting.pop_front().expect("it is not empty");
            if !account.waiting.is_empty() {
                self.order.insert((newest, self.next_ticket), caller);
                self.next_ticket += 1;
            }
            self.clock = newest;
            self.granted.insert(granted);
            self.forget_some();
            return Some(waker);
        }
        self.running -= 1;
        // Nobody waits, so everyone had what they asked for.
        self.accounts.clear();
        self.clock = Duration::ZERO;
        None
    }

    /// Returns the tag of a caller's next part.
    fn tag(&self, caller: LimitSubject) -> Duration {
        let used = bearers(caller, Duration::ZERO).filter_map(|(bearer, _)| self.accounts.get(&bearer));
        used.map(|account| account.used).fold(self.clock, Duration::max)
    }

    /// Forgets what was used by those that don't wait when they are many.
    fn forget_some(&mut self) {
        if self.accounts.len() > REMEMBERED {
            self.accounts.retain(|_, account| !account.waiting.is_empty());
        }
    }
}

/// Returns a caller and its network, and how much of a time counts for each.
fn bearers(caller: LimitSubject, time: Duration) -> impl Iterator<Item = (LimitSubject, Duration)> {
    let network = caller.network().map(|network| (network, time / CALLERS_OF_NETWORK));
    std::iter::once((caller, time)).chain(network)
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::net::Ipv6Addr;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::thread::sleep;

    use futures_util::FutureExt;
    use futures_util::future::{pending, ready};
    use tokio::sync::oneshot;
    use tokio::task::JoinSet;

    use super::*;
    use crate::listener::ClientAddress;

    const PART: Duration = Duration::from_millis(2);

    fn caller(number: u64) -> LimitSubject {
        LimitSubject::Credential(number)
    }

    /// A read of several parts, each of which takes a while and is noted.
    async fn read(parts: usize, noted: Arc<Mutex<Vec<u64>>>, number: u64) {
        for _ in 0..parts {
            sleep(PART);
            noted.lock().unwrap().push(number);
            let mut waited = false;
            poll_fn(|context| {
                context.waker().wake_by_ref();
                if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }
            })
            .await;
        }
    }

    /// Runs reads at once, and returns in which order their parts ran.
    async fn order(turns: &ProcessorTurns, reads: &[(LimitSubject, u64, usize)]) -> Vec<u64> {
        let noted = Arc::default();
        let mut runs = JoinSet::new();
        // All of them wait before the first one runs.
        assert_eq!(turns.lock().begin(caller(0), None, Waker::noop()), Ok(()));
        for &(caller, number, parts) in reads {
            runs.spawn(turns.run(caller, Box::pin(read(parts, Arc::clone(&noted), number))));
        }
        tokio::task::yield_now().await;
        let first = turns.lock().end(caller(0), PART);
        first.unwrap().wake();
        runs.join_all().await;
        assert!(turns.lock().accounts.is_empty(), "who is done is forgotten");
        let noted = noted.lock().unwrap();
        noted.clone()
    }

    #[tokio::test]
    async fn a_caller_with_many_long_reads_takes_turns_with_others() {
        let turns = ProcessorTurns::at(1);
        let mut reads = vec![(caller(1), 1, 10); 20];
        reads.push((caller(2), 2, 10));
        let order = order(&turns, &reads).await;
        let last = order.iter().rposition(|number| *number == 2).unwrap();
        assert!(last < 40, "ten parts of one caller waited for {} of another's 200", last - 9);
    }

    #[tokio::test]
    async fn all_addresses_of_one_network_have_the_turns_of_two_callers() {
        let turns = ProcessorTurns::at(1);
        let address = |subnet| {
            let address = Ipv6Addr::new(0x2001, 0xdb8, 1, subnet, 0, 0, 0, 0);
            LimitSubject::Address(ClientAddress::Remote(address.into()))
        };
        let mut reads: Vec<_> = (0..40).map(|subnet| (address(subnet), 1, 5)).collect();
        reads.push((caller(2), 2, 10));
        let order = order(&turns, &reads).await;
        let last = order.iter().rposition(|number| *number == 2).unwrap();
        assert!(last < 60, "ten parts of one caller waited for {} of a network's 200", last - 9);
    }

    #[tokio::test]
    async fn reads_run_on_so_many_processors_and_the_rest_waits() {
        let turns = ProcessorTurns::at(1);
        let (release, released) = oneshot::channel();
        let mut waits = turns.run(caller(1), Box::pin(released));
        assert!((&mut waits).now_or_never().is_none());
        assert_eq!(turns.lock().running, 0, "who waits for something else holds no processor");
        let running = turns.lock().begin(caller(2), None, Waker::noop());
        assert_eq!(running, Ok(()));
        let mut second = turns.run(caller(3), Box::pin(ready(3)));
        assert!((&mut second).now_or_never().is_none());
        assert!((&mut second).now_or_never().is_none(), "woken or not, it waits for its turn");
        assert!(turns.lock().end(caller(2), PART).is_some());
        assert_eq!(second.await, 3);
        release.send(()).unwrap();
        waits.await.unwrap();
    }

    #[tokio::test]
    async fn who_leaves_passes_its_turn_on() {
        let turns = ProcessorTurns::at(1);
        assert_eq!(turns.lock().begin(caller(1), None, Waker::noop()), Ok(()));
        let mut waits: Vec<_> = [2, 2, 3, 4]
            .into_iter()
            .map(|number| turns.run(caller(number), Box::pin(pending::<()>())))
            .collect();
        for wait in &mut waits {
            assert!(wait.now_or_never().is_none());
        }
        drop(waits.remove(0));
        assert!(turns.lock().end(caller(1), PART).is_some());
        assert_eq!(turns.lock().granted.len(), 1, "the other wait of the same caller");
        drop(waits.remove(0));
        assert_eq!(turns.lock().granted.len(), 1, "the next caller");
        drop(waits.remove(0));
        drop(waits.remove(0));
        let queue = turns.lock();
        assert_eq!((queue.running, queue.granted.len(), queue.order.len()), (0, 0, 0));
    }

    #[tokio::test]
    async fn a_panic_ends_the_turn() {
        let turns = ProcessorTurns::at(1);
        let panics = turns.run(caller(1), Box::pin(async { panic!("in a read") }));
        let panicked = catch_unwind(AssertUnwindSafe(|| panics.now_or_never()));
        assert!(panicked.is_err());
        assert_eq!(turns.run(caller(1), Box::pin(ready(1))).await, 1);
    }

    #[test]
    fn a_bounded_number_of_callers_is_remembered_and_none_once_nobody_waits() {
        let turns = ProcessorTurns::at(1);
        let mut queue = turns.lock();
        assert_eq!(queue.begin(caller(0), None, Waker::noop()), Ok(()));
        let mut running = caller(0);
        for number in 1..70_000 {
            let next = caller(number);
            let ticket = queue.begin(next, None, Waker::noop()).unwrap_err();
            assert!(queue.end(running, PART).is_some());
            assert_eq!(queue.begin(next, Some(ticket), Waker::noop()), Ok(()));
            assert!(queue.accounts.len() <= REMEMBERED + 1, "{number}");
            running = next;
        }
        assert!(queue.end(running, PART).is_none());
        assert!(queue.accounts.is_empty());
    }
}
