//! Reading from SQLite: one statement per answer, on any connection of the pool. Housekeeping uses the
//! writer's connection.

use std::collections::HashMap;
use std::future::Future;

use async_trait::async_trait;
use sqlx::{AssertSqlSafe, Connection, QueryBuilder};
use uuid::Uuid;

use super::connect::{MIGRATOR, READ_MIGRATIONS, connect_writer};
use super::opened_file::FileStatus;
use super::statements::Statement;
use super::write::{Locked, SqliteWriter};
use super::{Sqlite, failure};
use crate::database_time::system_time;
use crate::sql::{
    DeadlineRow, EventRow, FeedEventRow, JoinedRow, LabelOfMatch, PlaceRow, ServiceRow, WriterRow, by_match,
    decode_cursor, decode_head, decode_place, encode_seq, gather, last_candidate_query, rebind_outcome,
    scope_parameters, writer_snapshot,
};
use crate::store::{
    AppliedMigration, FEED_PAGE_BYTES, FeedRange, FeedRow, MatchRange, Store, Walk, WriteError,
    WriterConnection, WriterSnapshot, check_schema,
};
use crate::{
    ArchivedPlace, BoundKey, Deadline, FeedCursor, Head, Hlc, KeyBinding, Labels, MatchId, MatchRow,
    PageSize, PoolStats, ReadError, RebindOutcome, RecordTime, Seq, ServiceIdentity, Shard, Shards,
    StoredEvent, Unready,
};

const READ_EVENTS: &str = include_str!("sql/read_events.sql");
const READ_PLACE: &str = include_str!("sql/archiving/read_place.sql");
const READ_HORIZON: &str = include_str!("sql/archiving/read_horizon.sql");
const READ_HEAD: &str = include_str!("sql/read_head.sql");
const COUNT_MATCHES: &str = include_str!("sql/count_matches.sql");
const READ_LABELS: &str = "SELECT match_id, key, value FROM match_label WHERE match_id IN (";
const READ_WRITERS: &str = include_str!("sql/read_writers.sql");
const READ_FEED: &str = include_str!("sql/read_feed.sql");
const READ_FEED_OF_SCOPE: &str = include_str!("sql/read_feed_of_scope.sql");
const READ_DUE: &str = include_str!("sql/read_due.sql");
const BIND_KEY: &str = include_str!("sql/bind_key.sql");
const READ_KEY: &str = include_str!("sql/read_key.sql");
const REBIND_KEY: &str = include_str!("sql/rebind_key.sql");
const PRUNE_COMMITS: &str = include_str!("sql/prune_commits.sql");

impl Sqlite {
    /// Runs a read with the read timeout.
    pub(super) async fn reading<T, F>(&self, read: impl FnOnce() -> F + Send) -> Result<T, ReadError>
    where
        F: Future<Output = Result<T, sqlx::Error>> + Send,
    {
        let timed_out = |_| ReadError::Unavailable { what: "timed out".to_owned() };
        let done = tokio::time::timeout(self.read_timeout, read()).await.map_err(timed_out)?;
        done.map_err(|error| failure::of_read(&error))
    }

    /// Runs a small write between two batches of the writer. Returns the number of rows it changed.
    pub(super) async fn writing(&self, statement: Statement<'_>) -> Result<u64, ReadError> {
        let mut connection = self.connection.lock().await;
        let closed = || ReadError::Unavailable { what: "the file is not open".to_owned() };
        let done = statement.execute(connection.as_mut().ok_or_else(closed)?).await;
        done.map(|done| done.rows_affected()).map_err(|error| failure::of_read(&error))
    }
}

#[async_trait]
impl Store for Sqlite {
    fn system(&self) -> &'static str {
        "sqlite"
    }

    async fn connect(&self, _shard: Shard) -> Result<Box<dyn WriterConnection>, WriteError> {
        let mut connection = self.connection.lock().await;
        // Close the old one first, if any: it may hold an open transaction.
        drop(connection.take());
        let connected = connect_writer(self.file.path()).await;
        *connection = Some(connected.map_err(|error| failure::of_write(&error))?);
        Ok(Box::new(SqliteWriter { connection: self.connection.clone(), file: self.file.clone() }))
    }

    async fn events(&self, id: MatchId, after: Seq, page: PageSize) -> Result<Vec<StoredEvent>, ReadError> {
        let query = || {
            sqlx::query_as::<_, EventRow>(READ_EVENTS)
                .bind(id.0)
                .bind(encode_seq(after))
                .bind(i64::from(page.0))
                .fetch_all(&self.readers)
        };
        self.reading(query).await?.into_iter().map(|row| row.decode(id)).collect()
    }

    async fn head(&self, id: MatchId) -> Result<Option<Head>, ReadError> {
        let query =
            || sqlx::query_as::<_, (i32, Vec<u8>)>(READ_HEAD).bind(id.0).fetch_optional(&self.readers);
        self.reading(query).await?.map(decode_head).transpose()
    }

    async fn archived(&self, id: MatchId) -> Result<Option<ArchivedPlace>, ReadError> {
        let query = || sqlx::query_as::<_, PlaceRow>(READ_PLACE).bind(id.0).fetch_optional(&self.readers);
        // An older program's schema, which may be read, has no archive.
        let place = self.reading(|| async { failure::unless_no_table(query().await) }).await?;
        place.map(decode_place).transpose()
    }

    async fn feed_horizon(&self) -> Result<Option<FeedCursor>, ReadError> {
        let query = || sqlx::query_scalar::<_, Vec<u8>>(READ_HORIZON).fetch_optional(&self.readers);
        self.reading(query).await?.map(decode_cursor).transpose()
    }

    async fn match_row(&self, id: MatchId) -> Result<Option<MatchRow>, ReadError> {
        let query = || {
            sqlx::query_as::<_, JoinedRow>(AssertSqlSafe(self.matches.by_id.clone()))
                .bind(id.0)
                .fetch_all(&self.readers)
        };
        Ok(gather(self.reading(query).await?).pop())
    }

    async fn match_rows(&self, ids: &[MatchId]) -> Result<Vec<MatchRow>, ReadError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let query = || async {
            let mut query = self.matches.by_ids(ids);
            query.build_query_as::<JoinedRow>().fetch_all(&self.readers).await
        };
        Ok(gather(self.reading(query).await?))
    }

    async fn match_by_create_request(
        &self,
        owner: &str,
        hash: &[u8; 32],
    ) -> Result<Option<MatchRow>, ReadError> {
        let query = || {
            sqlx::query_as::<_, JoinedRow>(AssertSqlSafe(self.matches.by_create_request.clone()))
                .bind(owner)
                .bind(&hash[..])
                .fetch_all(&self.readers)
        };
        Ok(gather(self.reading(query).await?).pop())
    }

    async fn match_by_external_id(&self, owner: &str, id: &str) -> Result<Option<MatchRow>, ReadError> {
        let query = || {
            sqlx::query_as::<_, JoinedRow>(AssertSqlSafe(self.matches.by_external_id.clone()))
                .bind(owner)
                .bind(id)
                .fetch_all(&self.readers)
        };
        Ok(gather(self.reading(query).await?).pop())
    }

    async fn labels(&self, ids: &[MatchId]) -> Result<HashMap<MatchId, Labels>, ReadError> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let query = || async {
            let mut query = QueryBuilder::new(READ_LABELS);
            let mut list = query.separated(", ");
            for id in ids {
                list.push_bind(id.0);
            }
            query.push(")").build_query_as::<LabelOfMatch>().fetch_all(&self.readers).await
        };
        self.reading(query).await.map(by_match)
    }

    async fn set_labels(&self, id: MatchId, labels: &Labels) -> Result<(), ReadError> {
        let mut locked = Locked(self.connection.lock().await);
        let done = locked.set_labels(id, labels).await;
        done.map_err(|error| ReadError::Unavailable { what: error.to_string() })
    }

    async fn list_matches(&self, range: &MatchRange) -> Result<Vec<MatchRow>, ReadError> {
        let query = || async {
            let mut query = self.matches.list(range);
            query.build_query_as::<JoinedRow>().fetch_all(&self.readers).await
        };
        Ok(gather(self.reading(query).await?))
    }

    async fn last_candidate(
        &self,
        range: &MatchRange,
        walk: &Walk,
    ) -> Result<Option<(RecordTime, MatchId)>, ReadError> {
        let query = || async {
            let mut query = last_candidate_query(range, walk, Shards::ONE);
            query.build_query_as::<(i64, Uuid)>().fetch_optional(&self.readers).await
        };
        Ok(self.reading(query).await?.map(|(time, id)| (RecordTime(time), MatchId(id))))
    }

    async fn count_matches(&self, game: Option<&str>, since: RecordTime) -> Result<u64, ReadError> {
        let query =
            || sqlx::query_scalar::<_, i64>(COUNT_MATCHES).bind(game).bind(since.0).fetch_one(&self.readers);
        self.reading(query).await.map(i64::unsigned_abs)
    }

    async fn writers(&self) -> Result<WriterSnapshot, ReadError> {
        let query = || sqlx::query_as::<_, WriterRow>(READ_WRITERS).fetch_all(&self.readers);
        Ok(writer_snapshot(&self.reading(query).await?))
    }

    async fn feed(&self, range: &FeedRange<'_>) -> Result<Vec<FeedRow>, ReadError> {
        let query = || {
            let restricted = scope_parameters(range.scope);
            let query =
                sqlx::query_as::<_, FeedEventRow>(restricted.map_or(READ_FEED, |_| READ_FEED_OF_SCOPE))
                    .bind(range.after.hlc.0)
                    .bind(range.after.match_id.0)
                    .bind(encode_seq(range.after.seq))
                    .bind(range.until.0)
                    .bind(i64::from(range.page.0))
                    .bind(i64::try_from(FEED_PAGE_BYTES).unwrap_or(i64::MAX));
            match restricted {
                None => query.fetch_all(&self.readers),
                Some((owner, visibility)) => query.bind(owner).bind(visibility).fetch_all(&self.readers),
            }
        };
        self.reading(query).await?.into_iter().map(FeedRow::try_from).collect()
    }

    async fn due(&self, until: RecordTime, page: PageSize) -> Result<Vec<Deadline>, ReadError> {
        let query = || {
            sqlx::query_as::<_, DeadlineRow>(READ_DUE)
                .bind(until.0)
                .bind(i64::from(page.0))
                .fetch_all(&self.readers)
        };
        self.reading(query).await?.into_iter().map(Deadline::try_from).collect()
    }

    async fn bind_key(&self, service: &ServiceIdentity) -> Result<(BoundKey, KeyBinding), ReadError> {
        let inserted = self
            .writing(sqlx::query(BIND_KEY).bind(service.fingerprint.to_vec()).bind(&service.name))
            .await?;
        let binding = if inserted == 0 { KeyBinding::Known } else { KeyBinding::First };
        let read = || sqlx::query_as::<_, ServiceRow>(READ_KEY).fetch_one(&self.readers);
        Ok((BoundKey::try_from(self.reading(read).await?)?, binding))
    }

    async fn bound_key(&self) -> Result<Option<BoundKey>, ReadError> {
        let read = || sqlx::query_as::<_, ServiceRow>(READ_KEY).fetch_optional(&self.readers);
        self.reading(read).await?.map(BoundKey::try_from).transpose()
    }

    async fn rebind_key(&self, old: [u8; 32], new: &ServiceIdentity) -> Result<RebindOutcome, ReadError> {
        let rebind =
            sqlx::query(REBIND_KEY).bind(old.to_vec()).bind(new.fingerprint.to_vec()).bind(&new.name);
        Ok(rebind_outcome(self.writing(rebind).await?))
    }

    async fn time(&self) -> Result<RecordTime, ReadError> {
        Ok(system_time())
    }

    async fn prune_commits(&self, before: Hlc, limit: u32) -> Result<u64, ReadError> {
        self.writing(sqlx::query(PRUNE_COMMITS).bind(before.0).bind(i64::from(limit))).await
    }

    async fn check(&self) -> Result<(), Unready> {
        if self.file.status() != FileStatus::Unchanged {
            let what = "the database file was moved or replaced".to_owned();
            return Err(ReadError::Unavailable { what }.into());
        }
        let applied = || sqlx::query_as::<_, AppliedMigration>(READ_MIGRATIONS).fetch_all(&self.readers);
        Ok(check_schema(&MIGRATOR, &self.reading(applied).await?)?)
    }

    fn pool(&self) -> Option<PoolStats> {
        let open = usize::try_from(self.readers.size()).unwrap_or(usize::MAX);
        Some(PoolStats { open, idle: self.readers.num_idle() })
    }

    async fn close(&self) {
        self.readers.close().await;
        if let Some(connection) = self.connection.lock().await.take()
            && let Err(error) = connection.close().await
        {
            tracing::warn!(%error, "closing the database file failed");
        }
        // From now on another process may open the file.
        drop(self.lock.lock().expect("no holder of this lock panics").take());
    }
}
