//! What the players and watchers of one match know of it, to be held against its log afterwards.

use std::time::Instant;

use prost::Message;
use wire::v1;

use crate::moment::Moment;
use crate::routes::Way;

/// An event as somebody was told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Receipt {
    pub(crate) seq: u32,
    pub(crate) hash: Vec<u8>,
}

/// A change that the service acknowledged.
#[derive(Debug, Clone)]
pub(crate) struct Acknowledged {
    pub(crate) way: Way,
    pub(crate) sent: Moment,
    pub(crate) answered: Moment,
    /// The events that the answer brought: its own, and what it led to at once.
    pub(crate) events: Vec<Receipt>,
}

/// An event as a watcher saw it.
#[derive(Debug, Clone)]
pub(crate) struct Sighting {
    pub(crate) seq: u32,
    /// Of the whole event as shown.
    pub(crate) print: Print,
    pub(crate) way: Way,
    pub(crate) at: Instant,
}

/// Stands for an event as shown to a spectator: equal for equal ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Print(u64);

/// What one watcher saw, over all its streams.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    pub(crate) sightings: Vec<Sighting>,
    /// Streams that were cut and resumed.
    pub(crate) resumed: u64,
    /// A refusal for good, which no watcher of these matches may get.
    pub(crate) refused: Option<String>,
}

/// How a match is brought to its end when the players' time is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finish {
    /// A seat resigns.
    Resign,
    /// Nobody moves any more, and the clock decides.
    Flag,
}

/// One match as its players know it.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) match_id: String,
    /// What stood in the log when it was created, and when seats were claimed.
    pub(crate) opening: Vec<Receipt>,
    pub(crate) acknowledged: Vec<Acknowledged>,
    /// Set when the players left it to the clock.
    pub(crate) left_to_clock: bool,
    /// What should not have happened.
    pub(crate) trouble: Vec<String>,
}

impl Receipt {
    /// Of an event as somebody was told of it.
    pub(crate) fn of(event: &v1::Event) -> Self {
        Self { seq: event.seq, hash: event.hash.clone().unwrap_or_default().value }
    }
}

impl Print {
    /// Of an event as shown to a spectator.
    pub(crate) fn of(event: &v1::Event) -> Self {
        // FNV-1a: told apart must be only what a fault could have mixed up.
        let fold = |print: u64, byte: &u8| (print ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        Self(event.encode_to_vec().iter().fold(0xcbf2_9ce4_8422_2325, fold))
    }
}
