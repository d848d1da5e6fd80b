//! A writer's transactions on SQLite: the commit log first, then the rows that it announces.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use sqlx::SqliteConnection;
use tokio::sync::{Mutex, MutexGuard};

use super::failure;
use super::opened_file::{FileStatus, OpenedFile};
use super::statements::{
    INSERT_16_EVENTS, INSERT_EVENT, INSERT_LABEL, Statement, UPSERT_DEADLINE, UPSERT_MATCH, UPSERT_SEAT,
    bind_row,
};
use crate::batch::{Batch, BatchEvent, BatchId, Erasure, Purpose};
use crate::ids::{BatchNumber, WriterId};
use crate::sql::{
    DEADLINE_COLUMNS, SEAT_COLUMNS, decode_match_head, encode_seq, event_parameters, label_columns,
    match_columns,
};
use crate::store::{MatchHead, OpeningCommit, WriteError, WriterConnection};
use crate::{Hlc, Labels, MatchId, Seq};

const BEGIN: &str = include_str!("sql/begin.sql");
const COMMIT: &str = include_str!("sql/commit.sql");
const ROLLBACK: &str = include_str!("sql/rollback.sql");
const OPEN_WRITER: &str = include_str!("sql/open_writer.sql");
const CLOSE_WRITER: &str = include_str!("sql/close_writer.sql");
const INSERT_COMMIT: &str = include_str!("sql/insert_commit.sql");
const ERASE_PLAYER: &str = include_str!("sql/erase_player.sql");
const DELETE_DEADLINE: &str = include_str!("sql/delete_deadline.sql");
const DELETE_LABELS: &str = include_str!("sql/delete_labels.sql");
const ADD_LABEL: &str = include_str!("sql/add_label.sql");
const READ_COMMIT: &str = include_str!("sql/read_commit.sql");
const READ_MAX_HLC: &str = include_str!("sql/read_max_hlc.sql");
const READ_MATCH_HEAD: &str = include_str!("sql/read_match_head.sql");

/// The writer's access to the connection that writes.
pub(super) struct SqliteWriter {
    pub(super) connection: Arc<Mutex<Option<SqliteConnection>>>,
    pub(super) file: OpenedFile,
}

/// The connection that writes, locked.
pub(super) struct Locked<'a>(pub(super) MutexGuard<'a, Option<SqliteConnection>>);

impl SqliteWriter {
    async fn lock(&self) -> Locked<'_> {
        Locked(self.connection.lock().await)
    }
}

#[async_trait]
impl WriterConnection for SqliteWriter {
    async fn open_writer(&mut self, opening: &OpeningCommit) -> Result<WriterId, WriteError> {
        let mut locked = self.lock().await;
        let written = async {
            locked.run(sqlx::query(BEGIN)).await?;
            let id = sqlx::query_scalar::<_, i64>(OPEN_WRITER).bind(opening.replica.0).bind(opening.hlc.0);
            let id = id.fetch_one(locked.get()?).await.map_err(|error| failure::of_write(&error))?;
            let (writer, number) = (WriterId(id), BatchNumber::FIRST);
            let (replica, hlc) = (opening.replica, opening.hlc);
            // The first batch has none before it.
            let batch = BatchId { replica, writer, number, hlc, previous_hlc: hlc };
            locked.run(insert_commit(batch, 0, &opening.body)).await?;
            Ok(writer)
        };
        let written = written.await;
        locked.end(written).await
    }

    async fn max_hlc(&mut self) -> Result<Hlc, WriteError> {
        let mut locked = self.lock().await;
        let hlc = sqlx::query_scalar::<_, i64>(READ_MAX_HLC).fetch_one(locked.get()?).await;
        hlc.map(Hlc).map_err(|error| failure::of_write(&error))
    }

    async fn commit(&mut self, batch: &Batch) -> Result<(), WriteError> {
        let mut locked = self.lock().await;
        let written = locked.write(batch).await;
        locked.end(written).await?;
        match self.file.status() {
            FileStatus::Unchanged => Ok(()),
            // Committed, but to a file that nobody would open again: not acknowledged until it is back.
            FileStatus::Replaced | FileStatus::Missing => {
                Err(WriteError::Lost { what: "the database file was moved or replaced".to_owned() })
            }
        }
    }

    async fn read_commit(
        &mut self,
        writer: WriterId,
        number: BatchNumber,
    ) -> Result<Option<Bytes>, WriteError> {
        if self.file.status() == FileStatus::Replaced {
            // Readers still have the old file open, so the new one is another history, whatever it contains.
            return Ok(None);
        }
        let query = sqlx::query_scalar::<_, Vec<u8>>(READ_COMMIT).bind(writer.0).bind(number.0);
        let body = query.fetch_optional(self.lock().await.get()?).await;
        body.map(|found| found.map(Bytes::from)).map_err(|error| failure::of_write(&error))
    }

    async fn heads(&mut self, previous: &[(MatchId, Seq)]) -> Result<Vec<MatchHead>, WriteError> {
        let mut locked = self.lock().await;
        let mut heads = Vec::new();
        for &(id, seq) in previous {
            let query = sqlx::query_as::<_, (i32, Option<Vec<u8>>)>(READ_MATCH_HEAD);
            let head = query.bind(id.0).bind(encode_seq(seq)).fetch_optional(locked.get()?).await;
            let head = head.map_err(|error| failure::of_write(&error))?;
            let head = head.map(|(seq, hash)| decode_match_head(id, seq, hash)).transpose();
            heads.extend(head.map_err(|error| WriteError::Refused { what: error.to_string() })?);
        }
        Ok(heads)
    }
}

impl Locked<'_> {
    fn get(&mut self) -> Result<&mut SqliteConnection, WriteError> {
        self.0.as_mut().ok_or_else(|| WriteError::Lost { what: "the file is not open".to_owned() })
    }

    async fn run(&mut self, statement: Statement<'_>) -> Result<(), WriteError> {
        statement.execute(self.get()?).await.map(drop).map_err(|error| failure::of_write(&error))
    }

    async fn write(&mut self, batch: &Batch) -> Result<(), WriteError> {
        self.run(sqlx::query(BEGIN)).await?;
        let count = i64::try_from(batch.events().len()).unwrap_or(i64::MAX);
        self.run(insert_commit(batch.id, count, &batch.body)).await?;
        let events: Vec<BatchEvent<'_>> = batch.events().collect();
        let (chunks, rest) = events.as_chunks::<16>();
        for chunk in chunks {
            self.run(insert_events(&INSERT_16_EVENTS, batch.id, chunk)).await?;
        }
        for event in rest {
            self.run(insert_events(&INSERT_EVENT, batch.id, std::slice::from_ref(event))).await?;
        }
        for row in batch.match_rows() {
            self.run(bind_row(sqlx::query(UPSERT_MATCH.as_str()), match_columns(), row)).await?;
        }
        for seat in &Batch::claimed_seats(&batch.match_rows()) {
            self.run(bind_row(sqlx::query(UPSERT_SEAT.as_str()), &SEAT_COLUMNS, seat)).await?;
        }
        for label in batch.labels() {
            self.run(bind_row(sqlx::query(INSERT_LABEL.as_str()), &label_columns(), &label)).await?;
        }
        let (set, clear) = batch.deadlines();
        for deadline in &set {
            self.run(bind_row(sqlx::query(UPSERT_DEADLINE.as_str()), &DEADLINE_COLUMNS, deadline)).await?;
        }
        for id in clear {
            self.run(sqlx::query(DELETE_DEADLINE).bind(id.0)).await?;
        }
        for Erasure { match_id, seat } in &batch.erasures {
            self.run(sqlx::query(ERASE_PLAYER).bind(match_id.0).bind(*seat)).await?;
        }
        if batch.purpose == Purpose::Closing {
            let BatchId { writer, number, .. } = batch.id;
            self.run(sqlx::query(CLOSE_WRITER).bind(writer.0).bind(number.0)).await?;
        }
        Ok(())
    }

    /// Replaces all labels of a match, if it exists, in a transaction of its own.
    pub(super) async fn set_labels(&mut self, id: MatchId, labels: &Labels) -> Result<(), WriteError> {
        let written = async {
            self.run(sqlx::query(BEGIN)).await?;
            self.run(sqlx::query(DELETE_LABELS).bind(id.0)).await?;
            for (key, value) in &labels.0 {
                self.run(sqlx::query(ADD_LABEL).bind(id.0).bind(key).bind(value)).await?;
            }
            Ok(())
        };
        let written = written.await;
        self.end(written).await
    }

    /// Returns whether the transaction is rolled back.
    async fn roll_back(&mut self) -> bool {
        let Ok(connection) = self.get() else { return false };
        match sqlx::query(ROLLBACK).execute(connection).await {
            Ok(_) => true,
            // After some errors, such as a full disk, SQLite has already rolled back.
            Err(error) => failure::is_no_transaction(&error),
        }
    }

    /// Commits the transaction if it was written, otherwise rolls it back.
    async fn end<T>(&mut self, written: Result<T, WriteError>) -> Result<T, WriteError> {
        let ended = match written {
            Ok(value) => self.run(sqlx::query(COMMIT)).await.map(|()| value),
            Err(error) => Err(error),
        };
        if ended.is_err() && !self.roll_back().await {
            // The transaction may still be open: don't use this connection again.
            *self.0 = None;
        }
        match ended {
            Err(_) if self.0.is_none() => {
                Err(WriteError::Lost { what: "the transaction could not be rolled back".to_owned() })
            }
            ended => ended,
        }
    }
}

fn insert_commit(id: BatchId, count: i64, body: &Bytes) -> Statement<'_> {
    let statement = sqlx::query(INSERT_COMMIT).bind(id.writer.0).bind(id.number.0).bind(id.hlc.0);
    statement.bind(id.previous_hlc.0).bind(&body[..]).bind(count)
}

/// Returns the statement for as many events as its SQL has rows.
fn insert_events<'q>(sql: &'static str, id: BatchId, events: &[BatchEvent<'q>]) -> Statement<'q> {
    let statement = sqlx::query(sql).bind(id.hlc.0).bind(id.writer.0).bind(id.number.0);
    let parameters: Vec<_> = event_parameters().collect();
    events.iter().fold(statement, |statement, event| bind_row(statement, &parameters, event))
}
