//! A writer's statements on Postgres. Each is one autocommit statement, so a dropped call leaves nothing half
//! done.

use async_trait::async_trait;
use bytes::Bytes;
use sqlx::PgConnection;
use uuid::Uuid;

use super::failure;
use super::statements::{WriterSql, append, commit};
use crate::batch::{Batch, Purpose};
use crate::ids::{BatchNumber, WriterId};
use crate::sql::{decode_match_head, encode_seq};
use crate::store::{MatchHead, OpeningCommit, WriteError, WriterConnection};
use crate::{Hlc, MatchId, Seq, Statements};

const READ_MAX_HLC: &str = include_str!("sql/read_max_hlc.sql");

/// The connection of a writer.
pub(super) struct PostgresWriter {
    pub(super) connection: PgConnection,
    pub(super) sql: WriterSql,
    pub(super) statements: Statements,
}

impl PostgresWriter {
    fn persistent(&self) -> bool {
        self.statements == Statements::Prepared
    }
}

#[async_trait]
impl WriterConnection for PostgresWriter {
    async fn open_writer(&mut self, opening: &OpeningCommit) -> Result<WriterId, WriteError> {
        let writer = sqlx::query_scalar::<_, i64>(self.sql.open_writer.clone())
            .bind(opening.replica.0)
            .bind(opening.hlc.0)
            .bind(&opening.body[..])
            .fetch_one(&mut self.connection)
            .await;
        writer.map(WriterId).map_err(|error| failure::of_write(&error))
    }

    async fn max_hlc(&mut self) -> Result<Hlc, WriteError> {
        let hlc = sqlx::query_scalar::<_, i64>(READ_MAX_HLC)
            .persistent(self.persistent())
            .fetch_one(&mut self.connection)
            .await;
        hlc.map(Hlc).map_err(|error| failure::of_write(&error))
    }

    async fn commit(&mut self, batch: &Batch) -> Result<(), WriteError> {
        let statement = match batch.purpose {
            Purpose::Events => append(&self.sql, batch),
            Purpose::Erasing => commit(&self.sql.erase_players, batch.id, &batch.body)
                .bind(batch.erasures.iter().map(|erasure| erasure.match_id.0).collect::<Vec<_>>())
                .bind(batch.erasures.iter().map(|erasure| i16::from(erasure.seat)).collect::<Vec<_>>()),
            Purpose::Closing => commit(&self.sql.close_writer, batch.id, &batch.body),
            _ => commit(&self.sql.append_empty, batch.id, &batch.body),
        };
        let done = statement.persistent(self.persistent()).execute(&mut self.connection).await;
        done.map(drop).map_err(|error| failure::of_write(&error))
    }

    async fn read_commit(
        &mut self,
        writer: WriterId,
        number: BatchNumber,
    ) -> Result<Option<Bytes>, WriteError> {
        let body = sqlx::query_scalar::<_, Vec<u8>>(self.sql.read_commit.clone())
            .bind(writer.0)
            .bind(number.0)
            .persistent(self.persistent())
            .fetch_optional(&mut self.connection)
            .await;
        body.map(|found| found.map(Bytes::from)).map_err(|error| failure::of_write(&error))
    }

    async fn heads(&mut self, previous: &[(MatchId, Seq)]) -> Result<Vec<MatchHead>, WriteError> {
        let heads = sqlx::query_as::<_, (Uuid, i32, Option<Vec<u8>>)>(self.sql.read_heads.clone())
            .bind(previous.iter().map(|(id, _)| id.0).collect::<Vec<_>>())
            .bind(previous.iter().map(|(_, seq)| encode_seq(*seq)).collect::<Vec<_>>())
            .persistent(self.persistent())
            .fetch_all(&mut self.connection)
            .await;
        let heads = heads.map_err(|error| failure::of_write(&error))?;
        let head = |(id, seq, hash)| decode_match_head(MatchId(id), seq, hash);
        let refused = |error: crate::ReadError| WriteError::Refused { what: error.to_string() };
        heads.into_iter().map(head).collect::<Result<_, _>>().map_err(refused)
    }
}
