//! What a database needs of the journal's configuration.

use std::time::Duration;

/// What `Journal::open` does with a database whose schema is older than this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Migrations {
    /// Migrates it.
    Apply,
    /// Fails: another role runs `migrate`.
    Require,
}

/// How statements are sent to Postgres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statements {
    /// Prepared once per connection, then one round trip each.
    Prepared,
    /// Unnamed, for a transaction pooler that may send each statement over another connection.
    Unnamed,
}

/// Settings of a database's connections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoreSettings {
    pub(crate) migrations: Migrations,
    pub(crate) statements: Statements,
    /// Maximum connections for reading.
    pub(crate) max_readers: u32,
    pub(crate) read_timeout: Duration,
    pub(crate) write_timeout: Duration,
}
