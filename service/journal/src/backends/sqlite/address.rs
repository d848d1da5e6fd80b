//! The URL of a SQLite file.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;

use super::{migrate, open, open_archiver, open_reader};
use crate::archiving::ArchiverStore;
use crate::ids::ReplicaId;
use crate::store::{
    Backend, BackendKind, DatabaseAddress, Store, StoreSettings, reject_shards, reject_standby,
};
use crate::{OpenError, Shards, UrlError};

pub(crate) const KIND: BackendKind =
    BackendKind { prefixes: &["sqlite://", "sqlite:"], form: "sqlite://PATH", parse };

const MALFORMED: UrlError =
    UrlError::Malformed { what: "the SQLite URL must be sqlite://PATH, without options" };
/// SQLite itself could, but every connection would get a database of its own.
const IN_MEMORY: UrlError =
    UrlError::Malformed { what: "SQLite in memory is not supported; for a database in memory, use memory:" };

struct SqliteAddress(PathBuf);

fn parse(url: &str) -> Result<Arc<dyn DatabaseAddress>, UrlError> {
    let path = KIND.prefixes.iter().find_map(|prefix| url.strip_prefix(prefix)).unwrap_or_default();
    if path.contains(":memory:") || path.contains("mode=memory") {
        return Err(IN_MEMORY);
    }
    if path.is_empty() || path.contains(['?', '#']) {
        return Err(MALFORMED);
    }
    Ok(Arc::new(SqliteAddress(PathBuf::from(path))))
}

impl fmt::Display for SqliteAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SQLite {}", self.0.display())
    }
}

#[async_trait]
impl DatabaseAddress for SqliteAddress {
    fn folder(&self) -> Option<&Path> {
        self.0.parent()
    }

    async fn migrate(&self, shards: Option<Shards>) -> Result<(), OpenError> {
        reject_shards(shards)?;
        migrate(&self.0).await
    }

    async fn open(
        &self,
        settings: &StoreSettings,
        standby: Option<&dyn DatabaseAddress>,
        _replica: ReplicaId,
    ) -> Result<Backend, OpenError> {
        reject_standby(standby)?;
        let store = Arc::new(open(settings, &self.0).await?);
        let (webhooks, description) = (store.clone(), self.to_string());
        Ok(Backend { store, webhooks, tail: None, shards: Shards::ONE, description })
    }

    async fn open_archiver(&self, _settings: &StoreSettings) -> Result<Box<dyn ArchiverStore>, OpenError> {
        Ok(Box::new(open_archiver(&self.0).await?))
    }

    async fn open_reader(&self, settings: &StoreSettings) -> Result<Arc<dyn Store>, OpenError> {
        Ok(Arc::new(open_reader(settings, &self.0).await?))
    }
}
