//! Moving matches out of the database: one archiver at a time, on a connection of its own.

use async_trait::async_trait;
use event::ChainHash;
use uuid::Uuid;

use super::{FeedNeeds, SegmentRow};
use crate::{
    BoundKey, FeedCursor, JournalConfig, MatchId, OpenError, PageSize, ReadError, RecordTime, Seq,
    StoredEvent,
};

/// A database opened to archive its matches. Only one archiver can have it open. A Postgres database may be
/// served meanwhile, a SQLite file may not.
pub struct ArchiverHandle {
    store: Box<dyn ArchiverStore>,
}

/// A match to drop, with its last event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DroppedMatch {
    /// The match.
    pub match_id: MatchId,
    /// Number of its last event.
    pub seq: Seq,
    /// Hash of its last event.
    pub hash: ChainHash,
    /// The last event's place in the feed.
    pub cursor: FeedCursor,
}

/// The matches of a verified segment, to be dropped together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedSegment {
    /// The segment, which `start_segment` has announced.
    pub segment: Uuid,
    /// Its matches, at least one.
    pub matches: Vec<DroppedMatch>,
    /// Number of their events.
    pub events: u64,
    /// Size of the segment in bytes.
    pub bytes: u64,
}

/// Why matches were not dropped. Nothing was changed, unless the outcome is unknown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DropError {
    /// The database rejects it: a match is not over, has another last event or is archived already, the
    /// segment was discarded by another archiver, or the role lacks a right.
    #[error("the database rejects the deletion: {what}")]
    Refused {
        /// The database's message.
        what: String,
    },
    /// It is unknown whether the matches were dropped. Run the archiver again: it finds out.
    #[error("it is unknown whether the matches were dropped: {what}")]
    Unknown {
        /// The database's message.
        what: String,
    },
}

/// What an archiver does on its connection. A method that changes something is one transaction.
#[async_trait]
pub(crate) trait ArchiverStore: Send {
    /// Returns the time of the database's clock.
    async fn time(&mut self) -> Result<RecordTime, ReadError>;
    /// Returns what the database is bound to, if it was ever bound.
    async fn bound_key(&mut self) -> Result<Option<BoundKey>, ReadError>;
    /// Returns all segments by id.
    async fn segments(&mut self) -> Result<Vec<SegmentRow>, ReadError>;
    /// Announces a segment before it is written.
    async fn start_segment(&mut self, segment: Uuid, now: RecordTime) -> Result<(), ReadError>;
    /// Forgets a segment that was announced only. Returns whether it was: an archived one stays.
    async fn discard_segment(&mut self, segment: Uuid) -> Result<bool, ReadError>;
    /// Counts the matches that ended before a time and are not archived.
    async fn count_finished(&mut self, before: RecordTime) -> Result<u64, ReadError>;
    /// Returns the ids of such matches after `after`, in ascending order.
    async fn finished(
        &mut self,
        before: RecordTime,
        after: Option<MatchId>,
        page: PageSize,
    ) -> Result<Vec<MatchId>, ReadError>;
    /// Returns the whole logs of these matches.
    async fn logs(&mut self, ids: &[MatchId]) -> Result<Vec<(MatchId, Vec<StoredEvent>)>, ReadError>;
    /// Returns which events webhooks may still need.
    async fn needs(&mut self) -> Result<FeedNeeds, ReadError>;
    /// Records the matches as archived and deletes their events.
    async fn drop_matches(&mut self, dropped: &DroppedSegment) -> Result<(), DropError>;
    /// Closes the connection.
    async fn close(self: Box<Self>);
}

impl ArchiverHandle {
    /// Opens the database. Its schema must be this program's. Fails with `InUse` while another archiver runs.
    pub async fn open(config: &JournalConfig) -> Result<Self, OpenError> {
        Ok(Self { store: config.url.0.open_archiver(&config.store_settings()).await? })
    }

    /// Returns the time of the database's clock.
    pub async fn now(&mut self) -> Result<RecordTime, ReadError> {
        self.store.time().await
    }

    /// Returns what the database is bound to, or `None` if it was never served.
    pub async fn bound(&mut self) -> Result<Option<BoundKey>, ReadError> {
        self.store.bound_key().await
    }

    /// Returns all segments that the database knows, by id.
    pub async fn segments(&mut self) -> Result<Vec<SegmentRow>, ReadError> {
        self.store.segments().await
    }

    /// Announces a segment. Until its matches are dropped, it may be discarded.
    pub async fn start_segment(&mut self, segment: Uuid) -> Result<(), ReadError> {
        let now = self.store.time().await?;
        self.store.start_segment(segment, now).await
    }

    /// Forgets a segment of which nothing was dropped. Once this returns `true`, nothing of it can be dropped
    /// any more, even by an archiver that still runs: the segment's file may be deleted.
    pub async fn discard_segment(&mut self, segment: Uuid) -> Result<bool, ReadError> {
        self.store.discard_segment(segment).await
    }

    /// Counts the matches that ended before a time and are not archived.
    pub async fn count_finished(&mut self, before: RecordTime) -> Result<u64, ReadError> {
        self.store.count_finished(before).await
    }

    /// Returns the ids of such matches after `after`, in ascending order.
    pub async fn finished(
        &mut self,
        before: RecordTime,
        after: Option<MatchId>,
        page: PageSize,
    ) -> Result<Vec<MatchId>, ReadError> {
        self.store.finished(before, after, page).await
    }

    /// Returns the whole logs of these matches, in the order of their ids.
    pub async fn logs(&mut self, ids: &[MatchId]) -> Result<Vec<(MatchId, Vec<StoredEvent>)>, ReadError> {
        self.store.logs(ids).await
    }

    /// Returns which events webhooks may still need.
    pub async fn needs(&mut self) -> Result<FeedNeeds, ReadError> {
        self.store.needs().await
    }

    /// Drops the events of a segment's matches and records where they are, all in one transaction. The caller
    /// has verified that the segment is durable and complete.
    pub async fn drop_matches(&mut self, dropped: &DroppedSegment) -> Result<(), DropError> {
        self.store.drop_matches(dropped).await
    }

    /// Closes the connection; another archiver can start then.
    pub async fn close(self) {
        self.store.close().await;
    }
}

impl DroppedMatch {
    /// Returns what to drop of a match with this log, or `None` if the log is empty.
    #[must_use]
    pub fn of_log(match_id: MatchId, log: &[StoredEvent]) -> Option<Self> {
        let StoredEvent { event, hlc, .. } = log.last()?;
        let cursor = FeedCursor { hlc: *hlc, match_id, seq: event.seq };
        Some(Self { match_id, seq: event.seq, hash: event.hash, cursor })
    }
}

impl DropError {
    /// Returns the error of a segment that is no longer being written.
    pub(crate) fn discarded() -> Self {
        Self::Refused { what: "the segment was discarded or archived by another archiver".to_owned() }
    }
}

impl DroppedSegment {
    /// Returns the numbers of matches, events and bytes as columns.
    pub(crate) fn figures(&self) -> [i64; 3] {
        let matches = u64::try_from(self.matches.len()).unwrap_or(u64::MAX);
        [matches, self.events, self.bytes].map(|figure| i64::try_from(figure).unwrap_or(i64::MAX))
    }

    /// Returns the last place in the feed of an event that is dropped.
    pub(crate) fn horizon(&self) -> Option<FeedCursor> {
        self.matches.iter().map(|dropped| dropped.cursor).max()
    }
}
