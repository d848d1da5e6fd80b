//! The journal in Postgres: a pool of connections for reading, and one connection per writer.

mod address;
mod archiving;
mod connect;
mod failure;
mod migrate;
mod read;
mod sharding;
mod standby;
mod statements;
mod tail;
mod webhooks;
mod write;

use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, PgPool};

use self::archiving::open_archiver;
use self::connect::{open, open_reader};
use self::migrate::{grant, migrate, require_migrated};
use self::standby::Standby;
use self::statements::MatchQueries;
use crate::ids::ReplicaId;
use crate::{Shards, Statements};

pub(super) use self::address::KIND;
#[cfg(test)]
pub(crate) use self::migrate::MIGRATOR;

/// A Postgres database; cheap to clone.
#[derive(Clone)]
pub(crate) struct Postgres {
    options: PgConnectOptions,
    readers: PgPool,
    standby: Option<Arc<Standby>>,
    matches: MatchQueries,
    replica: ReplicaId,
    shards: Shards,
    statements: Statements,
    max_readers: u32,
    read_timeout: Duration,
    write_timeout: Duration,
}

impl Postgres {
    /// Returns whether statements are prepared under a name.
    fn persistent(&self) -> bool {
        self.statements == Statements::Prepared
    }
}

/// Names the application and turns off the driver's own log of statements.
fn configure(options: PgConnectOptions) -> PgConnectOptions {
    options.application_name("matchbookd").disable_statement_logging()
}
