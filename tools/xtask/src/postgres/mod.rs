//! The Postgres that tests and measurements use: a given one, or one made for this run and removed after it.

mod binaries;
mod cluster;

use std::env;

use anyhow::Result;

pub(crate) use binaries::Binaries;
pub(crate) use cluster::{Cluster, Crash};

const VARIABLE: &str = "MATCHBOOK_TEST_DATABASE_URL";

/// A server on which this run may make databases.
pub(crate) enum Database {
    /// Somebody else's, named in the environment.
    Given(String),
    /// Ours: stopped and removed when dropped.
    Throwaway(Cluster),
}

impl Database {
    /// The server that the environment names, else a throwaway one.
    pub(crate) fn open() -> Result<Self> {
        if let Some(url) = env::var(VARIABLE).ok().filter(|url| !url.is_empty()) {
            // The URL itself may hold a password.
            println!("using the server that {VARIABLE} names");
            return Ok(Self::Given(url));
        }
        let binaries = Binaries::find_or_install()?;
        println!("{VARIABLE} is not set; starting a throwaway Postgres from {}", binaries.folder().display());
        let cluster = Cluster::start(&binaries)?;
        println!("it listens at {}", cluster.url());
        Ok(Self::Throwaway(cluster))
    }

    /// The URL of its superuser.
    pub(crate) fn url(&self) -> &str {
        match self {
            Self::Given(url) => url,
            Self::Throwaway(cluster) => cluster.url(),
        }
    }
}
