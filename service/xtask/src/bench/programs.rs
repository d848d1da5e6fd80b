//! The programs that take part, built in release mode.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::Result;

use crate::{child, repository};

/// Where the programs are.
pub(super) struct Programs {
    folder: PathBuf,
}

impl Programs {
    /// Builds the service and the program that calls it.
    pub(super) fn build() -> Result<Self> {
        eprintln!("building the service and its measurements in release mode");
        child::capture(repository::cargo().args([
            "build",
            "--release",
            "--package",
            "server",
            "--package",
            "bench",
        ]))?;
        Ok(Self { folder: repository::target_folder().join("release") })
    }

    /// One measurement; what it is about is still to be said.
    pub(super) fn bench(&self, measurement: &str, seconds: u64, warm_up_seconds: u64) -> Command {
        let mut bench = Command::new(self.folder.join("bench"));
        bench.arg(measurement).args(["--seconds", &seconds.to_string()]);
        bench.args(["--warm-up-seconds", &warm_up_seconds.to_string()]);
        bench
    }

    /// The service, deaf to whatever our own environment tells it.
    pub(super) fn matchbookd(&self, command: &str) -> Command {
        let mut matchbookd = Command::new(self.folder.join("matchbookd"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("MATCHBOOK_") {
                matchbookd.env_remove(&name);
            }
        }
        matchbookd.arg(command);
        matchbookd
    }

    /// Makes the tables of a database.
    pub(super) fn migrate(&self, url: &str) -> Result<()> {
        let mut migrate = self.matchbookd("migrate");
        child::capture(migrate.args(["--database", url]).stderr(Stdio::piped())).map(drop)
    }
}
