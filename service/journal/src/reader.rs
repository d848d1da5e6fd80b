//! Read-only access to a database that another process may serve: opens no writer, takes no lock, writes
//! nothing, and accepts the schema of an older program.

use std::sync::Arc;

use crate::store::Store;
use crate::{
    ArchivedLogs, JournalConfig, MatchFilter, MatchId, MatchPage, MatchRow, OpenError, PageSize, ReadError,
    RecordTime, Seq, StoredEvent, archiving, directory,
};

/// A database opened for reading; cheap to clone.
#[derive(Clone)]
pub struct Reader {
    store: Arc<dyn Store>,
    archive: Option<Arc<dyn ArchivedLogs>>,
}

impl Reader {
    /// Opens a database. Some program must have migrated it.
    pub async fn open(config: &JournalConfig) -> Result<Reader, OpenError> {
        let store = config.url.0.open_reader(&config.store_settings()).await?;
        Ok(Reader { store, archive: config.archive.clone() })
    }

    /// Counts the matches of a game, or of all games, created at `since` or later.
    pub async fn count_matches(&self, game: Option<&str>, since: RecordTime) -> Result<u64, ReadError> {
        self.store.count_matches(game, since).await
    }

    /// Returns the matches that pass the filter, newest first, one page at a time.
    pub async fn list_matches(&self, filter: &MatchFilter) -> Result<MatchPage, ReadError> {
        directory::list(self.store.as_ref(), filter).await
    }

    /// Returns a match's row in the directory.
    pub async fn match_row(&self, id: MatchId) -> Result<Option<MatchRow>, ReadError> {
        self.store.match_row(id).await
    }

    /// Returns a match's events after `after`, in order.
    pub async fn events(
        &self,
        id: MatchId,
        after: Seq,
        page: PageSize,
    ) -> Result<Vec<StoredEvent>, ReadError> {
        let found = self.store.events(id, after, page).await?;
        archiving::events(self.store.as_ref(), self.archive.as_deref(), id, after, page, found).await
    }

    /// Closes the connections.
    pub async fn close(self) {
        self.store.close().await;
    }
}
