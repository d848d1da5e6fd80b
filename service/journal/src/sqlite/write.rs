//! The lane's transactions on SQLite: BEGIN IMMEDIATE, the commit log first, then what it announces.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Sqlite as Db, SqliteConnection};
use tokio::sync::{Mutex, MutexGuard};

use super::failure;
use super::place::{Found, Place};
use crate::batch::Batch;
use crate::commit_log::Purpose;
use crate::rows::{seq, seq_column};
use crate::store::{LaneConnection, Opening, WriteError};
use crate::{Clock, Deadline, Lane, LaneNo, MatchId, MatchRow, NewEvent, SeatRow, Seq};

const BEGIN: &str = include_str!("../../sql/sqlite/begin.sql");
const COMMIT: &str = include_str!("../../sql/sqlite/commit.sql");
const ROLLBACK: &str = include_str!("../../sql/sqlite/rollback.sql");
const OPEN_LANE: &str = include_str!("../../sql/sqlite/open_lane.sql");
const END_LANE: &str = include_str!("../../sql/sqlite/end_lane.sql");
const INSERT_COMMIT: &str = include_str!("../../sql/sqlite/insert_commit.sql");
const INSERT_EVENT: &str = include_str!("../../sql/sqlite/insert_event.sql");
const INSERT_16_EVENTS: &str = include_str!("../../sql/sqlite/insert_16_events.sql");
const UPSERT_MATCH: &str = include_str!("../../sql/sqlite/upsert_match.sql");
const UPSERT_DEADLINE: &str = include_str!("../../sql/sqlite/upsert_deadline.sql");
const DELETE_DEADLINE: &str = include_str!("../../sql/sqlite/delete_deadline.sql");
const READ_LOGGED: &str = include_str!("../../sql/sqlite/read_logged.sql");
const READ_LATEST_CLOCK: &str = include_str!("../../sql/sqlite/read_latest_clock.sql");
const READ_HEAD: &str = include_str!("../../sql/sqlite/read_head.sql");

type Statement<'q> = Query<'q, Db, SqliteArguments>;

/// The lane's turn on the writing connection.
pub(super) struct SqliteLane {
    pub(super) writer: Arc<Mutex<Option<SqliteConnection>>>,
    pub(super) place: Place,
}

/// The writing connection while somebody uses it.
struct Writer<'a>(MutexGuard<'a, Option<SqliteConnection>>);

impl SqliteLane {
    async fn writer(&self) -> Writer<'_> {
        Writer(self.writer.lock().await)
    }
}

#[async_trait]
impl LaneConnection for SqliteLane {
    async fn open_lane(&mut self, opening: &Opening) -> Result<Lane, WriteError> {
        let mut writer = self.writer().await;
        let written = async {
            writer.run(sqlx::query(BEGIN)).await?;
            let lane = sqlx::query_scalar::<_, i64>(OPEN_LANE).bind(opening.replica.0).bind(opening.clock.0);
            let lane = Lane(lane.fetch_one(writer.get()?).await.map_err(|error| failure::of_write(&error))?);
            writer.run(commit(lane, LaneNo(1), opening.clock.0, 0, &opening.body)).await?;
            Ok(lane)
        };
        let written = written.await;
        writer.end(written).await
    }

    async fn latest_clock(&mut self) -> Result<Clock, WriteError> {
        let mut writer = self.writer().await;
        let clock = sqlx::query_scalar::<_, i64>(READ_LATEST_CLOCK).fetch_one(writer.get()?).await;
        clock.map(Clock).map_err(|error| failure::of_write(&error))
    }

    async fn write(&mut self, batch: &Batch) -> Result<(), WriteError> {
        let mut writer = self.writer().await;
        let written = writer.write(batch).await;
        writer.end(written).await?;
        match self.place.look() {
            Found::Same => Ok(()),
            // Written, but into a file that nobody would open again: not acknowledged before it is back.
            Found::Other | Found::Nothing => {
                Err(WriteError::Lost { what: "the file is not where it was".to_owned() })
            }
        }
    }

    async fn logged(&mut self, lane: Lane, no: LaneNo) -> Result<Option<Bytes>, WriteError> {
        if self.place.look() == Found::Other {
            // Whatever is in it: those who read still have the old file open, so this is another history.
            return Ok(None);
        }
        let query = sqlx::query_scalar::<_, Vec<u8>>(READ_LOGGED).bind(lane.0).bind(no.0);
        let body = query.fetch_optional(self.writer().await.get()?).await;
        body.map(|found| found.map(Bytes::from)).map_err(|error| failure::of_write(&error))
    }

    async fn heads(&mut self, ids: &[MatchId]) -> Result<Vec<(MatchId, Seq)>, WriteError> {
        let mut writer = self.writer().await;
        let mut heads = Vec::new();
        for id in ids {
            let query = sqlx::query_scalar::<_, i32>(READ_HEAD).bind(id.0);
            let head =
                query.fetch_optional(writer.get()?).await.map_err(|error| failure::of_write(&error))?;
            let head =
                head.map(seq).transpose().map_err(|error| WriteError::Refused { what: error.to_string() })?;
            heads.extend(head.map(|seq| (*id, seq)));
        }
        Ok(heads)
    }
}

impl Writer<'_> {
    fn get(&mut self) -> Result<&mut SqliteConnection, WriteError> {
        self.0.as_mut().ok_or_else(|| WriteError::Lost { what: "the file is not open".to_owned() })
    }

    async fn run(&mut self, statement: Statement<'_>) -> Result<(), WriteError> {
        statement.execute(self.get()?).await.map(drop).map_err(|error| failure::of_write(&error))
    }

    async fn write(&mut self, batch: &Batch) -> Result<(), WriteError> {
        self.run(sqlx::query(BEGIN)).await?;
        let count = i64::try_from(batch.events().len()).unwrap_or(i64::MAX);
        self.run(commit(batch.lane, batch.no, batch.clock.0, count, &batch.body)).await?;
        let events: Vec<(MatchId, &NewEvent)> = batch.events().collect();
        let (sixteens, rest) = events.as_chunks::<16>();
        for sixteen in sixteens {
            self.run(insert_events(INSERT_16_EVENTS, batch, sixteen)).await?;
        }
        for event in rest {
            self.run(insert_events(INSERT_EVENT, batch, std::slice::from_ref(event))).await?;
        }
        for row in batch.match_rows() {
            self.run(upsert_match(row)).await?;
        }
        let (set, clear) = batch.deadlines();
        for Deadline { match_id, seq, due } in set {
            self.run(sqlx::query(UPSERT_DEADLINE).bind(match_id.0).bind(seq_column(seq)).bind(due.0)).await?;
        }
        for id in clear {
            self.run(sqlx::query(DELETE_DEADLINE).bind(id.0)).await?;
        }
        if batch.purpose == Purpose::Closing {
            self.run(sqlx::query(END_LANE).bind(batch.lane.0).bind(batch.no.0)).await?;
        }
        Ok(())
    }

    /// Commits what went well and rolls back what did not.
    async fn end<T>(&mut self, written: Result<T, WriteError>) -> Result<T, WriteError> {
        let ended = match written {
            Ok(value) => self.run(sqlx::query(COMMIT)).await.map(|()| value),
            Err(error) => Err(error),
        };
        if ended.is_err() && self.run(sqlx::query(ROLLBACK)).await.is_err() {
            // Perhaps a transaction is still open: this connection is not used again.
            *self.0 = None;
        }
        match ended {
            Err(_) if self.0.is_none() => {
                Err(WriteError::Lost { what: "the transaction did not end".to_owned() })
            }
            ended => ended,
        }
    }
}

fn commit(lane: Lane, no: LaneNo, clock: i64, count: i64, body: &Bytes) -> Statement<'_> {
    sqlx::query(INSERT_COMMIT).bind(lane.0).bind(no.0).bind(clock).bind(count).bind(&body[..])
}

/// The statement for as many events as its SQL has rows.
fn insert_events<'q>(sql: &'static str, batch: &Batch, events: &[(MatchId, &'q NewEvent)]) -> Statement<'q> {
    let statement = sqlx::query(sql).bind(batch.clock.0).bind(batch.lane.0).bind(batch.no.0);
    events.iter().fold(statement, |statement, (id, new)| {
        let event = &new.event;
        statement
            .bind(id.0)
            .bind(seq_column(event.seq))
            .bind(event.recorded_time.0)
            .bind(i32::from(event.kind))
            .bind(new.request_hash.as_ref().map(<[u8; 32]>::as_slice))
            .bind(&event.hash[..])
            .bind(&event.public[..])
            .bind(new.sealed().map(|bytes| &bytes[..]))
            .bind(event.commitment().map(Vec::from))
    })
}

fn upsert_match(row: &MatchRow) -> Statement<'_> {
    let statement = sqlx::query(UPSERT_MATCH)
        .bind(row.match_id.0)
        .bind(&row.owner)
        .bind(row.create_request_hash.as_ref().map(<[u8; 32]>::as_slice))
        .bind(&row.game)
        .bind(row.status.as_str())
        .bind(row.visibility.as_str())
        .bind(row.created_time.0)
        .bind(row.started_time.map(|t| t.0))
        .bind(row.ended_time.map(|t| t.0));
    bind_seat(&row.seats[1], bind_seat(&row.seats[0], statement))
        .bind(row.winner)
        .bind(&row.reason)
        .bind(row.parent.map(|(id, _)| id.0))
        .bind(row.parent.map(|(_, seq)| seq_column(seq)))
}

fn bind_seat<'q>(seat: &'q SeatRow, statement: Statement<'q>) -> Statement<'q> {
    statement
        .bind(&seat.player_name)
        .bind(seat.token_hash.as_ref().map(<[u8; 32]>::as_slice))
        .bind(i64::from(seat.generation))
}
