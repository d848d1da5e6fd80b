//! The programs that take part in chores, built first, and what the service says when it is up.

use std::io::BufRead;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::Result;

use crate::{child, repository};

/// How programs are built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// For figures.
    Release,
    /// As the tests have built them already.
    Debug,
}

/// Where the programs are.
pub(crate) struct Programs {
    folder: PathBuf,
}

impl Programs {
    /// Builds the programs of these packages.
    pub(crate) fn build(profile: Profile, packages: &[&str]) -> Result<Self> {
        let mut build = repository::cargo();
        build.arg("build").args(packages.iter().flat_map(|package| ["--package", package]));
        let folder = match profile {
            Profile::Release => {
                build.arg("--release");
                "release"
            }
            Profile::Debug => "debug",
        };
        eprintln!("building {} for {folder}", packages.join(", "));
        child::capture(&mut build)?;
        Ok(Self { folder: repository::target_folder().join(folder) })
    }

    /// The path of one of them.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// One measurement; what it is about is still to be said.
    pub(crate) fn bench(&self, measurement: &str, seconds: u64, warm_up_seconds: u64) -> Command {
        let mut bench = Command::new(self.path("bench"));
        bench.arg(measurement).args(["--seconds", &seconds.to_string()]);
        bench.args(["--warm-up-seconds", &warm_up_seconds.to_string()]);
        bench
    }

    /// The service, deaf to whatever our own environment tells it.
    pub(crate) fn matchbookd(&self, command: &str) -> Command {
        let mut matchbookd = Command::new(self.path("matchbookd"));
        deafen(&mut matchbookd);
        matchbookd.arg(command);
        matchbookd
    }

    /// Makes the tables of a database.
    pub(crate) fn migrate(&self, url: &str) -> Result<()> {
        let mut migrate = self.matchbookd("migrate");
        child::capture(migrate.args(["--database", url]).stderr(Stdio::piped())).map(drop)
    }
}

/// Takes our own environment's settings of the service away from a command.
pub(crate) fn deafen(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("MATCHBOOK_") || text.starts_with("OTEL_") {
            command.env_remove(&name);
        }
    }
}

/// Reads what a service says when it is up, as far as its address `HOST:PORT`; none if it ends before.
pub(crate) fn read_address(greeting: &mut impl BufRead) -> Result<Option<String>> {
    let mut line = String::new();
    while greeting.read_line(&mut line)? > 0 {
        let mut words = line.split_whitespace();
        if let (Some("gRPC"), Some(address)) = (words.next(), words.next()) {
            return Ok(Some(address.to_owned()));
        }
        line.clear();
    }
    Ok(None)
}
