//! A database in memory to which writers connect in a test's own way.

use std::collections::HashMap;

use async_trait::async_trait;

use super::MemoryDatabase;
use crate::store::{
    FeedRange, FeedRow, MatchRange, Store, Walk, WriteError, WriterConnection, WriterSnapshot,
};
use crate::{
    BoundKey, Deadline, Head, Hlc, KeyBinding, Labels, MatchId, MatchRow, PageSize, ReadError, RebindOutcome,
    RecordTime, Seq, ServiceIdentity, Shard, StoredEvent,
};

/// The database; reads reach it directly.
pub(crate) struct WithConnections<C> {
    pub(crate) memory: MemoryDatabase,
    pub(crate) connections: C,
}

/// Opens the connections of writers.
#[async_trait]
pub(crate) trait WriterRoute: Send + Sync + 'static {
    async fn connect(&self, shard: Shard) -> Result<Box<dyn WriterConnection>, WriteError>;
}

#[async_trait]
impl<C: WriterRoute> Store for WithConnections<C> {
    fn system(&self) -> &'static str {
        "memory"
    }

    async fn connect(&self, shard: Shard) -> Result<Box<dyn WriterConnection>, WriteError> {
        self.connections.connect(shard).await
    }

    async fn events(&self, id: MatchId, after: Seq, page: PageSize) -> Result<Vec<StoredEvent>, ReadError> {
        self.memory.events(id, after, page).await
    }

    async fn head(&self, id: MatchId) -> Result<Option<Head>, ReadError> {
        self.memory.head(id).await
    }

    async fn match_row(&self, id: MatchId) -> Result<Option<MatchRow>, ReadError> {
        self.memory.match_row(id).await
    }

    async fn match_rows(&self, ids: &[MatchId]) -> Result<Vec<MatchRow>, ReadError> {
        self.memory.match_rows(ids).await
    }

    async fn match_by_create_request(
        &self,
        owner: &str,
        hash: &[u8; 32],
    ) -> Result<Option<MatchRow>, ReadError> {
        self.memory.match_by_create_request(owner, hash).await
    }

    async fn match_by_external_id(&self, owner: &str, id: &str) -> Result<Option<MatchRow>, ReadError> {
        self.memory.match_by_external_id(owner, id).await
    }

    async fn labels(&self, ids: &[MatchId]) -> Result<HashMap<MatchId, Labels>, ReadError> {
        self.memory.labels(ids).await
    }

    async fn set_labels(&self, id: MatchId, labels: &Labels) -> Result<(), ReadError> {
        self.memory.set_labels(id, labels).await
    }

    async fn list_matches(&self, range: &MatchRange) -> Result<Vec<MatchRow>, ReadError> {
        self.memory.list_matches(range).await
    }

    async fn last_candidate(
        &self,
        range: &MatchRange,
        walk: &Walk,
    ) -> Result<Option<(RecordTime, MatchId)>, ReadError> {
        self.memory.last_candidate(range, walk).await
    }

    async fn count_matches(&self, game: Option<&str>, since: RecordTime) -> Result<u64, ReadError> {
        self.memory.count_matches(game, since).await
    }

    async fn writers(&self) -> Result<WriterSnapshot, ReadError> {
        self.memory.writers().await
    }

    async fn feed(&self, range: &FeedRange<'_>) -> Result<Vec<FeedRow>, ReadError> {
        self.memory.feed(range).await
    }

    async fn due(&self, until: RecordTime, page: PageSize) -> Result<Vec<Deadline>, ReadError> {
        self.memory.due(until, page).await
    }

    async fn bind_key(&self, service: &ServiceIdentity) -> Result<(BoundKey, KeyBinding), ReadError> {
        self.memory.bind_key(service).await
    }

    async fn bound_key(&self) -> Result<Option<BoundKey>, ReadError> {
        self.memory.bound_key().await
    }

    async fn rebind_key(&self, old: [u8; 32], new: &ServiceIdentity) -> Result<RebindOutcome, ReadError> {
        self.memory.rebind_key(old, new).await
    }

    async fn time(&self) -> Result<RecordTime, ReadError> {
        self.memory.time().await
    }

    async fn prune_commits(&self, before: Hlc, limit: u32) -> Result<u64, ReadError> {
        self.memory.prune_commits(before, limit).await
    }

    async fn close(&self) {}
}
