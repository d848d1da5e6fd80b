//! What a writer does on its connection.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use event::ChainHash;

use crate::batch::Batch;
use crate::ids::{BatchNumber, ReplicaId, WriterId};
use crate::{Hlc, MatchId, Seq};

/// A writer's connection. Each call may be repeated after a lost connection.
#[async_trait]
pub(crate) trait WriterConnection: Send {
    /// Registers a writer and commits its first, empty batch, in one transaction.
    async fn open_writer(&mut self, opening: &OpeningCommit) -> Result<WriterId, WriteError>;
    /// Returns the largest `Hlc` ever committed.
    async fn max_hlc(&mut self) -> Result<Hlc, WriteError>;
    /// Commits a batch as a whole or not at all.
    async fn commit(&mut self, batch: &Batch) -> Result<(), WriteError>;
    /// Returns the body of a commit, or `None` if there is none with this number.
    async fn read_commit(
        &mut self,
        writer: WriterId,
        number: BatchNumber,
    ) -> Result<Option<Bytes>, WriteError>;
    /// Returns the head of each of these matches that has events, with the hash of its event with this seq.
    async fn heads(&mut self, previous: &[(MatchId, Seq)]) -> Result<Vec<MatchHead>, WriteError>;
}

/// What a writer compares a request with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MatchHead {
    pub(crate) match_id: MatchId,
    /// The match's last event.
    pub(crate) seq: Seq,
    /// The hash of the requested event; `None` if there is no such event.
    pub(crate) previous_hash: Option<ChainHash>,
}

/// The first commit of a writer.
pub(crate) struct OpeningCommit {
    pub(crate) replica: ReplicaId,
    pub(crate) hlc: Hlc,
    pub(crate) body: Bytes,
}

/// Why a commit failed, by what the writer does next.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum WriteError {
    /// Rolled back: an event with one of the batch's (match, seq) exists.
    #[error("an event with this match and seq exists")]
    EventExists,
    /// Rolled back: the event before one of the batch is missing or has another hash.
    #[error("the event before one of the batch is missing or another one")]
    PredecessorDiffers,
    /// Rolled back: the writer's batch before is missing or another one, so the database lost it.
    #[error("the writer's batch before this one is missing or another one")]
    CommitMissing,
    /// Rolled back: a commit with this writer and batch number exists.
    #[error("a commit with this writer and batch number exists")]
    BatchExists,
    /// Rolled back: the owner has created a match with this request.
    #[error("the owner has created a match with this request")]
    CreateExists,
    /// Rolled back; a retry may succeed.
    #[error("the database failed temporarily: {what}")]
    Transient { what: String },
    /// Rolled back: the database rejects something in the batch.
    #[error("the database rejects the batch: {what}")]
    Refused { what: String },
    /// The connection is lost, and it is unknown whether the batch was committed.
    #[error("the connection to the database was lost: {what}")]
    Lost { what: String },
}

/// Returns how long a writer waits before a retry: exponential, from 20 ms to 1.28 s.
pub(crate) fn retry_pause(attempt: u32) -> Duration {
    Duration::from_millis(20 << attempt.min(6))
}
