//! Everything that runs: Postgres, a line to it, the replicas, and HAProxy.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::process::Signal;
use tempfile::TempDir;

use super::balancer::Balancer;
use super::line::Line;
use super::replica::{Replica, Settings};
use crate::debian;
use crate::ports::free_ports;
use crate::postgres::{Binaries, Cluster, Crash};
use crate::programs::Programs;

/// After the grace of a stop, with something for a busy machine.
const END_LIMIT: Duration = Duration::from_secs(40);
const LIBRARY: &str = "libfaketimeMT.so.1";

/// Removed with all that happened when dropped; the replicas go first.
pub(super) struct Stage {
    replicas: Vec<Replica>,
    balancer: Balancer,
    settings: Settings,
    line: Line,
    cluster: Cluster,
    binaries: Binaries,
    programs: Programs,
    databases: usize,
    folder: TempDir,
}

impl Stage {
    /// Starts Postgres and HAProxy; the replicas start with each scenario.
    pub(super) fn set(programs: Programs, replicas: usize) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("matchbook-faults-").tempdir();
        let folder = folder.context("cannot make a temporary folder")?;
        let mut ports = free_ports(replicas + 1)?;
        let balanced = ports.pop().expect("there is one more than replicas");
        let replicas: Vec<_> = ports.iter().map(|port| Replica::new(folder.path(), *port)).collect();
        let balancer = Balancer::start(folder.path(), balanced, &replicas)?;
        let binaries = Binaries::find_or_install()?;
        let cluster = Cluster::start(&binaries)?;
        let line = Line::to(cluster.port())?;
        let settings = Settings::default();
        Ok(Self { replicas, balancer, settings, line, cluster, binaries, programs, databases: 0, folder })
    }

    /// Starts all replicas on a new database, and returns when HAProxy sends calls to each.
    pub(super) fn open(
        &mut self,
        settings: Settings,
        on_line: OnLine,
        wrong_clock: Option<usize>,
    ) -> Result<()> {
        self.databases += 1;
        let database = self.cluster.new_database(&self.binaries, &format!("faults_{}", self.databases))?;
        let through =
            |port: u16| database.replace(&format!(":{}/", self.cluster.port()), &format!(":{port}/"));
        let database = match on_line {
            OnLine::Yes => through(self.line.port()),
            OnLine::No => database,
        };
        self.settings = Settings { database, ..settings };
        for number in 0..self.replicas.len() {
            let library = if wrong_clock == Some(number) { Some(faketime()?) } else { None };
            let settings = Settings { wrong_clock: library, ..self.settings.clone() };
            self.replicas[number].start(&self.programs, &settings)?;
        }
        (0..self.replicas.len()).try_for_each(|number| self.balancer.wait_for(number))
    }

    /// Asks all replicas to stop: those that did not do so properly, in words.
    pub(super) fn close(&mut self) -> Result<Vec<String>> {
        let mut complaints = Vec::new();
        for number in 0..self.replicas.len() {
            complaints.extend(self.terminate(number)?);
        }
        Ok(complaints)
    }

    /// Asks a replica to stop and waits until it has; what is to be said of that.
    pub(super) fn terminate(&mut self, number: usize) -> Result<Option<String>> {
        let replica = &mut self.replicas[number];
        if let Some(status) = replica.ended()? {
            return Ok(Some(format!(
                "replica {} ended by itself: {status}; {}",
                number + 1,
                replica.logged()
            )));
        }
        replica.signal(Signal::TERM)?;
        let ended = replica.wait(END_LIMIT)?;
        let complaint = match ended {
            Some(status) if status.success() => None,
            Some(status) => {
                Some(format!("replica {}, asked to stop: {status}; {}", number + 1, replica.logged()))
            }
            None => Some(format!("replica {} did not stop in time; {}", number + 1, replica.logged())),
        };
        replica.kill();
        Ok(complaint)
    }

    /// Starts a replica that has ended, as it was.
    pub(super) fn start(&mut self, number: usize) -> Result<()> {
        self.replicas[number].start(&self.programs, &self.settings)
    }

    /// Waits until HAProxy sends calls to a replica.
    pub(super) fn wait_until_balanced(&mut self, number: usize) -> Result<()> {
        self.balancer.wait_for(number)
    }

    /// How many replicas there are.
    pub(super) fn count(&self) -> usize {
        self.replicas.len()
    }

    /// One of them, counted from 0.
    pub(super) fn replica(&mut self, number: usize) -> &mut Replica {
        &mut self.replicas[number]
    }

    /// How often this stands in the replicas' logs.
    pub(super) fn count_logged(&self, piece: &str) -> usize {
        self.replicas.iter().map(|replica| replica.count_logged(piece)).sum()
    }

    /// Kills Postgres.
    pub(super) fn crash_postgres(&mut self, how: Crash) -> Result<()> {
        self.cluster.crash(how)
    }

    /// Starts it again.
    pub(super) fn restart_postgres(&mut self) -> Result<()> {
        self.cluster.start_again(&self.binaries)
    }

    /// Has Postgres end the replicas' sessions that are at work; how many.
    pub(super) fn end_sessions(&self) -> Result<usize> {
        let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
                   WHERE application_name = 'matchbookd' AND state = 'active'";
        self.binaries.query(self.cluster.url(), end)?.parse().context("not a count")
    }

    /// Cuts the replicas' connections to Postgres; how many.
    pub(super) fn cut_line(&self) -> usize {
        self.line.cut()
    }

    pub(super) fn programs(&self) -> &Programs {
        &self.programs
    }

    /// For files of this run.
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

/// Whether replicas reach Postgres through the line that can be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OnLine {
    Yes,
    No,
}

/// The library that shows a program another time.
fn faketime() -> Result<PathBuf> {
    let find = || {
        let folders = ["/usr/lib", "/usr/lib64", "/usr/local/lib"].into_iter().flat_map(|folder| {
            let inner = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
            inner.chain([PathBuf::from(folder)]).collect::<Vec<_>>()
        });
        folders.map(|folder| folder.join("faketime").join(LIBRARY)).find(|library| library.is_file())
    };
    if find().is_none() && debian::can_install() {
        debian::install("faketime")?;
    }
    find().with_context(|| {
        format!("{LIBRARY} was not found: please install it (Debian: `sudo apt-get install faketime`)")
    })
}
