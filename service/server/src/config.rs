//! What a server is started with.

use std::path::PathBuf;

use crate::{CorsOrigins, Database, Limits};

/// Everything that `Server::start` needs to know.
#[derive(Debug, Clone)]
pub struct Config {
    /// `HOST:PORT`; port 0 takes a free one.
    pub listen: String,
    /// Who may be able to reach it.
    pub exposure: Exposure,
    /// Where the matches are.
    pub database: Database,
    /// The service key's file; if absent, its place beside the database.
    pub key_file: Option<PathBuf>,
    /// How much it takes at once.
    pub limits: Limits,
    /// Whose web pages may call it.
    pub cors_origins: CorsOrigins,
}

/// From where the service may be reachable. There is no access control yet, so this is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exposure {
    /// Only from this machine.
    Loopback,
    /// From wherever the address can be reached.
    Anywhere,
}

impl Config {
    /// A server on this machine alone with the usual limits.
    pub fn new(listen: impl Into<String>, database: Database) -> Self {
        Self {
            listen: listen.into(),
            exposure: Exposure::Loopback,
            database,
            key_file: None,
            limits: Limits::default(),
            cors_origins: CorsOrigins::None,
        }
    }
}
