//! What the players and watchers of one match observed, for the referee.

use std::time::Instant;

use matchbook_client::v1;
use prost::Message;

use crate::moment::Moment;
use crate::routes::ServiceRoute;

/// An event as a response identified it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EventHash {
    pub(crate) seq: u32,
    pub(crate) hash: Vec<u8>,
}

/// A change that the service acknowledged.
#[derive(Debug, Clone)]
pub(crate) struct AcknowledgedCall {
    pub(crate) route: ServiceRoute,
    pub(crate) sent: Moment,
    pub(crate) received: Moment,
    /// The events in the response: the call's own, and those that followed at once.
    pub(crate) events: Vec<EventHash>,
}

/// An event as a watcher received it.
#[derive(Debug, Clone)]
pub(crate) struct Sighting {
    pub(crate) seq: u32,
    /// Of the whole event as shown.
    pub(crate) fingerprint: Fingerprint,
    pub(crate) route: ServiceRoute,
    pub(crate) at: Instant,
}

/// A hash of an event as shown to a spectator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fingerprint(u64);

/// What one watcher received over all its streams.
#[derive(Debug, Default)]
pub(crate) struct WatchHistory {
    pub(crate) sightings: Vec<Sighting>,
    /// Streams that broke and were resumed.
    pub(crate) resumed: u64,
    /// A refusal, which no watcher of these matches may get.
    pub(crate) refused: Option<String>,
}

/// How a match ends when the players' time is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MatchFinish {
    /// A seat resigns.
    Resign,
    /// Nobody moves any more, so a clock runs out.
    Timeout,
}

/// What the players of one match observed.
#[derive(Debug)]
pub(crate) struct MatchHistory {
    pub(crate) match_id: String,
    /// The newest events after the creation and after each claim.
    pub(crate) opening: Vec<EventHash>,
    pub(crate) acknowledged: Vec<AcknowledgedCall>,
    /// Whether the players left the match to run out of time.
    pub(crate) left_to_clock: bool,
    /// Unexpected responses.
    pub(crate) problems: Vec<String>,
}

impl EventHash {
    pub(crate) fn of(event: &v1::Event) -> Self {
        Self { seq: event.seq, hash: event.hash.clone() }
    }
}

impl Fingerprint {
    pub(crate) fn of(event: &v1::Event) -> Self {
        // FNV-1a: collisions by accident are improbable, and nobody makes them on purpose here.
        let fold = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        Self(event.encode_to_vec().iter().fold(0xcbf2_9ce4_8422_2325, fold))
    }
}
