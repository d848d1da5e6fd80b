//! The URL of a Postgres database.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use sqlx::postgres::PgConnectOptions;

use super::{grant, migrate, open, open_archiver, open_reader};
use crate::archiving::ArchiverStore;
use crate::ids::ReplicaId;
use crate::store::{Backend, BackendKind, DatabaseAddress, Store, StoreSettings};
use crate::{OpenError, Shards, UrlError};

pub(crate) const KIND: BackendKind = BackendKind {
    prefixes: &["postgres://", "postgresql://"],
    form: "postgres://USER:PASSWORD@HOST/NAME",
    parse,
};

struct PostgresAddress(PgConnectOptions);

fn parse(url: &str) -> Result<Arc<dyn DatabaseAddress>, UrlError> {
    let options = url.parse();
    // The driver's error may repeat the password.
    let options = options.map_err(|_| UrlError::Malformed { what: "the Postgres URL is not valid" })?;
    Ok(Arc::new(PostgresAddress(options)))
}

impl fmt::Display for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.0.get_database().unwrap_or_else(|| self.0.get_username());
        write!(f, "Postgres {name} at {}:{}", self.0.get_host(), self.0.get_port())
    }
}

#[async_trait]
impl DatabaseAddress for PostgresAddress {
    async fn migrate(&self, shards: Option<Shards>) -> Result<(), OpenError> {
        migrate(&self.0, shards).await
    }

    fn has_roles(&self) -> bool {
        true
    }

    async fn grant(&self, role: &str) -> Result<(), OpenError> {
        grant(&self.0, role).await
    }

    async fn open(
        &self,
        settings: &StoreSettings,
        standby: Option<&dyn DatabaseAddress>,
        replica: ReplicaId,
    ) -> Result<Backend, OpenError> {
        let standby = standby.map(|standby| {
            let standby = (standby as &dyn Any).downcast_ref::<PostgresAddress>();
            standby.map(|address| &address.0).ok_or(OpenError::NoStandby)
        });
        let postgres = open(settings, &self.0, standby.transpose()?, replica).await?;
        let shards = postgres.shards;
        let store = Arc::new(postgres);
        let (webhooks, tail) = (store.clone(), store.clone());
        Ok(Backend { store, webhooks, tail: Some(tail), shards, description: self.to_string() })
    }

    async fn open_archiver(&self, _settings: &StoreSettings) -> Result<Box<dyn ArchiverStore>, OpenError> {
        Ok(Box::new(open_archiver(&self.0).await?))
    }

    async fn open_reader(&self, settings: &StoreSettings) -> Result<Arc<dyn Store>, OpenError> {
        Ok(Arc::new(open_reader(settings, &self.0).await?))
    }
}
