//! Reading from SQLite, each answer one statement on any connection of the pool; housekeeping takes the writer's turn.

use std::future::Future;

use async_trait::async_trait;
use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Connection, Sqlite as Db};

use super::connect::{MIGRATOR, Missing, READ_MIGRATIONS, connect_writer};
use super::place::Found;
use super::write::SqliteLane;
use super::{Sqlite, failure};
use crate::directory::MatchRange;
use crate::feed::{FeedRange, FeedRow, LanesSeen};
use crate::rows::{
    DeadlineColumns, EventColumns, FeedColumns, LaneColumns, MatchColumns, hash, lanes_seen, seq, seq_column,
};
use crate::schema::{self, Applied};
use crate::store::{Bound, LaneConnection, Store, WriteError};
use crate::time::system_time;
use crate::{
    Clock, Deadline, KeyBinding, MatchId, MatchRow, MatchStatus, PoolStats, ReadError, RecordedTime, Seq,
    StoredEvent, Unready, Visibility,
};

const READ_EVENTS: &str = include_str!("../../sql/sqlite/read_events.sql");
const READ_HEAD: &str = include_str!("../../sql/sqlite/read_head.sql");
const READ_MATCH: &str = include_str!("../../sql/sqlite/read_match.sql");
const READ_MATCH_BY_CREATE_REQUEST: &str = include_str!("../../sql/sqlite/read_match_by_create_request.sql");
const LIST_MATCHES: &str = include_str!("../../sql/sqlite/list_matches/all.sql");
const LIST_MATCHES_OF_VISIBILITY: &str = include_str!("../../sql/sqlite/list_matches/of_visibility.sql");
const LIST_MATCHES_OF_OWNER: &str = include_str!("../../sql/sqlite/list_matches/of_owner.sql");
const LIST_MATCHES_OF_SEAT_0: &str = include_str!("../../sql/sqlite/list_matches/of_seat_0.sql");
const LIST_MATCHES_OF_SEAT_1: &str = include_str!("../../sql/sqlite/list_matches/of_seat_1.sql");
const LIST_MATCHES_OF_GAME: &str = include_str!("../../sql/sqlite/list_matches/of_game.sql");
const LIST_MATCHES_OF_STATUS: &str = include_str!("../../sql/sqlite/list_matches/of_status.sql");
const COUNT_MATCHES: &str = include_str!("../../sql/sqlite/count_matches.sql");
const READ_LANES: &str = include_str!("../../sql/sqlite/read_lanes.sql");
const READ_FEED: &str = include_str!("../../sql/sqlite/read_feed.sql");
const READ_FEED_OF_SCOPE: &str = include_str!("../../sql/sqlite/read_feed_of_scope.sql");
const READ_DUE: &str = include_str!("../../sql/sqlite/read_due.sql");
const BIND_KEY: &str = include_str!("../../sql/sqlite/bind_key.sql");
const READ_KEY: &str = include_str!("../../sql/sqlite/read_key.sql");
const REBIND_KEY: &str = include_str!("../../sql/sqlite/rebind_key.sql");
const FORGET_COMMITS: &str = include_str!("../../sql/sqlite/forget_commits.sql");

impl Sqlite {
    /// Reads within the time that a read has.
    async fn reading<T, F>(&self, read: impl FnOnce() -> F + Send) -> Result<T, ReadError>
    where
        F: Future<Output = Result<T, sqlx::Error>> + Send,
    {
        let late = |_| ReadError::Unavailable { what: "no answer in time".to_owned() };
        let done = tokio::time::timeout(self.read_within, read()).await.map_err(late)?;
        done.map_err(|error| failure::of_read(&error))
    }

    /// One small write between two batches of the lane; gives the rows it changed.
    async fn writing(&self, statement: Query<'_, Db, SqliteArguments>) -> Result<u64, ReadError> {
        let mut writer = self.writer.lock().await;
        let closed = || ReadError::Unavailable { what: "the file is not open".to_owned() };
        let done = statement.execute(writer.as_mut().ok_or_else(closed)?).await;
        done.map(|done| done.rows_affected()).map_err(|error| failure::of_read(&error))
    }
}

#[async_trait]
impl Store for Sqlite {
    fn system(&self) -> &'static str {
        "sqlite"
    }

    async fn connect(&self) -> Result<Box<dyn LaneConnection>, WriteError> {
        let mut writer = self.writer.lock().await;
        let connect = || connect_writer(self.place.path(), Missing::Refuse);
        // The old one, if any, may be in the middle of something.
        drop(writer.take());
        *writer = Some(connect().await.map_err(|error| failure::of_write(&error))?);
        Ok(Box::new(SqliteLane { writer: self.writer.clone(), place: self.place.clone() }))
    }

    async fn events(&self, id: MatchId, after: Seq, limit: u32) -> Result<Vec<StoredEvent>, ReadError> {
        let query = || {
            sqlx::query_as::<_, EventColumns>(READ_EVENTS)
                .bind(id.0)
                .bind(seq_column(after))
                .bind(i64::from(limit))
                .fetch_all(&self.readers)
        };
        self.reading(query).await?.into_iter().map(StoredEvent::try_from).collect()
    }

    async fn head(&self, id: MatchId) -> Result<Option<Seq>, ReadError> {
        let query = || sqlx::query_scalar::<_, i32>(READ_HEAD).bind(id.0).fetch_optional(&self.readers);
        self.reading(query).await?.map(seq).transpose()
    }

    async fn match_row(&self, id: MatchId) -> Result<Option<MatchRow>, ReadError> {
        let query = || sqlx::query_as::<_, MatchColumns>(READ_MATCH).bind(id.0).fetch_optional(&self.readers);
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
                .fetch_optional(&self.readers)
        };
        self.reading(query).await?.map(MatchRow::try_from).transpose()
    }

    async fn list_matches(&self, range: &MatchRange) -> Result<Vec<MatchRow>, ReadError> {
        let query = || {
            sqlx::query_as::<_, MatchColumns>(list_statement(range))
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
                .fetch_all(&self.readers)
        };
        self.reading(query).await?.into_iter().map(MatchRow::try_from).collect()
    }

    async fn count_matches(&self, game: Option<&str>, since: RecordedTime) -> Result<u64, ReadError> {
        let query =
            || sqlx::query_scalar::<_, i64>(COUNT_MATCHES).bind(game).bind(since.0).fetch_one(&self.readers);
        self.reading(query).await.map(i64::unsigned_abs)
    }

    async fn lanes(&self) -> Result<LanesSeen, ReadError> {
        let query = || sqlx::query_as::<_, LaneColumns>(READ_LANES).fetch_all(&self.readers);
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
                    .bind(i64::from(range.limit));
            match restricted {
                None => query.fetch_all(&self.readers),
                Some((owner, visibility)) => query.bind(owner).bind(visibility).fetch_all(&self.readers),
            }
        };
        self.reading(query).await?.into_iter().map(FeedRow::try_from).collect()
    }

    async fn due(&self, until: RecordedTime, limit: u32) -> Result<Vec<Deadline>, ReadError> {
        let query = || {
            sqlx::query_as::<_, DeadlineColumns>(READ_DUE)
                .bind(until.0)
                .bind(i64::from(limit))
                .fetch_all(&self.readers)
        };
        self.reading(query).await?.into_iter().map(Deadline::try_from).collect()
    }

    async fn bind_key(&self, fingerprint: [u8; 32]) -> Result<Bound, ReadError> {
        let bound = self.writing(sqlx::query(BIND_KEY).bind(fingerprint.to_vec())).await?;
        let how = if bound == 0 { KeyBinding::Known } else { KeyBinding::First };
        let read = || sqlx::query_scalar::<_, Vec<u8>>(READ_KEY).fetch_one(&self.readers);
        Ok(Bound { fingerprint: hash(self.reading(read).await?, "fingerprint")?, how })
    }

    async fn bound_key(&self) -> Result<Option<[u8; 32]>, ReadError> {
        let read = || sqlx::query_scalar::<_, Vec<u8>>(READ_KEY).fetch_optional(&self.readers);
        self.reading(read).await?.map(|bound| hash(bound, "fingerprint")).transpose()
    }

    async fn rebind_key(&self, old: [u8; 32], new: [u8; 32]) -> Result<bool, ReadError> {
        let rebind = sqlx::query(REBIND_KEY).bind(old.to_vec()).bind(new.to_vec());
        Ok(self.writing(rebind).await? == 1)
    }

    async fn time(&self) -> Result<RecordedTime, ReadError> {
        Ok(system_time())
    }

    async fn forget(&self, before: Clock, limit: u32) -> Result<u64, ReadError> {
        self.writing(sqlx::query(FORGET_COMMITS).bind(before.0).bind(i64::from(limit))).await
    }

    async fn check(&self) -> Result<(), Unready> {
        if self.place.look() != Found::Same {
            let what = "the file is not where it was".to_owned();
            return Err(ReadError::Unavailable { what }.into());
        }
        let applied = || sqlx::query_as::<_, Applied>(READ_MIGRATIONS).fetch_all(&self.readers);
        Ok(schema::judge(&MIGRATOR, &self.reading(applied).await?)?)
    }

    fn pool(&self) -> Option<PoolStats> {
        let open = usize::try_from(self.readers.size()).unwrap_or(usize::MAX);
        Some(PoolStats { open, idle: self.readers.num_idle() })
    }

    async fn close(&self) {
        self.readers.close().await;
        if let Some(writer) = self.writer.lock().await.take()
            && let Err(error) = writer.close().await
        {
            tracing::warn!(%error, "the database file did not close well");
        }
        // The file is another's to open from now on.
        drop(self.lock.lock().expect("no holder of this lock panics").take());
    }
}

/// The statement whose index leaves the fewest rows to pass over, as far as one can tell without statistics.
fn list_statement(range: &MatchRange) -> &'static str {
    match range {
        MatchRange { players: [Some(_), _], .. } => LIST_MATCHES_OF_SEAT_0,
        MatchRange { players: [_, Some(_)], .. } => LIST_MATCHES_OF_SEAT_1,
        MatchRange { owner: Some(_), .. } => LIST_MATCHES_OF_OWNER,
        MatchRange { status: Some(MatchStatus::Open | MatchStatus::Running), .. } => LIST_MATCHES_OF_STATUS,
        MatchRange { game: Some(_), .. } => LIST_MATCHES_OF_GAME,
        MatchRange { status: Some(_), .. } => LIST_MATCHES_OF_STATUS,
        MatchRange { visibility: Some(_), .. } => LIST_MATCHES_OF_VISIBILITY,
        _ => LIST_MATCHES,
    }
}
