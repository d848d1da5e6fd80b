//! Simulated time, the cores that work waits for, and the order of what happens.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Add;
use std::time::Duration;

/// A time or a duration of the simulation, in nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Nanos(pub(crate) u64);

impl Nanos {
    pub(crate) fn of_us(us: u32) -> Self {
        Self(u64::from(us) * 1000)
    }

    pub(crate) fn of(duration: Duration) -> Self {
        Self(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX))
    }

    /// Returns the time since `earlier`.
    pub(crate) fn since(self, earlier: Self) -> Self {
        Self(self.0.saturating_sub(earlier.0))
    }
}

impl Add for Nanos {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

/// Cores that serve work in the order in which it comes.
pub(crate) struct Cores {
    free: BinaryHeap<Reverse<Nanos>>,
}

impl Cores {
    pub(crate) fn new(count: u32) -> Self {
        Self { free: (0..count).map(|_| Reverse(Nanos::default())).collect() }
    }

    /// Takes on work that comes now or later, and returns when it is done.
    pub(crate) fn work(&mut self, from: Nanos, cost: Nanos) -> Nanos {
        let Reverse(free) = self.free.pop().expect("there is at least one core");
        let done = free.max(from) + cost;
        self.free.push(Reverse(done));
        done
    }
}

/// What happens, by time; of equal times, what was scheduled first.
pub(crate) struct Schedule<E> {
    events: BinaryHeap<Reverse<Scheduled<E>>>,
    count: u64,
}

struct Scheduled<E> {
    at: Nanos,
    number: u64,
    event: E,
}

impl<E> Schedule<E> {
    pub(crate) fn new() -> Self {
        Self { events: BinaryHeap::new(), count: 0 }
    }

    pub(crate) fn add(&mut self, at: Nanos, event: E) {
        self.count += 1;
        self.events.push(Reverse(Scheduled { at, number: self.count, event }));
    }

    /// Removes and returns what happens next.
    pub(crate) fn next(&mut self) -> Option<(Nanos, E)> {
        self.events.pop().map(|Reverse(next)| (next.at, next.event))
    }
}

impl<E> PartialEq for Scheduled<E> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl<E> Eq for Scheduled<E> {}

impl<E> PartialOrd for Scheduled<E> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Ord for Scheduled<E> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.at, self.number).cmp(&(other.at, other.number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_waits_for_the_first_free_core() {
        let mut cores = Cores::new(2);
        let done = [10, 10, 10, 5].map(|cost| cores.work(Nanos(100), Nanos(cost)).0);
        assert_eq!(done, [110, 110, 120, 115]);
        assert_eq!(cores.work(Nanos(500), Nanos(1)), Nanos(501));
    }

    #[test]
    fn equal_times_keep_their_order() {
        let mut schedule = Schedule::new();
        for (at, event) in [(5, 'c'), (1, 'a'), (5, 'd'), (2, 'b')] {
            schedule.add(Nanos(at), event);
        }
        let order: String = std::iter::from_fn(|| schedule.next()).map(|(_, event)| event).collect();
        assert_eq!(order, "abcd");
    }
}
