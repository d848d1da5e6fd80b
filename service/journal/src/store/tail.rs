//! What a replica reads of other replicas' commits. Only databases that several replicas share implement it.

use async_trait::async_trait;
use bytes::Bytes;

use crate::ids::{BatchNumber, WriterId};
use crate::{Hlc, ReadError};

/// Reads other replicas' commits, and closes writers of dead replicas.
#[async_trait]
pub(crate) trait TailSource: Send + Sync + 'static {
    /// Returns the writers of other replicas that are open now.
    async fn known_writers(&self) -> Result<KnownWriters, ReadError>;
    /// Returns other replicas' commits beyond the known ones, at most `limit` per writer, in each writer's
    /// order.
    async fn newer_commits(&self, known: &KnownWriters, limit: u32) -> Result<Vec<LoggedCommit>, ReadError>;
    /// Closes a writer by an empty commit after its head, unless it has committed again or is closed.
    async fn close_writer(&self, head: WriterHead, hlc: Hlc, body: &Bytes)
    -> Result<CloseOutcome, ReadError>;
    /// Returns the writers among these whose commit the database has lost: it is missing or another one, and
    /// was not pruned after a later one.
    async fn lost_commits(&self, heads: &[WriterHead]) -> Result<Vec<WriterId>, ReadError>;
}

/// The writers of other replicas, as far as their commits were read.
#[derive(Clone, Debug)]
pub(crate) struct KnownWriters {
    pub(crate) open: Vec<WriterHead>,
    /// Closed writers whose commits were all read.
    pub(crate) closed: Vec<WriterId>,
    /// An unknown writer with this id or a larger one is new, even if it is closed.
    pub(crate) first_new: WriterId,
}

/// A writer and its last known commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WriterHead {
    pub(crate) writer: WriterId,
    pub(crate) number: BatchNumber,
    pub(crate) hlc: Hlc,
}

/// A row of the commit log.
#[derive(Clone, Debug)]
pub(crate) struct LoggedCommit {
    pub(crate) head: WriterHead,
    pub(crate) body: Bytes,
}

/// Whether a writer was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CloseOutcome {
    Closed,
    /// It has committed again, or was already closed.
    Advanced,
}
