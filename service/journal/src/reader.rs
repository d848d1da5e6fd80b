//! A database opened for looking alone, beside whoever serves it: no lane is opened, no lock taken, nothing written, and the
//! schema may be older than this program's. Appending is the `Journal`'s.

use std::sync::Arc;

use crate::memory::Memory;
use crate::store::Store;
use crate::url::Database;
use crate::{
    JournalConfig, MatchFilter, MatchId, MatchRow, OpenError, ReadError, RecordedTime, Seq, StoredEvent,
    directory, postgres, sqlite,
};

/// A database that is only read; cheap to clone.
#[derive(Clone)]
pub struct Reader {
    store: Arc<dyn Store>,
}

impl Reader {
    /// Opens the database, which must have been migrated once.
    pub async fn open(config: &JournalConfig) -> Result<Reader, OpenError> {
        let store: Arc<dyn Store> = match &config.url.0 {
            Database::Memory => Arc::new(Memory::default()),
            Database::Sqlite(path) => Arc::new(sqlite::open_reader(config, path).await?),
            Database::Postgres(options) => Arc::new(postgres::open_reader(config, options).await?),
        };
        Ok(Reader { store })
    }

    /// How many matches of this game, or of all, were created at `since` or later.
    pub async fn count_matches(&self, game: Option<&str>, since: RecordedTime) -> Result<u64, ReadError> {
        self.store.count_matches(game, since).await
    }

    /// The directory's lines that fit, the last created first.
    pub async fn list_matches(&self, filter: &MatchFilter) -> Result<Vec<MatchRow>, ReadError> {
        directory::list(self.store.as_ref(), filter).await
    }

    /// A match's line in the directory.
    pub async fn match_row(&self, id: MatchId) -> Result<Option<MatchRow>, ReadError> {
        self.store.match_row(id).await
    }

    /// A match's events after `after`, ascending, at most `limit` of them.
    pub async fn events(&self, id: MatchId, after: Seq, limit: u32) -> Result<Vec<StoredEvent>, ReadError> {
        self.store.events(id, after, limit).await
    }

    /// Lets the connections go.
    pub async fn close(self) {
        self.store.close().await;
    }
}
