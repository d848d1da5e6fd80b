//! The journal in Postgres: a pool of readers, and a connection of its own for each lane.

mod columns;
mod connect;
mod failure;
mod migrate;
mod read;
mod tail;
mod write;

use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::PgConnectOptions;

use crate::Statements;
use crate::ids::ReplicaId;

pub(crate) use self::connect::{open, open_reader};
#[cfg(test)]
pub(crate) use self::migrate::MIGRATOR;
pub(crate) use self::migrate::{grant, migrate};

/// One database; cheap to clone.
#[derive(Clone)]
pub(crate) struct Postgres {
    options: PgConnectOptions,
    readers: PgPool,
    replica: ReplicaId,
    statements: Statements,
    reader_count: u32,
    read_within: Duration,
    write_within: Duration,
}

impl Postgres {
    /// Whether statements are prepared under a name.
    fn persistent(&self) -> bool {
        self.statements == Statements::Prepared
    }
}
