//! The archiver's connection to Postgres. It holds a lock of the session, so only one archiver runs.

use std::collections::HashMap;

use async_trait::async_trait;
use sqlx::postgres::{PgConnectOptions, PgRow};
use sqlx::{ConnectOptions, Connection, Executor, FromRow, PgConnection, Row};
use uuid::Uuid;

use super::sharding::read_shards;
use super::{configure, failure, require_migrated};
use crate::archiving::{ArchiverStore, DropError, DroppedSegment};
use crate::ids::PageSize;
use crate::sql::{
    EventRow, NeedsRow, SegmentColumns, ServiceRow, Sharded, decode_needs, decode_segment, encode_seq,
};
use crate::{
    BoundKey, FeedNeeds, MatchId, OpenError, ReadError, RecordTime, SegmentRow, Shards, StoredEvent,
};

const LOCK: &str = include_str!("sql/archiving/lock.sql");
const PREPARE: &str = include_str!("sql/archiving/prepare.sql");
const READ_TIME: &str = include_str!("sql/read_time.sql");
const READ_KEY: &str = include_str!("sql/read_key.sql");
const READ_SEGMENTS: &str = include_str!("sql/archiving/read_segments.sql");
const START_SEGMENT: &str = include_str!("sql/archiving/start_segment.sql");
const DISCARD_SEGMENT: &str = include_str!("sql/archiving/discard_segment.sql");
const END_SEGMENT: &str = include_str!("sql/archiving/end_segment.sql");
static COUNT_FINISHED: Sharded = Sharded::new(include_str!("sql/archiving/count_finished.sql"));
static FINISHED: Sharded = Sharded::new(include_str!("sql/archiving/finished.sql"));
static READ_LOGS: Sharded = Sharded::new(include_str!("sql/archiving/read_logs.sql"));
const READ_NEEDED: &str = include_str!("sql/archiving/read_needed.sql");
const ANNOUNCE: &str = include_str!("sql/archiving/announce.sql");
static INSERT_MATCHES: Sharded = Sharded::new(include_str!("sql/archiving/insert_matches.sql"));
static DELETE_EVENTS: Sharded = Sharded::new(include_str!("sql/archiving/delete_events.sql"));
const MOVE_HORIZON: &str = include_str!("sql/archiving/move_horizon.sql");

/// The archiver's connection.
pub(super) struct PostgresArchiver {
    connection: PgConnection,
    shards: Shards,
}

/// Connects, and takes the lock.
pub(super) async fn open_archiver(options: &PgConnectOptions) -> Result<PostgresArchiver, OpenError> {
    let options = configure(options.clone());
    require_migrated(&options).await?;
    let mut connection = options.connect().await.map_err(|error| failure::of_connect(&error))?;
    let shards = read_shards(&mut connection).await?;
    connection.execute(PREPARE).await.map_err(|error| failure::of_connect(&error))?;
    let locked = sqlx::query_scalar::<_, bool>(LOCK).fetch_one(&mut connection).await;
    if !locked.map_err(|error| failure::of_connect(&error))? {
        return Err(OpenError::OtherArchiver);
    }
    Ok(PostgresArchiver { connection, shards })
}

fn failed(error: &sqlx::Error) -> ReadError {
    failure::of_read(error)
}

#[async_trait]
impl ArchiverStore for PostgresArchiver {
    async fn time(&mut self) -> Result<RecordTime, ReadError> {
        let time = sqlx::query_scalar::<_, i64>(READ_TIME).fetch_one(&mut self.connection).await;
        time.map(RecordTime).map_err(|error| failed(&error))
    }

    async fn bound_key(&mut self) -> Result<Option<BoundKey>, ReadError> {
        let row = sqlx::query_as::<_, ServiceRow>(READ_KEY).fetch_optional(&mut self.connection).await;
        row.map_err(|error| failed(&error))?.map(BoundKey::try_from).transpose()
    }

    async fn segments(&mut self) -> Result<Vec<SegmentRow>, ReadError> {
        let rows = sqlx::query_as::<_, SegmentColumns>(READ_SEGMENTS).fetch_all(&mut self.connection).await;
        rows.map_err(|error| failed(&error))?.into_iter().map(decode_segment).collect()
    }

    async fn start_segment(&mut self, segment: Uuid, now: RecordTime) -> Result<(), ReadError> {
        let started =
            sqlx::query(START_SEGMENT).bind(segment).bind(now.0).execute(&mut self.connection).await;
        started.map(drop).map_err(|error| failed(&error))
    }

    async fn discard_segment(&mut self, segment: Uuid) -> Result<bool, ReadError> {
        // Waits for a transaction of a former archiver that still runs.
        let done = sqlx::query(DISCARD_SEGMENT).bind(segment).execute(&mut self.connection).await;
        done.map(|done| done.rows_affected() == 1).map_err(|error| failed(&error))
    }

    async fn count_finished(&mut self, before: RecordTime) -> Result<u64, ReadError> {
        let count = sqlx::query_scalar::<_, i64>(COUNT_FINISHED.text(self.shards))
            .bind(before.0)
            .fetch_one(&mut self.connection)
            .await;
        count.map(i64::unsigned_abs).map_err(|error| failed(&error))
    }

    async fn finished(
        &mut self,
        before: RecordTime,
        after: Option<MatchId>,
        page: PageSize,
    ) -> Result<Vec<MatchId>, ReadError> {
        let query = sqlx::query_scalar::<_, Uuid>(FINISHED.text(self.shards))
            .bind(after.map_or(Uuid::nil(), |id| id.0))
            .bind(before.0)
            .bind(i64::from(page.0));
        let ids = query.fetch_all(&mut self.connection).await.map_err(|error| failed(&error))?;
        Ok(ids.into_iter().map(MatchId).collect())
    }

    async fn logs(&mut self, ids: &[MatchId]) -> Result<Vec<(MatchId, Vec<StoredEvent>)>, ReadError> {
        let wanted: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
        let rows = sqlx::query_as::<_, LogRow>(READ_LOGS.text(self.shards))
            .bind(wanted)
            .fetch_all(&mut self.connection)
            .await;
        let mut logs: HashMap<MatchId, Vec<StoredEvent>> = HashMap::new();
        for LogRow(match_id, row) in rows.map_err(|error| failed(&error))? {
            logs.entry(match_id).or_default().push(row.decode(match_id)?);
        }
        Ok(ids.iter().map(|id| (*id, logs.remove(id).unwrap_or_default())).collect())
    }

    async fn needs(&mut self) -> Result<FeedNeeds, ReadError> {
        let row = sqlx::query_as::<_, NeedsRow>(READ_NEEDED).fetch_one(&mut self.connection).await;
        decode_needs(row.map_err(|error| failed(&error))?)
    }

    async fn drop_matches(&mut self, dropped: &DroppedSegment) -> Result<(), DropError> {
        let mut transaction = self.connection.begin().await.map_err(|error| unchanged(&error))?;
        delete(&mut transaction, self.shards, dropped).await?;
        transaction.commit().await.map_err(|error| match error.as_database_error() {
            Some(_) if !failure::is_lost(&error) => unchanged(&error),
            _ => DropError::Unknown { what: failure::text(&error) },
        })
    }

    async fn close(self: Box<Self>) {
        drop(self.connection.close().await);
    }
}

async fn delete(
    connection: &mut PgConnection,
    shards: Shards,
    dropped: &DroppedSegment,
) -> Result<(), DropError> {
    let ids: Vec<Uuid> = dropped.matches.iter().map(|one| one.match_id.0).collect();
    let insert = sqlx::query(INSERT_MATCHES.text(shards))
        .bind(dropped.segment)
        .bind(ids.clone())
        .bind(dropped.matches.iter().map(|one| encode_seq(one.seq)).collect::<Vec<_>>())
        .bind(dropped.matches.iter().map(|one| one.hash.to_vec()).collect::<Vec<_>>());
    let horizon = dropped.horizon().map(|cursor| cursor.to_bytes().to_vec());
    let statements = [
        sqlx::query(ANNOUNCE),
        insert,
        sqlx::query(DELETE_EVENTS.text(shards)).bind(ids),
        sqlx::query(MOVE_HORIZON).bind(horizon),
    ];
    for statement in statements {
        statement.execute(&mut *connection).await.map_err(|error| unchanged(&error))?;
    }
    let [matches, events, bytes] = dropped.figures();
    let end = sqlx::query(END_SEGMENT).bind(dropped.segment).bind(matches).bind(events).bind(bytes);
    match end.execute(&mut *connection).await.map_err(|error| unchanged(&error))?.rows_affected() {
        1 => Ok(()),
        _ => Err(DropError::discarded()),
    }
}

/// Returns the error of a transaction that was not committed.
fn unchanged(error: &sqlx::Error) -> DropError {
    DropError::Refused { what: failure::text(error) }
}

/// A row of `read_logs.sql`.
struct LogRow(MatchId, EventRow);

impl<'r> FromRow<'r, PgRow> for LogRow {
    fn from_row(row: &'r PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self(MatchId(row.try_get("match_id")?), EventRow::from_row(row)?))
    }
}
