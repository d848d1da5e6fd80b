//! The processes under test: Postgres, a proxy to it, the replicas, and HAProxy.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::process::Signal;
use tempfile::TempDir;

use super::balancer::Balancer;
use super::proxy::Proxy;
use super::replica::{Replica, ReplicaSettings};
use crate::ports::free_ports;
use crate::postgres::{Binaries, Crash, ThrowawayServer};
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
    proxy: Proxy,
    server: ThrowawayServer,
    binaries: Binaries,
    programs: Programs,
    databases: usize,
    folder: TempDir,
}

impl Deployment {
    /// Starts Postgres and HAProxy; each scenario starts the replicas.
    pub(super) fn start(programs: Programs, replicas: usize) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("matchbook-faults-").tempdir();
        let folder = folder.context("cannot create a temporary folder")?;
        let mut ports = free_ports(replicas + 1)?;
        let balanced = ports.pop().expect("there is one port more than replicas");
        let replicas: Vec<_> = ports.iter().map(|port| Replica::new(folder.path(), *port)).collect();
        let balancer = Balancer::start(folder.path(), balanced, &replicas)?;
        let binaries = Binaries::find_or_install()?;
        let server = ThrowawayServer::start(&binaries)?;
        let proxy = Proxy::to(server.port())?;
        let settings = ReplicaSettings::default();
        Ok(Self { replicas, balancer, settings, proxy, server, binaries, programs, databases: 0, folder })
    }

    /// Starts all replicas on a new database and returns once HAProxy sends calls to each.
    pub(super) fn start_all(
        &mut self,
        settings: ReplicaSettings,
        access: PostgresAccess,
        wrong_clock: Option<usize>,
    ) -> Result<()> {
        self.databases += 1;
        let database = self.server.new_database(&self.binaries, &format!("faults_{}", self.databases))?;
        let [direct, proxied] = [self.server.port(), self.proxy.port()].map(|port| format!(":{port}/"));
        let database = match access {
            PostgresAccess::Proxied => database.replace(&direct, &proxied),
            PostgresAccess::Direct => database,
        };
        self.settings = ReplicaSettings { database, ..settings };
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

    /// Crashes Postgres.
    pub(super) fn crash_postgres(&mut self, how: Crash) -> Result<()> {
        self.server.crash(how)
    }

    /// Restarts Postgres after a crash.
    pub(super) fn restart_postgres(&mut self) -> Result<()> {
        self.server.restart(&self.binaries)
    }

    /// Makes Postgres terminate the replicas' active sessions and returns their number.
    pub(super) fn terminate_sessions(&self) -> Result<usize> {
        let sql = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
                   WHERE application_name = 'matchbookd' AND state = 'active'";
        self.binaries.query(self.server.url(), sql)?.parse().context("Postgres returned no count")
    }

    /// Cuts the replicas' connections to Postgres and returns their number.
    pub(super) fn cut_connections(&self) -> usize {
        self.proxy.cut()
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

/// How replicas connect to Postgres.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PostgresAccess {
    Direct,
    /// Through the proxy, whose connections can be cut.
    Proxied,
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
