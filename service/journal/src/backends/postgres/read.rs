//! Reading from Postgres: one statement per answer, on any connection of the pool, never in a transaction.

use std::collections::HashMap;
use std::future::Future;

use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use super::migrate::MIGRATOR;
use super::{Postgres, failure};
use crate::sql::{
    DeadlineRow, EventRow, FeedEventRow, JoinedRow, LabelOfMatch, PlaceRow, ServiceRow, Sharded, WriterRow,
    by_match, decode_cursor, decode_head, decode_place, encode_seq, gather, last_candidate_query,
    rebind_outcome, scope_parameters, writer_snapshot,
};
use crate::store::{
    AppliedMigration, FEED_PAGE_BYTES, FeedRange, FeedRow, MatchRange, Store, Walk, WriteError,
    WriterConnection, WriterSnapshot, check_schema,
};
use crate::{
    ArchivedPlace, BoundKey, Deadline, FeedCursor, Head, Hlc, KeyBinding, Labels, MatchId, MatchRow,
    PageSize, PoolStats, ReadError, RebindOutcome, RecordTime, Seq, ServiceIdentity, Shard, StoredEvent,
    Unready,
};

static READ_EVENTS: Sharded = Sharded::new(include_str!("sql/read_events.sql"));
static READ_PLACE: Sharded = Sharded::new(include_str!("sql/archiving/read_place.sql"));
const READ_HORIZON: &str = include_str!("sql/archiving/read_horizon.sql");
static READ_HEAD: Sharded = Sharded::new(include_str!("sql/read_head.sql"));
const COUNT_MATCHES: &str = include_str!("sql/count_matches.sql");
static READ_LABELS: Sharded = Sharded::new(include_str!("sql/read_labels.sql"));
const SET_LABELS: &str = include_str!("sql/set_labels.sql");
static READ_WRITERS: Sharded = Sharded::new(include_str!("sql/read_writers.sql"));
const READ_FEED: &str = include_str!("sql/read_feed.sql");
static READ_FEED_OF_SCOPE: Sharded = Sharded::new(include_str!("sql/read_feed_of_scope.sql"));
const READ_DUE: &str = include_str!("sql/read_due.sql");
const BIND_KEY: &str = include_str!("sql/bind_key.sql");
const READ_KEY: &str = include_str!("sql/read_key.sql");
const REBIND_KEY: &str = include_str!("sql/rebind_key.sql");
const READ_TIME: &str = include_str!("sql/read_time.sql");
const READ_WRITABLE: &str = include_str!("sql/read_writable.sql");
const READ_MIGRATIONS: &str = include_str!("sql/read_migrations.sql");
static PRUNE_COMMITS: Sharded = Sharded::new(include_str!("sql/prune_commits.sql"));

impl Postgres {
    /// Runs a read with the read timeout. Retries it on lost connections: each connection of the pool may
    /// have been lost since its last use.
    pub(super) async fn reading<T, F>(&self, read: impl Fn() -> F + Send) -> Result<T, ReadError>
    where
        F: Future<Output = Result<T, sqlx::Error>> + Send,
    {
        let attempts = async {
            let mut lost = 0;
            loop {
                match read().await {
                    Err(error) if failure::is_lost(&error) && lost <= self.max_readers => lost += 1,
                    done => return done.map_err(|error| failure::of_read(&error)),
                }
            }
        };
        let timed_out = |_| ReadError::Unavailable { what: "timed out".to_owned() };
        tokio::time::timeout(self.read_timeout, attempts).await.map_err(timed_out)?
    }
}

#[async_trait]
impl Store for Postgres {
    fn system(&self) -> &'static str {
        "postgresql"
    }

    async fn connect(&self, shard: Shard) -> Result<Box<dyn WriterConnection>, WriteError> {
        Ok(Box::new(self.connect_writer(shard).await?))
    }

    async fn events(&self, id: MatchId, after: Seq, page: PageSize) -> Result<Vec<StoredEvent>, ReadError> {
        let query = || {
            sqlx::query_as::<_, EventRow>(READ_EVENTS.text(self.shards))
                .bind(id.0)
                .bind(encode_seq(after))
                .bind(i64::from(page.0))
                .persistent(self.persistent())
                .fetch_all(&self.readers)
        };
        self.reading(query).await?.into_iter().map(|row| row.decode(id)).collect()
    }

    async fn past_events(
        &self,
        id: MatchId,
        after: Seq,
        page: PageSize,
    ) -> Result<Vec<StoredEvent>, ReadError> {
        if let Some(standby) = &self.standby
            && let Some(events) = standby.events(id, after, page).await
        {
            return Ok(events);
        }
        self.events(id, after, page).await
    }

    async fn head(&self, id: MatchId) -> Result<Option<Head>, ReadError> {
        let query = || {
            sqlx::query_as::<_, (i32, Vec<u8>)>(READ_HEAD.text(self.shards))
                .bind(id.0)
                .persistent(self.persistent())
                .fetch_optional(&self.readers)
        };
        self.reading(query).await?.map(decode_head).transpose()
    }

    async fn archived(&self, id: MatchId) -> Result<Option<ArchivedPlace>, ReadError> {
        let query = || {
            sqlx::query_as::<_, PlaceRow>(READ_PLACE.text(self.shards))
                .bind(id.0)
                .persistent(self.persistent())
                .fetch_optional(&self.readers)
        };
        // An older program's schema, which may be read, has no archive.
        let place = self.reading(|| async { failure::unless_no_table(query().await) }).await?;
        place.map(decode_place).transpose()
    }

    async fn feed_horizon(&self) -> Result<Option<FeedCursor>, ReadError> {
        let query = || {
            sqlx::query_scalar::<_, Vec<u8>>(READ_HORIZON)
                .persistent(self.persistent())
                .fetch_optional(&self.readers)
        };
        self.reading(query).await?.map(decode_cursor).transpose()
    }

    async fn match_row(&self, id: MatchId) -> Result<Option<MatchRow>, ReadError> {
        let query = || {
            sqlx::query_as::<_, JoinedRow>(AssertSqlSafe(self.matches.by_id.clone()))
                .bind(id.0)
                .persistent(self.persistent())
                .fetch_all(&self.readers)
        };
        Ok(gather(self.reading(query).await?).pop())
    }

    async fn match_rows(&self, ids: &[MatchId]) -> Result<Vec<MatchRow>, ReadError> {
        let query = || {
            sqlx::query_as::<_, JoinedRow>(AssertSqlSafe(self.matches.by_ids.clone()))
                .bind(ids.iter().map(|id| id.0).collect::<Vec<_>>())
                .persistent(self.persistent())
                .fetch_all(&self.readers)
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
                .persistent(self.persistent())
                .fetch_all(&self.readers)
        };
        Ok(gather(self.reading(query).await?).pop())
    }

    async fn match_by_external_id(&self, owner: &str, id: &str) -> Result<Option<MatchRow>, ReadError> {
        let query = || {
            sqlx::query_as::<_, JoinedRow>(AssertSqlSafe(self.matches.by_external_id.clone()))
                .bind(owner)
                .bind(id)
                .persistent(self.persistent())
                .fetch_all(&self.readers)
        };
        Ok(gather(self.reading(query).await?).pop())
    }

    async fn labels(&self, ids: &[MatchId]) -> Result<HashMap<MatchId, Labels>, ReadError> {
        let query = || {
            sqlx::query_as::<_, LabelOfMatch>(READ_LABELS.text(self.shards))
                .bind(ids.iter().map(|id| id.0).collect::<Vec<_>>())
                .persistent(self.persistent())
                .fetch_all(&self.readers)
        };
        self.reading(query).await.map(by_match)
    }

    async fn set_labels(&self, id: MatchId, labels: &Labels) -> Result<(), ReadError> {
        let query = || {
            sqlx::query(SET_LABELS)
                .bind(id.0)
                .bind(labels.0.keys().map(String::as_str).collect::<Vec<_>>())
                .bind(labels.0.values().map(String::as_str).collect::<Vec<_>>())
                .persistent(self.persistent())
                .execute(&self.readers)
        };
        self.reading(query).await.map(drop)
    }

    async fn list_matches(&self, range: &MatchRange) -> Result<Vec<MatchRow>, ReadError> {
        if let Some(standby) = &self.standby
            && let Some(rows) = standby.list_matches(self, range).await
        {
            return Ok(rows);
        }
        let query = || async {
            let mut query = self.matches.list(range);
            query.build_query_as::<JoinedRow>().persistent(false).fetch_all(&self.readers).await
        };
        Ok(gather(self.reading(query).await?))
    }

    async fn last_candidate(
        &self,
        range: &MatchRange,
        walk: &Walk,
    ) -> Result<Option<(RecordTime, MatchId)>, ReadError> {
        let query = || async {
            let mut query = last_candidate_query(range, walk, self.shards);
            query.build_query_as::<(i64, Uuid)>().persistent(false).fetch_optional(&self.readers).await
        };
        Ok(self.reading(query).await?.map(|(time, id)| (RecordTime(time), MatchId(id))))
    }

    async fn count_matches(&self, game: Option<&str>, since: RecordTime) -> Result<u64, ReadError> {
        let query = || {
            sqlx::query_scalar::<_, i64>(COUNT_MATCHES)
                .bind(game)
                .bind(since.0)
                .persistent(false)
                .fetch_one(&self.readers)
        };
        self.reading(query).await.map(i64::unsigned_abs)
    }

    async fn writers(&self) -> Result<WriterSnapshot, ReadError> {
        let query = || {
            sqlx::query_as::<_, WriterRow>(READ_WRITERS.text(self.shards))
                .persistent(self.persistent())
                .fetch_all(&self.readers)
        };
        Ok(writer_snapshot(&self.reading(query).await?))
    }

    async fn feed(&self, range: &FeedRange<'_>) -> Result<Vec<FeedRow>, ReadError> {
        let query = || {
            let restricted = scope_parameters(range.scope);
            let query = sqlx::query_as::<_, FeedEventRow>(
                restricted.map_or(READ_FEED, |_| READ_FEED_OF_SCOPE.text(self.shards)),
            )
            .bind(range.after.hlc.0)
            .bind(range.after.match_id.0)
            .bind(encode_seq(range.after.seq))
            .bind(range.until.0)
            .bind(i64::from(range.page.0))
            .bind(i64::try_from(FEED_PAGE_BYTES).unwrap_or(i64::MAX))
            .persistent(self.persistent());
            match restricted {
                None => query.fetch_all(&self.readers),
                Some((owner, visibility)) => query.bind(owner).bind(visibility).fetch_all(&self.readers),
            }
        };
        self.reading(query).await?.into_iter().map(FeedRow::try_from).collect()
    }

    async fn past_feed(&self, range: &FeedRange<'_>) -> Result<Vec<FeedRow>, ReadError> {
        if let Some(standby) = &self.standby
            && let Some(rows) = standby.feed(range).await
        {
            return Ok(rows);
        }
        self.feed(range).await
    }

    async fn due(&self, until: RecordTime, page: PageSize) -> Result<Vec<Deadline>, ReadError> {
        let query = || {
            sqlx::query_as::<_, DeadlineRow>(READ_DUE)
                .bind(until.0)
                .bind(i64::from(page.0))
                .persistent(self.persistent())
                .fetch_all(&self.readers)
        };
        self.reading(query).await?.into_iter().map(Deadline::try_from).collect()
    }

    async fn bind_key(&self, service: &ServiceIdentity) -> Result<(BoundKey, KeyBinding), ReadError> {
        let bind = || {
            sqlx::query(BIND_KEY)
                .bind(service.fingerprint.to_vec())
                .bind(&service.name)
                .persistent(false)
                .execute(&self.readers)
        };
        let binding = match self.reading(bind).await?.rows_affected() {
            0 => KeyBinding::Known,
            _ => KeyBinding::First,
        };
        let read = || sqlx::query_as::<_, ServiceRow>(READ_KEY).persistent(false).fetch_one(&self.readers);
        Ok((BoundKey::try_from(self.reading(read).await?)?, binding))
    }

    async fn bound_key(&self) -> Result<Option<BoundKey>, ReadError> {
        let read =
            || sqlx::query_as::<_, ServiceRow>(READ_KEY).persistent(false).fetch_optional(&self.readers);
        self.reading(read).await?.map(BoundKey::try_from).transpose()
    }

    async fn rebind_key(&self, old: [u8; 32], new: &ServiceIdentity) -> Result<RebindOutcome, ReadError> {
        // Not retried on another connection: a second attempt would find the first one's result.
        let rebind = sqlx::query(REBIND_KEY)
            .bind(old.to_vec())
            .bind(new.fingerprint.to_vec())
            .bind(&new.name)
            .persistent(false);
        match rebind.execute(&self.readers).await {
            Ok(done) => Ok(rebind_outcome(done.rows_affected())),
            Err(error) if failure::is_not_permitted(&error) => Ok(RebindOutcome::NotPermitted),
            Err(error) => Err(failure::of_read(&error)),
        }
    }

    async fn time(&self) -> Result<RecordTime, ReadError> {
        let query =
            || sqlx::query_scalar::<_, i64>(READ_TIME).persistent(self.persistent()).fetch_one(&self.readers);
        self.reading(query).await.map(RecordTime)
    }

    async fn prune_commits(&self, before: Hlc, limit: u32) -> Result<u64, ReadError> {
        let step = || {
            sqlx::query(PRUNE_COMMITS.text(self.shards))
                .bind(before.0)
                .bind(i64::from(limit))
                .persistent(false)
                .execute(&self.readers)
        };
        Ok(self.reading(step).await?.rows_affected())
    }

    async fn check(&self) -> Result<(), Unready> {
        let writable =
            || sqlx::query_scalar::<_, bool>(READ_WRITABLE).persistent(false).fetch_one(&self.readers);
        if !self.reading(writable).await? {
            return Err(Unready::ReadOnly);
        }
        let applied = || {
            sqlx::query_as::<_, AppliedMigration>(READ_MIGRATIONS).persistent(false).fetch_all(&self.readers)
        };
        Ok(check_schema(&MIGRATOR, &self.reading(applied).await?)?)
    }

    fn pool(&self) -> Option<PoolStats> {
        let open = usize::try_from(self.readers.size()).unwrap_or(usize::MAX);
        Some(PoolStats { open, idle: self.readers.num_idle() })
    }

    async fn close(&self) {
        if let Some(standby) = &self.standby {
            standby.close().await;
        }
        self.readers.close().await;
    }
}
