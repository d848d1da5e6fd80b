//! The processes under test: Postgres, the replicas, and HAProxy.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::process::Signal;
use tempfile::TempDir;

use super::balancer::Balancer;
use super::database::{Database, PostgresAccess};
use super::replica::{Replica, ReplicaSettings};
use super::scenario::Suite;
use crate::ports::free_ports;
use crate::programs::Programs;
use crate::tools;

/// How long a replica may take to stop: its shutdown timeout, and a reserve for a busy machine.
const STOP_TIMEOUT: Duration = Duration::from_secs(40);
const FAKETIME_LIBRARY: &str = "libfaketimeMT.so.1";

/// A running deployment; stopped and removed when dropped, the replicas first.
pub(super) struct Deployment {
    replicas: Vec<Replica>,
    balancer: Balancer,
    settings: ReplicaSettings,
    database: Database,
    programs: Programs,
    folder: TempDir,
}

impl Deployment {
    /// Starts Postgres and HAProxy; each scenario starts the replicas.
    pub(super) fn start(programs: Programs, replicas: usize, suite: Suite) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("matchbook-faults-").tempdir();
        let folder = folder.context("cannot create a temporary folder")?;
        let mut ports = free_ports(replicas + 1)?;
        let balanced = ports.pop().expect("there is one port more than replicas");
        let replicas: Vec<_> = ports.iter().map(|port| Replica::new(folder.path(), *port)).collect();
        let balancer = Balancer::start(folder.path(), balanced, &replicas)?;
        let database = Database::start(suite)?;
        let settings = ReplicaSettings::default();
        Ok(Self { replicas, balancer, settings, database, programs, folder })
    }

    /// Starts all replicas on a new database and returns once HAProxy sends calls to each.
    pub(super) fn start_all(
        &mut self,
        settings: ReplicaSettings,
        access: PostgresAccess,
        wrong_clock: Option<usize>,
    ) -> Result<()> {
        self.settings = ReplicaSettings { database: self.database.create(access)?, ..settings };
        for index in 0..self.replicas.len() {
            let library = if wrong_clock == Some(index) { Some(faketime()?) } else { None };
            let settings = ReplicaSettings { wrong_clock: library, ..self.settings.clone() };
            self.replicas[index].start(&self.programs, &settings)?;
        }
        (0..self.replicas.len()).try_for_each(|index| self.balancer.wait_for(index))
    }

    /// Stops all replicas. Returns a description of each that did not stop properly.
    pub(super) fn terminate_all(&mut self) -> Result<Vec<String>> {
        let mut problems = Vec::new();
        for index in 0..self.replicas.len() {
            problems.extend(self.terminate(index)?);
        }
        Ok(problems)
    }

    /// Stops a replica and waits for it. Returns a description if it did not stop properly.
    pub(super) fn terminate(&mut self, index: usize) -> Result<Option<String>> {
        let replica = &mut self.replicas[index];
        if let Some(status) = replica.ended()? {
            let log = replica.log_end();
            return Ok(Some(format!("replica {} ended unexpectedly: {status}; {log}", index + 1)));
        }
        replica.signal(Signal::TERM)?;
        let ended = replica.wait(STOP_TIMEOUT)?;
        let log = replica.log_end();
        let problem = match ended {
            Some(status) if status.success() => None,
            Some(status) => Some(format!("replica {} stopped with {status}; {log}", index + 1)),
            None => Some(format!("replica {} did not stop in time; {log}", index + 1)),
        };
        replica.kill();
        Ok(problem)
    }

    /// Starts a replica that has ended, with its previous settings but a right clock.
    pub(super) fn start_replica(&mut self, index: usize) -> Result<()> {
        self.replicas[index].start(&self.programs, &self.settings)
    }

    /// Waits until HAProxy sends calls to a replica.
    pub(super) fn wait_until_balanced(&mut self, index: usize) -> Result<()> {
        self.balancer.wait_for(index)
    }

    /// Returns the number of replicas.
    pub(super) fn count(&self) -> usize {
        self.replicas.len()
    }

    /// Returns the replica with this 0-based index.
    pub(super) fn replica(&mut self, index: usize) -> &mut Replica {
        &mut self.replicas[index]
    }

    /// Counts occurrences of `text` in the replicas' logs.
    pub(super) fn count_logged(&self, text: &str) -> usize {
        self.replicas.iter().map(|replica| replica.count_logged(text)).sum()
    }

    /// Returns Postgres.
    pub(super) fn database(&mut self) -> &mut Database {
        &mut self.database
    }

    pub(super) fn programs(&self) -> &Programs {
        &self.programs
    }

    /// Returns the folder for files of this run.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn balancer_url(&self) -> String {
        self.balancer.url()
    }

    pub(super) fn replica_urls(&self) -> impl Iterator<Item = String> {
        self.replicas.iter().map(Replica::url)
    }
}

/// Returns libfaketime, which changes the time that a program sees.
fn faketime() -> Result<PathBuf> {
    let find = || {
        let folders = ["/usr/lib", "/usr/lib64", "/usr/local/lib"].into_iter().flat_map(|folder| {
            let inner = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
            inner.chain([PathBuf::from(folder)]).collect::<Vec<_>>()
        });
        folders.map(|folder| folder.join("faketime").join(FAKETIME_LIBRARY)).find(|library| library.is_file())
    };
    tools::find_or_install("faketime", find).with_context(|| format!("cannot find {FAKETIME_LIBRARY}"))
}
