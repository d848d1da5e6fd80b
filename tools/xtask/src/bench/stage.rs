//! Where everything is measured: a throwaway Postgres with its databases, and a folder on the same disk.

use std::path::Path;

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::postgres::{Binaries, Cluster};

/// Removed with all that was measured when dropped.
pub(super) struct Stage {
    binaries: Binaries,
    cluster: Cluster,
    folder: TempDir,
}

impl Stage {
    pub(super) fn set() -> Result<Self> {
        let binaries = Binaries::find_or_install()?;
        let cluster = Cluster::start(&binaries)?;
        let folder = tempfile::Builder::new().prefix("matchbook-bench-").tempdir();
        Ok(Self { binaries, cluster, folder: folder.context("cannot make a temporary folder")? })
    }

    /// Where Postgres' programs are.
    pub(super) fn binaries(&self) -> &Binaries {
        &self.binaries
    }

    /// For files of this run.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The URL of a new SQLite file.
    pub(super) fn new_file(&self, name: &str) -> String {
        format!("sqlite://{}", self.folder.path().join(name).display())
    }

    /// The URL of a new database without tables.
    pub(super) fn new_database(&self, name: &str) -> Result<String> {
        self.cluster.new_database(&self.binaries, name)
    }

    /// Writes out what earlier figures have left, so that no later one pays for it.
    pub(super) fn checkpoint(&self) -> Result<()> {
        self.query(self.cluster.url(), "CHECKPOINT").map(drop)
    }

    /// The answer to one statement, fields separated by `|`.
    pub(super) fn query(&self, url: &str, sql: &str) -> Result<String> {
        self.binaries.query(url, sql)
    }
}
