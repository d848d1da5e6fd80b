//! The kinds of databases, by URL. A new kind needs its own folder, its module in `lib.rs`, its URL in
//! `url.rs`, and an arm in each function here.

use std::sync::Arc;

use super::{DatabaseKind, DatabaseUrl, JournalConfig, OpenError};
use crate::ids::ReplicaId;
use crate::memory::MemoryDatabase;
use crate::store::{Backend, Store};
use crate::{postgres, sqlite};

/// Migrates a database's schema.
pub async fn migrate(url: &DatabaseUrl) -> Result<(), OpenError> {
    match &url.0 {
        DatabaseKind::Memory => Ok(()),
        DatabaseKind::Sqlite(path) => sqlite::migrate(path).await,
        DatabaseKind::Postgres(options) => postgres::migrate(options).await,
    }
}

/// Grants a role the rights to serve this database, and no others.
pub async fn grant(url: &DatabaseUrl, role: &str) -> Result<(), OpenError> {
    match &url.0 {
        DatabaseKind::Memory | DatabaseKind::Sqlite(_) => {
            Err(OpenError::Grant { what: "only Postgres has roles".to_owned() })
        }
        DatabaseKind::Postgres(options) => postgres::grant(options, role).await,
    }
}

/// Opens a database for serving.
pub(crate) async fn open(config: &JournalConfig, replica: ReplicaId) -> Result<Backend, OpenError> {
    let description = config.url.to_string();
    if config.read_url.is_some() && !matches!(&config.url.0, DatabaseKind::Postgres(_)) {
        return Err(OpenError::NoStandby);
    }
    match &config.url.0 {
        DatabaseKind::Memory => {
            Ok(Backend { store: Arc::new(MemoryDatabase::default()), tail: None, description })
        }
        DatabaseKind::Sqlite(path) => {
            Ok(Backend { store: Arc::new(sqlite::open(config, path).await?), tail: None, description })
        }
        DatabaseKind::Postgres(options) => {
            let postgres = postgres::open(config, options, replica).await?;
            Ok(Backend { store: Arc::new(postgres.clone()), tail: Some(Arc::new(postgres)), description })
        }
    }
}

/// Opens a database for reading only.
pub(crate) async fn open_reader(config: &JournalConfig) -> Result<Arc<dyn Store>, OpenError> {
    Ok(match &config.url.0 {
        DatabaseKind::Memory => Arc::new(MemoryDatabase::default()),
        DatabaseKind::Sqlite(path) => Arc::new(sqlite::open_reader(config, path).await?),
        DatabaseKind::Postgres(options) => Arc::new(postgres::open_reader(config, options).await?),
    })
}
