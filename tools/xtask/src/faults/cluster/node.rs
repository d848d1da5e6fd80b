//! One Postgres node: Patroni, and the Postgres that it starts, in a network of their own.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use anyhow::{Context, Result};
use rustix::process::Signal;

use super::network::Network;
use crate::postgres::Binaries;

/// The superuser of the cluster.
pub(super) const SUPERUSER: &str = "matchbook";

/// Patroni's port for questions about a node.
pub(super) const API_PORT: u16 = 8008;

/// Postgres' port on every node.
pub(super) const POSTGRES_PORT: u16 = 5432;

/// One node, by its 0-based number.
pub(super) struct Node {
    number: usize,
    settings: PathBuf,
    log: PathBuf,
    process: Option<Child>,
}

impl Node {
    /// Writes a node's settings into a folder that the account `postgres` may write to; starts nothing yet.
    pub(super) fn new(
        number: usize,
        folder: &Path,
        network: &Network,
        etcd: &str,
        binaries: &Binaries,
    ) -> Result<Self> {
        let own = folder.join(format!("node{}", number + 1));
        fs::create_dir(&own).context("cannot create a node's folder")?;
        chown_to_postgres(&own)?;
        let settings = own.join("patroni.yml");
        let text = settings_text(number, &own, network, etcd, binaries);
        fs::write(&settings, text).context("cannot write Patroni's settings")?;
        Ok(Self { number, settings, log: own.join("patroni.log"), process: None })
    }

    /// Starts Patroni, which starts Postgres when it knows whom to follow.
    pub(super) fn start(&mut self, network: &Network, patroni: &Path) -> Result<()> {
        let log = File::options().create(true).append(true).open(&self.log).context("cannot write a log")?;
        let mut command = network.command(self.number);
        command
            .args(["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"])
            .args(["--pdeathsig", "KILL"])
            .args([patroni, &self.settings])
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log);
        self.process = Some(command.spawn().context("cannot start Patroni")?);
        Ok(())
    }

    /// Kills Patroni and every process of Postgres.
    pub(super) fn kill(&mut self, network: &Network) -> Result<()> {
        network.signal(self.number, Signal::KILL)?;
        if let Some(mut process) = self.process.take() {
            process.wait().context("cannot wait for Patroni")?;
        }
        Ok(())
    }

    /// Returns the last lines of Patroni's log.
    pub(super) fn log_end(&self) -> String {
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(8)..].join("\n")
    }
}

/// Returns the name that Patroni knows a node by.
pub(super) fn name(number: usize) -> String {
    format!("node{}", number + 1)
}

fn chown_to_postgres(folder: &Path) -> Result<()> {
    let mut command = std::process::Command::new("chown");
    crate::child::capture(command.arg("postgres:postgres").arg(folder)).map(drop)
}

/// Returns Patroni's settings. Commits wait for a standby, even if there is none (`synchronous_mode_strict`):
/// only then no failover loses an acknowledged commit. The times are the shortest that Patroni accepts.
fn settings_text(number: usize, folder: &Path, network: &Network, etcd: &str, binaries: &Binaries) -> String {
    let (name, address, addresses) = (name(number), network.address(number), network.addresses());
    let (folder, programs) = (folder.display(), binaries.folder().display());
    format!(
        "scope: matchbook
name: {name}
restapi: {{listen: '{address}:{API_PORT}', connect_address: '{address}:{API_PORT}'}}
etcd: {{hosts: '{etcd}'}}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 2
    retry_timeout: 3
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      parameters: {{max_connections: 200, wal_log_hints: 'on'}}
  initdb: [{{encoding: UTF8}}, no-locale, {{auth: trust}}]
  pg_hba:
  - local all all trust
  - host all all {addresses} trust
  - host replication all {addresses} trust
postgresql:
  listen: {address}:{POSTGRES_PORT}
  connect_address: {address}:{POSTGRES_PORT}
  data_dir: {folder}/data
  bin_dir: {programs}
  pgpass: {folder}/pgpass
  authentication:
    superuser: {{username: {SUPERUSER}}}
    rewind: {{username: {SUPERUSER}}}
    replication: {{username: replicator}}
  parameters: {{unix_socket_directories: {folder}}}
"
    )
}
