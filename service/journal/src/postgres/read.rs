//! Reading from Postgres, each answer one statement on any connection of the pool, none in a transaction.

use std::future::Future;

use async_trait::async_trait;

use super::migrate::MIGRATOR;
use super::{Postgres, failure};
use crate::directory::MatchRange;
use crate::feed::{FeedRange, FeedRow, LanesSeen};
use crate::rows::{
    DeadlineColumns, EventColumns, FeedColumns, LaneColumns, MatchColumns, hash, lanes_seen, seq, seq_column,
};
use crate::schema::{self, Applied};
use crate::store::{Bound, LaneConnection, Store, WriteError};
use crate::{
    Clock, Deadline, KeyBinding, MatchId, MatchRow, MatchStatus, PoolStats, ReadError, RecordedTime, Seq,
    StoredEvent, Unready, Visibility,
};

const READ_EVENTS: &str = include_str!("../../sql/postgres/read_events.sql");
const READ_HEAD: &str = include_str!("../../sql/postgres/read_head.sql");
const READ_MATCH: &str = include_str!("../../sql/postgres/read_match.sql");
const READ_MATCH_BY_CREATE_REQUEST: &str =
    include_str!("../../sql/postgres/read_match_by_create_request.sql");
const LIST_MATCHES: &str = include_str!("../../sql/postgres/list_matches.sql");
const COUNT_MATCHES: &str = include_str!("../../sql/postgres/count_matches.sql");
const READ_LANES: &str = include_str!("../../sql/postgres/read_lanes.sql");
const READ_FEED: &str = include_str!("../../sql/postgres/read_feed.sql");
const READ_FEED_OF_SCOPE: &str = include_str!("../../sql/postgres/read_feed_of_scope.sql");
const READ_DUE: &str = include_str!("../../sql/postgres/read_due.sql");
const BIND_KEY: &str = include_str!("../../sql/postgres/bind_key.sql");
const READ_KEY: &str = include_str!("../../sql/postgres/read_key.sql");
const REBIND_KEY: &str = include_str!("../../sql/postgres/rebind_key.sql");
const READ_TIME: &str = include_str!("../../sql/postgres/read_time.sql");
const READ_WRITABLE: &str = include_str!("../../sql/postgres/read_writable.sql");
const READ_MIGRATIONS: &str = include_str!("../../sql/postgres/read_migrations.sql");
const FORGET_COMMITS: &str = include_str!("../../sql/postgres/forget_commits.sql");

impl Postgres {
    /// Reads within the time that a read has. A connection of the pool may have died since it was used last, and
    /// every one of them has then to be found out.
    pub(super) async fn reading<T, F>(&self, read: impl Fn() -> F + Send) -> Result<T, ReadError>
    where
        F: Future<Output = Result<T, sqlx::Error>> + Send,
    {
        let attempts = async {
            let mut lost = 0;
            loop {
                match read().await {
                    Err(error) if failure::is_lost(&error) && lost <= self.reader_count => lost += 1,
                    done => return done.map_err(|error| failure::of_read(&error)),
                }
            }
        };
        let late = |_| ReadError::Unavailable { what: "no answer in time".to_owned() };
        tokio::time::timeout(self.read_within, attempts).await.map_err(late)?
    }
}

#[async_trait]
impl Store for Postgres {
    fn system(&self) -> &'static str {
        "postgresql"
    }

    async fn connect(&self) -> Result<Box<dyn LaneConnection>, WriteError> {
        Ok(Box::new(self.connect_lane().await?))
    }

    async fn events(&self, id: MatchId, after: Seq, limit: u32) -> Result<Vec<StoredEvent>, ReadError> {
        let query = || {
            sqlx::query_as::<_, EventColumns>(READ_EVENTS)
                .bind(id.0)
                .bind(seq_column(after))
                .bind(i64::from(limit))
                .persistent(self.persistent())
                .fetch_all(&self.readers)
        };
        self.reading(query).await?.into_iter().map(StoredEvent::try_from).collect()
    }

    async fn past_events(&self, id: MatchId, after: Seq, count: u32) -> Result<Vec<StoredEvent>, ReadError> {
        if let Some(standby) = &self.standby
            && let Some(events) = standby.events(id, after, count).await
        {
            return Ok(events);
        }
        self.events(id, after, count).await
    }

    async fn head(&self, id: MatchId) -> Result<Option<Seq>, ReadError> {
        let query = || {
            sqlx::query_scalar::<_, i32>(READ_HEAD)
                .bind(id.0)
                .persistent(self.persistent())
                .fetch_optional(&self.readers)
        };
        self.reading(query).await?.map(seq).transpose()
    }

    async fn match_row(&self, id: MatchId) -> Result<Option<MatchRow>, ReadError> {
        let query = || {
            sqlx::query_as::<_, MatchColumns>(READ_MATCH)
                .bind(id.0)
                .persistent(self.persistent())
                .fetch_optional(&self.readers)
        };
        self.reading(query).await?.map(MatchRow::try_from).transpose()
    }

    async fn match_by_create_request(
        &self,
        owner: &str,
        hash: &[u8; 32],
    ) -> Result<Option<MatchRow>, ReadError> {
        let query = || {
            sqlx::query_as::<_, MatchColumns>(READ_MATCH_BY_CREATE_REQUEST)
                .bind(owner)
                .bind(&hash[..])
                .persistent(self.persistent())
                .fetch_optional(&self.readers)
        };
        self.reading(query).await?.map(MatchRow::try_from).transpose()
    }

    async fn list_matches(&self, range: &MatchRange) -> Result<Vec<MatchRow>, ReadError> {
        if let Some(standby) = &self.standby
            && let Some(rows) = standby.list_matches(self, range).await
        {
            return Ok(rows);
        }
        // Not prepared: the plan depends on which parameters are there.
        let query = || {
            sqlx::query_as::<_, MatchColumns>(LIST_MATCHES)
                .bind(range.visibility.map(Visibility::as_str))
                .bind(range.owner.as_deref())
                .bind(range.players[0].as_deref())
                .bind(range.players[1].as_deref())
                .bind(range.game.as_deref())
                .bind(range.status.map(MatchStatus::as_str))
                .bind(range.since.0)
                .bind(range.end.0.0)
                .bind(range.end.1.0)
                .bind(i64::from(range.limit))
                .persistent(false)
                .fetch_all(&self.readers)
        };
        self.reading(query).await?.into_iter().map(MatchRow::try_from).collect()
    }

    async fn count_matches(&self, game: Option<&str>, since: RecordedTime) -> Result<u64, ReadError> {
        let query = || {
            sqlx::query_scalar::<_, i64>(COUNT_MATCHES)
                .bind(game)
                .bind(since.0)
                .persistent(false)
                .fetch_one(&self.readers)
        };
        self.reading(query).await.map(i64::unsigned_abs)
    }

    async fn lanes(&self) -> Result<LanesSeen, ReadError> {
        let query = || {
            sqlx::query_as::<_, LaneColumns>(READ_LANES)
                .persistent(self.persistent())
                .fetch_all(&self.readers)
        };
        Ok(lanes_seen(&self.reading(query).await?))
    }

    async fn feed(&self, range: &FeedRange<'_>) -> Result<Vec<FeedRow>, ReadError> {
        let query = || {
            let restricted = range.scope.feed_columns();
            let query =
                sqlx::query_as::<_, FeedColumns>(restricted.map_or(READ_FEED, |_| READ_FEED_OF_SCOPE))
                    .bind(range.after.clock.0)
                    .bind(range.after.match_id.0)
                    .bind(seq_column(range.after.seq))
                    .bind(range.until.0)
                    .bind(i64::from(range.limit))
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

    async fn due(&self, until: RecordedTime, limit: u32) -> Result<Vec<Deadline>, ReadError> {
        let query = || {
            sqlx::query_as::<_, DeadlineColumns>(READ_DUE)
                .bind(until.0)
                .bind(i64::from(limit))
                .persistent(self.persistent())
                .fetch_all(&self.readers)
        };
        self.reading(query).await?.into_iter().map(Deadline::try_from).collect()
    }

    async fn bind_key(&self, fingerprint: [u8; 32]) -> Result<Bound, ReadError> {
        let bind =
            || sqlx::query(BIND_KEY).bind(fingerprint.to_vec()).persistent(false).execute(&self.readers);
        let how = match self.reading(bind).await?.rows_affected() {
            0 => KeyBinding::Known,
            _ => KeyBinding::First,
        };
        let read = || sqlx::query_scalar::<_, Vec<u8>>(READ_KEY).persistent(false).fetch_one(&self.readers);
        Ok(Bound { fingerprint: hash(self.reading(read).await?, "fingerprint")?, how })
    }

    async fn bound_key(&self) -> Result<Option<[u8; 32]>, ReadError> {
        let read =
            || sqlx::query_scalar::<_, Vec<u8>>(READ_KEY).persistent(false).fetch_optional(&self.readers);
        self.reading(read).await?.map(|bound| hash(bound, "fingerprint")).transpose()
    }

    async fn rebind_key(&self, old: [u8; 32], new: [u8; 32]) -> Result<bool, ReadError> {
        // Not tried again on another connection: the second time would find the work of the first.
        let rebind = sqlx::query(REBIND_KEY).bind(old.to_vec()).bind(new.to_vec()).persistent(false);
        let done = rebind.execute(&self.readers).await.map_err(|error| failure::of_read(&error))?;
        Ok(done.rows_affected() == 1)
    }

    async fn time(&self) -> Result<RecordedTime, ReadError> {
        let query =
            || sqlx::query_scalar::<_, i64>(READ_TIME).persistent(self.persistent()).fetch_one(&self.readers);
        self.reading(query).await.map(RecordedTime)
    }

    async fn forget(&self, before: Clock, limit: u32) -> Result<u64, ReadError> {
        let step = || {
            sqlx::query(FORGET_COMMITS)
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
        let applied =
            || sqlx::query_as::<_, Applied>(READ_MIGRATIONS).persistent(false).fetch_all(&self.readers);
        Ok(schema::judge(&MIGRATOR, &self.reading(applied).await?)?)
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
