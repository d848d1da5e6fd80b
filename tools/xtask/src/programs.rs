//! The workspace's programs, built for the chores that run them.

use std::io::BufRead;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::{child, repository};

/// The packages of the programs that chores run from an optimized build. They are always built together:
/// cargo would compile shared dependencies again for another selection of packages.
const RELEASED: [&str; 4] = ["matchbookd", "cli", "bench", "faults"];

/// The packages of the programs that measurements run.
const MEASURED: [&str; 2] = ["matchbookd", "bench"];

/// The packages of the programs that make pictures.
const PICTURED: [&str; 2] = ["matchbookd", "cli"];

/// How the programs are built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// For measurements: as it is distributed.
    Dist,
    /// For long runs, quicker to build.
    Release,
    /// For tests, which share this build.
    Debug,
    /// For pictures: the service and its client, unoptimized.
    Quick,
}

/// The folder of built programs.
#[derive(Clone)]
pub(crate) struct Programs {
    folder: PathBuf,
}

impl Programs {
    /// Builds all programs.
    pub(crate) fn build(profile: Profile) -> Result<Self> {
        let mut build = repository::cargo();
        build.arg("build");
        let folder = match profile {
            Profile::Dist => {
                build.args(["--profile", "dist"]).args(packages(&MEASURED));
                "dist"
            }
            Profile::Release => {
                build.arg("--release").args(packages(&RELEASED));
                "release"
            }
            Profile::Debug => {
                build.args(DEBUG_SELECTION);
                "debug"
            }
            Profile::Quick => {
                build.args(packages(&PICTURED));
                "debug"
            }
        };
        child::run(&mut build)?;
        Ok(Self { folder: repository::target_folder().join(folder) })
    }

    /// Returns the path of a program.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Returns a command for one measurement of the program `bench`.
    pub(crate) fn bench(&self, measurement: &str, seconds: u64, warm_up_seconds: u64) -> Command {
        let mut bench = Command::new(self.path("bench"));
        bench.arg(measurement).args(["--seconds", &seconds.to_string()]);
        bench.args(["--warm-up-seconds", &warm_up_seconds.to_string()]);
        bench
    }

    /// Returns a command for the service, without the settings in this process's environment.
    pub(crate) fn matchbookd(&self, command: &str) -> Command {
        let mut matchbookd = Command::new(self.path("matchbookd"));
        clear_settings(&mut matchbookd);
        matchbookd.arg(command);
        matchbookd
    }

    /// Creates the tables of a database.
    pub(crate) fn migrate(&self, url: &str) -> Result<()> {
        child::capture(self.matchbookd("migrate").args(["--database", url])).map(drop)
    }
}

fn packages(names: &[&'static str]) -> impl Iterator<Item = &'static str> {
    names.iter().flat_map(|name| ["--package", name])
}

/// The packages and targets of the debug build: those that `cargo nextest run --workspace` builds too.
pub(crate) const DEBUG_SELECTION: [&str; 4] = ["--workspace", "--bins", "--examples", "--tests"];

/// Removes this process's settings of the service and of OpenTelemetry from the environment of `command`.
pub(crate) fn clear_settings(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("MATCHBOOK_") || text.starts_with("OTEL_") {
            command.env_remove(&name);
        }
    }
}

/// Reads the service's startup banner up to its address `HOST:PORT`. Returns `None` if the banner ends
/// before.
pub(crate) fn read_address(banner: &mut impl BufRead) -> Result<Option<String>> {
    let mut line = String::new();
    while banner.read_line(&mut line)? > 0 {
        let mut words = line.split_whitespace();
        if let (Some("gRPC"), Some(address)) = (words.next(), words.next()) {
            return Ok(Some(address.to_owned()));
        }
        line.clear();
    }
    Ok(None)
}
