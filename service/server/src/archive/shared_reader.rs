//! The reader that a journal gets before the service key is known: a new service creates its key only once
//! its database is open.

use std::sync::{Arc, OnceLock};

use archive::ArchiveReader;
use async_trait::async_trait;
use journal::{ArchivedLogs, ArchivedPlace, MatchId, ReadError, StoredEvent};

/// A reader that is set once the service key is known. Nothing is read before.
#[derive(Debug, Default)]
pub(crate) struct SharedReader(OnceLock<ArchiveReader>);

impl SharedReader {
    /// Sets the reader.
    pub(crate) fn set(&self, reader: ArchiveReader) {
        // A second one would be the same.
        let _ = self.0.set(reader);
    }
}

#[async_trait]
impl ArchivedLogs for SharedReader {
    async fn log(&self, id: MatchId, place: ArchivedPlace) -> Result<Arc<[StoredEvent]>, ReadError> {
        match self.0.get() {
            Some(reader) => reader.log(id, place).await,
            None => Err(ReadError::Archive { what: "the service key is not read yet".to_owned() }),
        }
    }
}
