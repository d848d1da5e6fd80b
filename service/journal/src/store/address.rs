//! A database that is not open yet, as its URL names it.

use std::any::Any;
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;

use super::{Backend, Store, StoreSettings};
use crate::archiving::ArchiverStore;
use crate::ids::ReplicaId;
use crate::{OpenError, Shards, UrlError};

/// A kind of database.
pub(crate) struct BackendKind {
    /// What its URLs start with; the first one is how we write it.
    pub(crate) prefixes: &'static [&'static str],
    /// The form of its URLs, for people.
    pub(crate) form: &'static str,
    /// Parses a URL that starts with one of them.
    pub(crate) parse: fn(&str) -> Result<Arc<dyn DatabaseAddress>, UrlError>,
}

/// Opens and migrates the database that a URL names. Displayed without its password.
#[async_trait]
pub(crate) trait DatabaseAddress: Display + Any + Send + Sync {
    /// Returns the folder of the database's file; `None` if it is not a file.
    fn folder(&self) -> Option<&Path> {
        None
    }
    /// Returns whether the database outlives the process.
    fn is_durable(&self) -> bool {
        true
    }
    /// Migrates the schema. A database that was never served can get a number of shards; any other one must
    /// have it.
    async fn migrate(&self, shards: Option<Shards>) -> Result<(), OpenError>;
    /// Whether rights can be granted to roles.
    fn has_roles(&self) -> bool {
        false
    }
    /// Grants a role the rights to serve this database, and no others.
    async fn grant(&self, _role: &str) -> Result<(), OpenError> {
        Err(OpenError::NoRoles)
    }
    /// Opens the database for serving, with a standby for reads that may be stale.
    async fn open(
        &self,
        settings: &StoreSettings,
        standby: Option<&dyn DatabaseAddress>,
        replica: ReplicaId,
    ) -> Result<Backend, OpenError>;
    /// Opens the database to archive its matches.
    async fn open_archiver(&self, _settings: &StoreSettings) -> Result<Box<dyn ArchiverStore>, OpenError> {
        Err(OpenError::NothingToArchive)
    }
    /// Opens the database for reading only.
    async fn open_reader(&self, settings: &StoreSettings) -> Result<Arc<dyn Store>, OpenError>;
}

/// Fails if several shards are wanted of a kind of database that has one.
pub(crate) fn reject_shards(wanted: Option<Shards>) -> Result<(), OpenError> {
    match wanted {
        None | Some(Shards::ONE) => Ok(()),
        Some(_) => Err(OpenError::NoShards),
    }
}

/// Fails if a standby is configured for a kind of database that has none.
pub(crate) fn reject_standby(standby: Option<&dyn DatabaseAddress>) -> Result<(), OpenError> {
    match standby {
        None => Ok(()),
        Some(_) => Err(OpenError::NoStandby),
    }
}
