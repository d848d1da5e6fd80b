//! The Postgres of tests and measurements: a given server, or one created for this run and removed after it.

mod binaries;
mod throwaway;

use std::env;

use anyhow::Result;

use crate::output;

pub(crate) use binaries::Binaries;
pub(crate) use throwaway::{Crash, ThrowawayServer};

/// The variable that names the server of tests.
pub(crate) const VARIABLE: &str = "MATCHBOOK_TEST_DATABASE_URL";

/// A server on which this run may create databases.
pub(crate) enum TestDatabase {
    /// The server in the environment.
    Given(String),
    /// A server of this run; stopped and removed when dropped.
    Throwaway(ThrowawayServer),
}

impl TestDatabase {
    /// Returns the server that the environment names, otherwise a throwaway server.
    pub(crate) fn open() -> Result<Self> {
        if let Some(url) = env::var(VARIABLE).ok().filter(|url| !url.is_empty()) {
            // Not printed: the URL may contain a password.
            output::print_line(format_args!("using the server in {VARIABLE}"));
            return Ok(Self::Given(url));
        }
        let binaries = Binaries::find_or_install()?;
        let folder = binaries.folder().display();
        output::print_line(format_args!("{VARIABLE} is not set; starting a throwaway Postgres of {folder}"));
        let server = ThrowawayServer::start(&binaries)?;
        output::print_line(format_args!("listening at {}", server.url()));
        Ok(Self::Throwaway(server))
    }

    /// Returns the URL of the superuser.
    pub(crate) fn url(&self) -> &str {
        match self {
            Self::Given(url) => url,
            Self::Throwaway(server) => server.url(),
        }
    }
}
