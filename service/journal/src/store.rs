//! What a database must be able to do for the journal: the seam below which memory, SQLite and Postgres differ.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;

use crate::batch::Batch;
use crate::directory::MatchRange;
use crate::feed::{FeedRange, FeedRow, LanesSeen};
use crate::ids::ReplicaId;
use crate::{
    Clock, Deadline, KeyBinding, Lane, LaneNo, MatchId, MatchRow, PoolStats, ReadError, RecordedTime, Seq,
    StoredEvent, Unready,
};

/// Reading, housekeeping, and connections for lanes.
#[async_trait]
pub(crate) trait Store: Send + Sync + 'static {
    /// What kind of database it is, in the words of OpenTelemetry's conventions.
    fn system(&self) -> &'static str;
    /// A connection of its own for one lane.
    async fn connect(&self) -> Result<Box<dyn LaneConnection>, WriteError>;
    /// Events of one match after `after`, ascending.
    async fn events(&self, id: MatchId, after: Seq, limit: u32) -> Result<Vec<StoredEvent>, ReadError>;
    /// So many events after `after`, of which the caller knows that they are there; from wherever they can be had.
    async fn past_events(&self, id: MatchId, after: Seq, count: u32) -> Result<Vec<StoredEvent>, ReadError> {
        self.events(id, after, count).await
    }
    /// The last event's place, or none if there is no event.
    async fn head(&self, id: MatchId) -> Result<Option<Seq>, ReadError>;
    async fn match_row(&self, id: MatchId) -> Result<Option<MatchRow>, ReadError>;
    async fn match_by_create_request(
        &self,
        owner: &str,
        hash: &[u8; 32],
    ) -> Result<Option<MatchRow>, ReadError>;
    /// Matches of the range, the last created first.
    async fn list_matches(&self, range: &MatchRange) -> Result<Vec<MatchRow>, ReadError>;
    /// How many matches there are, of one game or of all, created at `since` or later.
    async fn count_matches(&self, game: Option<&str>, since: RecordedTime) -> Result<u64, ReadError>;
    /// How far the log and its open lanes have come, of one snapshot.
    async fn lanes(&self) -> Result<LanesSeen, ReadError>;
    /// A stretch of the feed.
    async fn feed(&self, range: &FeedRange<'_>) -> Result<Vec<FeedRow>, ReadError>;
    /// The same from wherever it can be had whole.
    async fn past_feed(&self, range: &FeedRange<'_>) -> Result<Vec<FeedRow>, ReadError> {
        self.feed(range).await
    }
    /// Deadlines not after `until`, the earliest first.
    async fn due(&self, until: RecordedTime, limit: u32) -> Result<Vec<Deadline>, ReadError>;
    /// Stores the fingerprint if there is none yet; gives the one that is stored now.
    async fn bind_key(&self, fingerprint: [u8; 32]) -> Result<Bound, ReadError>;
    /// The fingerprint that is stored, if one is.
    async fn bound_key(&self) -> Result<Option<[u8; 32]>, ReadError>;
    /// Stores `new` in the place of `old`; false if `old` is not the one that is stored.
    async fn rebind_key(&self, old: [u8; 32], new: [u8; 32]) -> Result<bool, ReadError>;
    /// What the database's clock shows.
    async fn time(&self) -> Result<RecordedTime, ReadError>;
    /// Deletes commits before `before`, but never a lane's last; at most `limit` of them. Gives the number.
    async fn forget(&self, before: Clock, limit: u32) -> Result<u64, ReadError>;
    /// Whether the database answers, takes writes, and has the tables that are needed.
    async fn check(&self) -> Result<(), Unready> {
        Ok(())
    }
    /// How busy the connections that read are; none if there are no such connections.
    fn pool(&self) -> Option<PoolStats> {
        None
    }
    /// Lets the readers go.
    async fn close(&self);
}

/// What one lane does on its connection. Every call may be repeated after a lost connection.
#[async_trait]
pub(crate) trait LaneConnection: Send {
    /// Enters a new lane with its first, empty commit, in one transaction.
    async fn open_lane(&mut self, opening: &Opening) -> Result<Lane, WriteError>;
    /// The largest clock that was ever committed.
    async fn latest_clock(&mut self) -> Result<Clock, WriteError>;
    /// Writes a batch whole or not at all.
    async fn write(&mut self, batch: &Batch) -> Result<(), WriteError>;
    /// What stands in the commit log at a place.
    async fn logged(&mut self, lane: Lane, no: LaneNo) -> Result<Option<Bytes>, WriteError>;
    /// The last event's place of each of these matches that has events.
    async fn heads(&mut self, ids: &[MatchId]) -> Result<Vec<(MatchId, Seq)>, WriteError>;
}

/// The first commit of a lane.
pub(crate) struct Opening {
    pub(crate) replica: ReplicaId,
    pub(crate) clock: Clock,
    pub(crate) body: Bytes,
}

/// The fingerprint that the database keeps, and whether it was stored just now.
pub(crate) struct Bound {
    pub(crate) fingerprint: [u8; 32],
    pub(crate) how: KeyBinding,
}

/// What a write came to, sorted by what the lane does next.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum WriteError {
    /// Rolled back: an event of the batch has a taken (match, seq).
    #[error("an event with this match and seq exists")]
    EventTaken,
    /// Rolled back: the commit log has something at (lane, no).
    #[error("the commit log has this lane and number")]
    NumberTaken,
    /// Rolled back: the owner has a match with this create request.
    #[error("the owner has a match with this create request")]
    CreateTaken,
    /// Rolled back, and the same may go well the next time.
    #[error("the database could not do it now: {what}")]
    Transient { what: String },
    /// Rolled back: the database refuses something in the batch.
    #[error("the database refuses it: {what}")]
    Refused { what: String },
    /// The connection is gone, and with it the knowledge whether the batch was written.
    #[error("the connection to the database was lost: {what}")]
    Lost { what: String },
}

/// Reads what other replicas commit, and closes the lanes of those that died. Only for databases with many writers.
#[async_trait]
pub(crate) trait TailSource: Send + Sync + 'static {
    /// The lanes of others that are open now, each with its last commit.
    async fn known_lanes(&self) -> Result<KnownLanes, ReadError>;
    /// Commits of others beyond what is known, in the order of each lane; at most `limit` a lane.
    async fn newer(&self, known: &KnownLanes, limit: u32) -> Result<Vec<LogRow>, ReadError>;
    /// Writes an empty closing batch after a lane's head, unless the lane has gone on or is closed.
    async fn close_lane(&self, head: LaneHead, clock: Clock, body: &Bytes) -> Result<Closed, ReadError>;
}

/// The lanes of others, as far as they are read.
#[derive(Clone, Debug)]
pub(crate) struct KnownLanes {
    pub(crate) open: Vec<LaneHead>,
    /// Read to their end.
    pub(crate) closed: Vec<Lane>,
    /// From this number on a lane that is not known is new even if it is closed already.
    pub(crate) first_new: Lane,
}

/// How far a lane is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LaneHead {
    pub(crate) lane: Lane,
    pub(crate) no: LaneNo,
    pub(crate) clock: Clock,
}

/// One row of the commit log.
#[derive(Clone, Debug)]
pub(crate) struct LogRow {
    pub(crate) head: LaneHead,
    pub(crate) body: Bytes,
}

/// What came of closing a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closed {
    Now,
    NotSilent,
}

/// An opened store and what differs between the kinds.
pub(crate) struct Opened {
    pub(crate) store: std::sync::Arc<dyn Store>,
    /// Present if others may write into the same database.
    pub(crate) tail: Option<std::sync::Arc<dyn TailSource>>,
    pub(crate) description: String,
}

/// How long a lane waits before it tries again.
pub(crate) fn pause_before_attempt(attempt: u32) -> Duration {
    Duration::from_millis(20 << attempt.min(6))
}
