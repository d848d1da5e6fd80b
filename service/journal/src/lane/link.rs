//! A lane's connection: every call is bounded in time, and a connection that failed is never used again.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use crate::batch::Batch;
use crate::store::{LaneConnection, Opening, Store, WriteError};
use crate::{Clock, Lane, LaneNo, MatchId, Seq};

/// The connection, or none after a loss.
pub(super) struct Link {
    store: Arc<dyn Store>,
    connection: Option<Box<dyn LaneConnection>>,
    within: Duration,
}

impl Link {
    pub(super) fn new(store: Arc<dyn Store>, within: Duration) -> Link {
        Link { store, connection: None, within }
    }

    pub(super) fn is_up(&self) -> bool {
        self.connection.is_some()
    }

    pub(super) async fn connect(&mut self) -> Result<(), WriteError> {
        let connected = tokio::time::timeout(self.within, self.store.connect()).await;
        self.connection = Some(connected.unwrap_or_else(|_| Err(late()))?);
        Ok(())
    }

    pub(super) async fn open_lane(&mut self, opening: &Opening) -> Result<Lane, WriteError> {
        self.connect().await?;
        let connection = self.connection.as_mut().ok_or_else(down)?;
        let done = tokio::time::timeout(self.within, connection.open_lane(opening)).await;
        self.judge(done.unwrap_or_else(|_| Err(late())))
    }

    pub(super) async fn latest_clock(&mut self) -> Result<Clock, WriteError> {
        let connection = self.connection.as_mut().ok_or_else(down)?;
        let done = tokio::time::timeout(self.within, connection.latest_clock()).await;
        self.judge(done.unwrap_or_else(|_| Err(late())))
    }

    pub(super) async fn write(&mut self, batch: &Batch) -> Result<(), WriteError> {
        let connection = self.connection.as_mut().ok_or_else(down)?;
        let done = tokio::time::timeout(self.within, connection.write(batch)).await;
        self.judge(done.unwrap_or_else(|_| Err(late())))
    }

    pub(super) async fn logged(&mut self, lane: Lane, no: LaneNo) -> Result<Option<Bytes>, WriteError> {
        let connection = self.connection.as_mut().ok_or_else(down)?;
        let done = tokio::time::timeout(self.within, connection.logged(lane, no)).await;
        self.judge(done.unwrap_or_else(|_| Err(late())))
    }

    pub(super) async fn heads(&mut self, ids: &[MatchId]) -> Result<Vec<(MatchId, Seq)>, WriteError> {
        let connection = self.connection.as_mut().ok_or_else(down)?;
        let done = tokio::time::timeout(self.within, connection.heads(ids)).await;
        self.judge(done.unwrap_or_else(|_| Err(late())))
    }

    fn judge<T>(&mut self, done: Result<T, WriteError>) -> Result<T, WriteError> {
        if matches!(done, Err(WriteError::Lost { .. })) {
            self.connection = None;
        }
        done
    }
}

fn late() -> WriteError {
    WriteError::Lost { what: "no answer in time".to_owned() }
}

fn down() -> WriteError {
    WriteError::Lost { what: "not connected".to_owned() }
}
