//! What Postgres knows of other replicas' writers.

use async_trait::async_trait;
use bytes::Bytes;
use sqlx::AssertSqlSafe;

use super::{Postgres, failure};
use crate::ids::{BatchNumber, WriterId};
use crate::sql::{Sharded, for_shards};
use crate::store::{CloseOutcome, KnownWriters, LoggedCommit, TailSource, WriteError, WriterHead};
use crate::{Hlc, ReadError};

const READ_LAST_WRITER: &str = include_str!("sql/read_last_writer.sql");
static READ_OPEN_WRITERS: Sharded = Sharded::new(include_str!("sql/read_open_writers.sql"));
static READ_NEWER_COMMITS: Sharded = Sharded::new(include_str!("sql/read_newer_commits.sql"));
static READ_LOST_COMMITS: Sharded = Sharded::new(include_str!("sql/read_lost_commits.sql"));
const CLOSE_WRITER: &str = include_str!("sql/close_writer.sql");
/// The shard of the writer that is closed.
const ITS_SHARD: &str = "(SELECT shard FROM writer WHERE writer = $1)";

#[async_trait]
impl TailSource for Postgres {
    async fn known_writers(&self) -> Result<KnownWriters, ReadError> {
        // Read the last writer first: one that opens in between is either known or new, and never missed.
        let last =
            || sqlx::query_scalar::<_, i64>(READ_LAST_WRITER).persistent(false).fetch_one(&self.readers);
        let first_new = WriterId(self.reading(last).await? + 1);
        let open = || {
            sqlx::query_as::<_, (i64, i64, i64)>(READ_OPEN_WRITERS.text(self.shards))
                .bind(self.replica.0)
                .persistent(false)
                .fetch_all(&self.readers)
        };
        let open = self.reading(open).await?.into_iter();
        let open = open.map(|(writer, number, hlc)| head(writer, number, hlc)).collect();
        Ok(KnownWriters { open, closed: Vec::new(), first_new })
    }

    async fn newer_commits(&self, known: &KnownWriters, limit: u32) -> Result<Vec<LoggedCommit>, ReadError> {
        let rows = || {
            sqlx::query_as::<_, (i64, i64, i64, Vec<u8>)>(READ_NEWER_COMMITS.text(self.shards))
                .bind(self.replica.0)
                .bind(known.open.iter().map(|head| head.writer.0).collect::<Vec<_>>())
                .bind(known.open.iter().map(|head| head.number.0).collect::<Vec<_>>())
                .bind(known.closed.iter().map(|writer| writer.0).collect::<Vec<_>>())
                .bind(known.first_new.0)
                .bind(i64::from(limit))
                .persistent(self.persistent())
                .fetch_all(&self.readers)
        };
        let commit = |(writer, number, hlc, body)| LoggedCommit {
            head: head(writer, number, hlc),
            body: Bytes::from(body),
        };
        Ok(self.reading(rows).await?.into_iter().map(commit).collect())
    }

    async fn close_writer(
        &self,
        head: WriterHead,
        hlc: Hlc,
        body: &Bytes,
    ) -> Result<CloseOutcome, ReadError> {
        let close = for_shards(CLOSE_WRITER, self.shards).replace("{shard}", ITS_SHARD);
        let done = sqlx::query(AssertSqlSafe(close))
            .bind(head.writer.0)
            .bind(head.number.next().0)
            .bind(hlc.0)
            .bind(head.hlc.0)
            .bind(&body[..])
            .persistent(false)
            .execute(&self.readers)
            .await;
        match done.map_err(|error| (failure::of_write(&error), failure::of_read(&error))) {
            Ok(_) => Ok(CloseOutcome::Closed),
            Err((WriteError::BatchExists | WriteError::CommitMissing, _)) => Ok(CloseOutcome::Advanced),
            Err((_, error)) => Err(error),
        }
    }

    async fn lost_commits(&self, heads: &[WriterHead]) -> Result<Vec<WriterId>, ReadError> {
        let lost = || {
            sqlx::query_scalar::<_, i64>(READ_LOST_COMMITS.text(self.shards))
                .bind(heads.iter().map(|head| head.writer.0).collect::<Vec<_>>())
                .bind(heads.iter().map(|head| head.number.0).collect::<Vec<_>>())
                .bind(heads.iter().map(|head| head.hlc.0).collect::<Vec<_>>())
                .persistent(self.persistent())
                .fetch_all(&self.readers)
        };
        Ok(self.reading(lost).await?.into_iter().map(WriterId).collect())
    }
}

fn head(writer: i64, number: i64, hlc: i64) -> WriterHead {
    WriterHead { writer: WriterId(writer), number: BatchNumber(number), hlc: Hlc(hlc) }
}
