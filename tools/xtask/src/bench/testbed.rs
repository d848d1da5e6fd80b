//! What measurements run on: a throwaway Postgres, and a folder on the same disk.

use std::path::Path;

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::postgres::{Binaries, ThrowawayServer};

/// A throwaway Postgres and a folder; both removed when dropped.
pub(super) struct Testbed {
    binaries: Binaries,
    server: ThrowawayServer,
    folder: TempDir,
}

impl Testbed {
    pub(super) fn start() -> Result<Self> {
        let binaries = Binaries::find_or_install()?;
        let server = ThrowawayServer::start(&binaries)?;
        let folder = tempfile::Builder::new().prefix("matchbook-bench-").tempdir();
        Ok(Self { binaries, server, folder: folder.context("cannot create a temporary folder")? })
    }

    /// Returns the installed Postgres programs.
    pub(super) fn binaries(&self) -> &Binaries {
        &self.binaries
    }

    /// Returns the folder for files of this run.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the URL of a SQLite file that does not exist yet.
    pub(super) fn new_file(&self, name: &str) -> String {
        format!("sqlite://{}", self.folder.path().join(name).display())
    }

    /// Creates a database without tables and returns its URL.
    pub(super) fn new_database(&self, name: &str) -> Result<String> {
        self.server.new_database(&self.binaries, name)
    }

    /// Makes Postgres write a checkpoint, so that no figure pays for the writes of an earlier one.
    pub(super) fn checkpoint(&self) -> Result<()> {
        self.query(self.server.url(), "CHECKPOINT").map(drop)
    }

    /// Returns the result of one statement, its columns separated by `|`.
    pub(super) fn query(&self, url: &str, sql: &str) -> Result<String> {
        self.binaries.query(url, sql)
    }
}
