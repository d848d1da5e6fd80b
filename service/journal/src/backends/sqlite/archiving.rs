//! The archiver's connection to a SQLite file, which nobody can serve meanwhile.

use std::path::Path;

use async_trait::async_trait;
use sqlx::{Connection, SqliteConnection};
use uuid::Uuid;

use super::connect::{connect_writer, require_migrated};
use super::failure;
use super::lock::FileLock;
use crate::archiving::{ArchiverStore, DropError, DroppedSegment};
use crate::database_time::system_time;
use crate::ids::PageSize;
use crate::sql::{EventRow, NeedsRow, SegmentColumns, ServiceRow, decode_needs, decode_segment, encode_seq};
use crate::{BoundKey, FeedNeeds, MatchId, OpenError, ReadError, RecordTime, SegmentRow, Seq, StoredEvent};

const BEGIN: &str = include_str!("sql/begin.sql");
const COMMIT: &str = include_str!("sql/commit.sql");
const ROLLBACK: &str = include_str!("sql/rollback.sql");
const READ_KEY: &str = include_str!("sql/read_key.sql");
const READ_EVENTS: &str = include_str!("sql/read_events.sql");
const READ_SEGMENTS: &str = include_str!("sql/archiving/read_segments.sql");
const START_SEGMENT: &str = include_str!("sql/archiving/start_segment.sql");
const DISCARD_SEGMENT: &str = include_str!("sql/archiving/discard_segment.sql");
const END_SEGMENT: &str = include_str!("sql/archiving/end_segment.sql");
const COUNT_FINISHED: &str = include_str!("sql/archiving/count_finished.sql");
const FINISHED: &str = include_str!("sql/archiving/finished.sql");
const READ_NEEDED: &str = include_str!("sql/archiving/read_needed.sql");
const INSERT_MATCH: &str = include_str!("sql/archiving/insert_match.sql");
const DELETE_EVENTS: &str = include_str!("sql/archiving/delete_events.sql");
const MOVE_HORIZON: &str = include_str!("sql/archiving/move_horizon.sql");

/// The archiver's connection.
pub(super) struct SqliteArchiver {
    connection: SqliteConnection,
    /// Held until the connection is closed.
    _lock: FileLock,
}

/// Locks and opens the file, which must exist.
pub(super) async fn open_archiver(path: &Path) -> Result<SqliteArchiver, OpenError> {
    if !path.exists() {
        return Err(OpenError::NoFile { path: path.to_owned() });
    }
    let lock = FileLock::take(path)?;
    let connection = connect_writer(path).await;
    let mut connection = connection.map_err(|error| OpenError::Unreachable(failure::of_read(&error)))?;
    require_migrated(&mut connection).await?;
    Ok(SqliteArchiver { connection, _lock: lock })
}

fn failed(error: &sqlx::Error) -> ReadError {
    failure::of_read(error)
}

#[async_trait]
impl ArchiverStore for SqliteArchiver {
    async fn time(&mut self) -> Result<RecordTime, ReadError> {
        Ok(system_time())
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
        let start = sqlx::query(START_SEGMENT).bind(segment).bind(now.0);
        start.execute(&mut self.connection).await.map(drop).map_err(|error| failed(&error))
    }

    async fn discard_segment(&mut self, segment: Uuid) -> Result<bool, ReadError> {
        let done = sqlx::query(DISCARD_SEGMENT).bind(segment).execute(&mut self.connection).await;
        done.map(|done| done.rows_affected() == 1).map_err(|error| failed(&error))
    }

    async fn count_finished(&mut self, before: RecordTime) -> Result<u64, ReadError> {
        let count = sqlx::query_scalar::<_, i64>(COUNT_FINISHED).bind(before.0);
        let count = count.fetch_one(&mut self.connection).await;
        count.map(i64::unsigned_abs).map_err(|error| failed(&error))
    }

    async fn finished(
        &mut self,
        before: RecordTime,
        after: Option<MatchId>,
        page: PageSize,
    ) -> Result<Vec<MatchId>, ReadError> {
        let query = sqlx::query_scalar::<_, Uuid>(FINISHED)
            .bind(after.map_or(Uuid::nil(), |id| id.0))
            .bind(before.0)
            .bind(i64::from(page.0));
        let ids = query.fetch_all(&mut self.connection).await.map_err(|error| failed(&error))?;
        Ok(ids.into_iter().map(MatchId).collect())
    }

    async fn logs(&mut self, ids: &[MatchId]) -> Result<Vec<(MatchId, Vec<StoredEvent>)>, ReadError> {
        let mut logs = Vec::with_capacity(ids.len());
        for id in ids {
            let query =
                sqlx::query_as::<_, EventRow>(READ_EVENTS).bind(id.0).bind(encode_seq(Seq(0))).bind(i64::MAX);
            let rows = query.fetch_all(&mut self.connection).await.map_err(|error| failed(&error))?;
            let events = rows.into_iter().map(|row| row.decode(*id)).collect::<Result<_, _>>()?;
            logs.push((*id, events));
        }
        Ok(logs)
    }

    async fn needs(&mut self) -> Result<FeedNeeds, ReadError> {
        let row = sqlx::query_as::<_, NeedsRow>(READ_NEEDED).fetch_one(&mut self.connection).await;
        decode_needs(row.map_err(|error| failed(&error))?)
    }

    async fn drop_matches(&mut self, dropped: &DroppedSegment) -> Result<(), DropError> {
        let done = delete(&mut self.connection, dropped).await;
        if done.is_err() {
            // After some errors SQLite has already rolled back.
            drop(sqlx::query(ROLLBACK).execute(&mut self.connection).await);
        }
        done
    }

    async fn close(self: Box<Self>) {
        drop(self.connection.close().await);
    }
}

async fn delete(connection: &mut SqliteConnection, dropped: &DroppedSegment) -> Result<(), DropError> {
    sqlx::query(BEGIN).execute(&mut *connection).await.map_err(|error| unchanged(&error))?;
    for one in &dropped.matches {
        let insert = sqlx::query(INSERT_MATCH)
            .bind(one.match_id.0)
            .bind(dropped.segment)
            .bind(encode_seq(one.seq))
            .bind(&one.hash[..]);
        insert.execute(&mut *connection).await.map_err(|error| unchanged(&error))?;
        let delete = sqlx::query(DELETE_EVENTS).bind(one.match_id.0);
        delete.execute(&mut *connection).await.map_err(|error| unchanged(&error))?;
    }
    let horizon = dropped.horizon().map(|cursor| cursor.to_bytes().to_vec());
    let moved = sqlx::query(MOVE_HORIZON).bind(horizon).execute(&mut *connection).await;
    moved.map_err(|error| unchanged(&error))?;
    let [matches, events, bytes] = dropped.figures();
    let end = sqlx::query(END_SEGMENT).bind(dropped.segment).bind(matches).bind(events).bind(bytes);
    if end.execute(&mut *connection).await.map_err(|error| unchanged(&error))?.rows_affected() != 1 {
        return Err(DropError::discarded());
    }
    sqlx::query(COMMIT).execute(&mut *connection).await.map(drop).map_err(|error| unchanged(&error))
}

/// Returns the error of a transaction that is rolled back.
fn unchanged(error: &sqlx::Error) -> DropError {
    DropError::Refused { what: error.to_string() }
}
