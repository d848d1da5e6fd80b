//! A lane's statements on Postgres. Each is one autocommit statement: nothing is left half done when a call is dropped.

use async_trait::async_trait;
use bytes::Bytes;
use sqlx::PgConnection;
use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use uuid::Uuid;

use super::columns::{EventArrays, MatchArrays};
use super::failure;
use crate::batch::Batch;
use crate::commit_log::Purpose;
use crate::rows::{seq, seq_column};
use crate::store::{LaneConnection, Opening, WriteError};
use crate::{Clock, Lane, LaneNo, MatchId, Seq, Statements};

const OPEN_LANE: &str = include_str!("../../sql/postgres/open_lane.sql");
const CLOSE_LANE: &str = include_str!("../../sql/postgres/close_lane.sql");
const APPEND: &str = include_str!("../../sql/postgres/append.sql");
const APPEND_EVENTS: &str = include_str!("../../sql/postgres/append_events.sql");
const APPEND_EMPTY: &str = include_str!("../../sql/postgres/append_empty.sql");
const READ_LOGGED: &str = include_str!("../../sql/postgres/read_logged.sql");
const READ_LATEST_CLOCK: &str = include_str!("../../sql/postgres/read_latest_clock.sql");
const READ_HEADS: &str = include_str!("../../sql/postgres/read_heads.sql");

type Statement<'q> = Query<'q, sqlx::Postgres, PgArguments>;

/// A connection that one lane owns.
pub(super) struct PostgresLane {
    pub(super) connection: PgConnection,
    pub(super) statements: Statements,
}

impl PostgresLane {
    fn persistent(&self) -> bool {
        self.statements == Statements::Prepared
    }
}

#[async_trait]
impl LaneConnection for PostgresLane {
    async fn open_lane(&mut self, opening: &Opening) -> Result<Lane, WriteError> {
        let lane = sqlx::query_scalar::<_, i64>(OPEN_LANE)
            .bind(opening.replica.0)
            .bind(opening.clock.0)
            .bind(&opening.body[..])
            .fetch_one(&mut self.connection)
            .await;
        lane.map(Lane).map_err(|error| failure::of_write(&error))
    }

    async fn latest_clock(&mut self) -> Result<Clock, WriteError> {
        let clock = sqlx::query_scalar::<_, i64>(READ_LATEST_CLOCK)
            .persistent(self.persistent())
            .fetch_one(&mut self.connection)
            .await;
        clock.map(Clock).map_err(|error| failure::of_write(&error))
    }

    async fn write(&mut self, batch: &Batch) -> Result<(), WriteError> {
        let statement = statement(batch).persistent(self.persistent());
        let done = statement.execute(&mut self.connection).await;
        done.map(drop).map_err(|error| failure::of_write(&error))
    }

    async fn logged(&mut self, lane: Lane, no: LaneNo) -> Result<Option<Bytes>, WriteError> {
        let body = sqlx::query_scalar::<_, Vec<u8>>(READ_LOGGED)
            .bind(lane.0)
            .bind(no.0)
            .persistent(self.persistent())
            .fetch_optional(&mut self.connection)
            .await;
        body.map(|found| found.map(Bytes::from)).map_err(|error| failure::of_write(&error))
    }

    async fn heads(&mut self, ids: &[MatchId]) -> Result<Vec<(MatchId, Seq)>, WriteError> {
        let heads = sqlx::query_as::<_, (Uuid, i32)>(READ_HEADS)
            .bind(ids.iter().map(|id| id.0).collect::<Vec<_>>())
            .persistent(self.persistent())
            .fetch_all(&mut self.connection)
            .await;
        let heads = heads.map_err(|error| failure::of_write(&error))?;
        let head = |(id, at)| seq(at).map(|seq| (MatchId(id), seq));
        let refused = |error: crate::ReadError| WriteError::Refused { what: error.to_string() };
        heads.into_iter().map(head).collect::<Result<_, _>>().map_err(refused)
    }
}

/// The one statement that writes the batch.
fn statement(batch: &Batch) -> Statement<'_> {
    match batch.purpose {
        Purpose::Closing => at_its_place(CLOSE_LANE, batch).bind(&batch.body[..]),
        Purpose::Events => events_statement(batch),
        _ => at_its_place(APPEND_EMPTY, batch).bind(&batch.body[..]),
    }
}

fn at_its_place<'q>(sql: &'static str, batch: &'q Batch) -> Statement<'q> {
    sqlx::query(sql).bind(batch.lane.0).bind(batch.no.0).bind(batch.clock.0)
}

fn events_statement(batch: &Batch) -> Statement<'_> {
    let rows = batch.match_rows();
    let (set, clear) = batch.deadlines();
    let only_events = rows.is_empty() && set.is_empty() && clear.is_empty();
    let events = EventArrays::of(batch);
    let count = i32::try_from(events.len()).unwrap_or(i32::MAX);
    let sql = if only_events { APPEND_EVENTS } else { APPEND };
    let statement = events.bind(at_its_place(sql, batch).bind(count).bind(&batch.body[..]));
    if only_events {
        return statement;
    }
    MatchArrays::of(&rows)
        .bind(statement)
        .bind(set.iter().map(|d| d.match_id.0).collect::<Vec<_>>())
        .bind(set.iter().map(|d| seq_column(d.seq)).collect::<Vec<_>>())
        .bind(set.iter().map(|d| d.due.0).collect::<Vec<_>>())
        .bind(clear.iter().map(|id| id.0).collect::<Vec<_>>())
}
