//! The interface between the journal and a database. The folders of `backends` implement it.

mod address;
mod backend;
mod connection;
mod ranges;
mod schema;
mod settings;
mod tail;
mod webhooks;

use std::collections::HashMap;

use async_trait::async_trait;

use crate::ids::PageSize;
use crate::{
    ArchivedPlace, BoundKey, Deadline, FeedCursor, Head, Hlc, KeyBinding, Labels, MatchId, MatchRow,
    PoolStats, ReadError, RebindOutcome, RecordTime, Seq, ServiceIdentity, Shard, StoredEvent, Unready,
};

pub(crate) use self::address::{BackendKind, DatabaseAddress, reject_shards, reject_standby};
pub(crate) use self::backend::Backend;
pub(crate) use self::connection::{MatchHead, OpeningCommit, WriteError, WriterConnection, retry_pause};
pub(crate) use self::ranges::{
    FEED_PAGE_BYTES, FeedRange, FeedRow, IndexPrefix, MatchRange, WALKED, Walk, WriterSnapshot,
};
pub use self::schema::SchemaError;
pub(crate) use self::schema::{
    AppliedMigration, check_newer_migrations, check_schema, check_schema_for_reading,
};
pub(crate) use self::settings::StoreSettings;
pub use self::settings::{Migrations, Statements};
pub(crate) use self::tail::{CloseOutcome, KnownWriters, LoggedCommit, TailSource, WriterHead};
pub use self::webhooks::WebhookStore;

/// Reading, housekeeping, and connections for writers.
#[async_trait]
pub(crate) trait Store: Send + Sync + 'static {
    /// Returns the kind of database, as OpenTelemetry's conventions name it.
    fn system(&self) -> &'static str;
    /// Opens a connection for one writer, which writes into this shard only.
    async fn connect(&self, shard: Shard) -> Result<Box<dyn WriterConnection>, WriteError>;
    /// Returns a match's events after `after`, in order.
    async fn events(&self, id: MatchId, after: Seq, page: PageSize) -> Result<Vec<StoredEvent>, ReadError>;
    /// Returns a page of a match's events after `after`. All of them are known to exist, so a standby may
    /// answer.
    async fn past_events(
        &self,
        id: MatchId,
        after: Seq,
        page: PageSize,
    ) -> Result<Vec<StoredEvent>, ReadError> {
        self.events(id, after, page).await
    }
    /// Returns a match's newest event, or `None` if the match has none.
    async fn head(&self, id: MatchId) -> Result<Option<Head>, ReadError>;
    /// Returns where a match's log is, if it was archived.
    async fn archived(&self, _id: MatchId) -> Result<Option<ArchivedPlace>, ReadError> {
        Ok(None)
    }
    /// Returns the last position in the feed whose event was archived.
    async fn feed_horizon(&self) -> Result<Option<FeedCursor>, ReadError> {
        Ok(None)
    }
    /// Returns a match's row in the directory.
    async fn match_row(&self, id: MatchId) -> Result<Option<MatchRow>, ReadError>;
    /// Returns the rows of those of these matches that exist.
    async fn match_rows(&self, ids: &[MatchId]) -> Result<Vec<MatchRow>, ReadError>;
    /// Returns the match that this owner created with this request.
    async fn match_by_create_request(
        &self,
        owner: &str,
        hash: &[u8; 32],
    ) -> Result<Option<MatchRow>, ReadError>;
    /// Returns the match to which this owner gave this external id.
    async fn match_by_external_id(&self, owner: &str, id: &str) -> Result<Option<MatchRow>, ReadError>;
    /// Returns the labels of those of these matches that have any.
    async fn labels(&self, ids: &[MatchId]) -> Result<HashMap<MatchId, Labels>, ReadError>;
    /// Replaces all labels of a match, if it exists. Must not be dropped before it returns.
    async fn set_labels(&self, id: MatchId, labels: &Labels) -> Result<(), ReadError>;
    /// Returns the matches in a range, newest first.
    async fn list_matches(&self, range: &MatchRange) -> Result<Vec<MatchRow>, ReadError>;
    /// Returns the last of the candidates of a walk that one call may look at, or `None` if there are fewer.
    async fn last_candidate(
        &self,
        range: &MatchRange,
        walk: &Walk,
    ) -> Result<Option<(RecordTime, MatchId)>, ReadError>;
    /// Counts the matches of a game, or of all games, created at `since` or later.
    async fn count_matches(&self, game: Option<&str>, since: RecordTime) -> Result<u64, ReadError>;
    /// Returns the newest hlcs and the open writers, all in one snapshot.
    async fn writers(&self) -> Result<WriterSnapshot, ReadError>;
    /// Returns a range of the feed.
    async fn feed(&self, range: &FeedRange<'_>) -> Result<Vec<FeedRow>, ReadError>;
    /// Returns a range of the feed that is final, so a standby may answer.
    async fn past_feed(&self, range: &FeedRange<'_>) -> Result<Vec<FeedRow>, ReadError> {
        self.feed(range).await
    }
    /// Returns the deadlines up to `until`, earliest first.
    async fn due(&self, until: RecordTime, page: PageSize) -> Result<Vec<Deadline>, ReadError>;
    /// Binds the database to a service if it is bound to none. Returns the bound service and whether it is
    /// new.
    async fn bind_key(&self, service: &ServiceIdentity) -> Result<(BoundKey, KeyBinding), ReadError>;
    /// Returns what the database is bound to, if it was ever bound.
    async fn bound_key(&self) -> Result<Option<BoundKey>, ReadError>;
    /// Binds `new` in place of the key `old`.
    async fn rebind_key(&self, old: [u8; 32], new: &ServiceIdentity) -> Result<RebindOutcome, ReadError>;
    /// Returns the time of the database's clock.
    async fn time(&self) -> Result<RecordTime, ReadError>;
    /// Deletes at most `limit` commits before `before`, but never a writer's last. Returns the number
    /// deleted.
    async fn prune_commits(&self, before: Hlc, limit: u32) -> Result<u64, ReadError>;
    /// Checks that the database answers, accepts writes and has the required schema.
    async fn check(&self) -> Result<(), Unready> {
        Ok(())
    }
    /// Returns the use of the connection pool, or `None` without a pool.
    fn pool(&self) -> Option<PoolStats> {
        None
    }
    /// Closes the connections.
    async fn close(&self);
}
