//! The URL of a database in memory.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;

use super::MemoryDatabase;
use crate::ids::ReplicaId;
use crate::store::{
    Backend, BackendKind, DatabaseAddress, Store, StoreSettings, reject_shards, reject_standby,
};
use crate::{OpenError, Shards, UrlError};

pub(crate) const KIND: BackendKind =
    BackendKind { prefixes: &["memory:"], form: "memory: (nothing is stored)", parse };

/// Names a new database, which nothing else can open.
struct MemoryAddress;

fn parse(url: &str) -> Result<Arc<dyn DatabaseAddress>, UrlError> {
    match url {
        "memory:" => Ok(Arc::new(MemoryAddress)),
        _ => Err(UrlError::Malformed { what: "the URL of a database in memory must be memory:" }),
    }
}

impl fmt::Display for MemoryAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("memory (lost when the service stops)")
    }
}

#[async_trait]
impl DatabaseAddress for MemoryAddress {
    fn is_durable(&self) -> bool {
        false
    }

    async fn migrate(&self, shards: Option<Shards>) -> Result<(), OpenError> {
        reject_shards(shards)
    }

    async fn open(
        &self,
        _settings: &StoreSettings,
        standby: Option<&dyn DatabaseAddress>,
        _replica: ReplicaId,
    ) -> Result<Backend, OpenError> {
        reject_standby(standby)?;
        let store = Arc::new(MemoryDatabase::default());
        let (webhooks, description) = (store.clone(), self.to_string());
        Ok(Backend { store, webhooks, tail: None, shards: Shards::ONE, description })
    }

    async fn open_reader(&self, _settings: &StoreSettings) -> Result<Arc<dyn Store>, OpenError> {
        Ok(Arc::new(MemoryDatabase::default()))
    }
}
