//! The Postgres under test: one server, or a cluster that fails over.

use anyhow::{Context, Result, bail};

use super::cluster::Cluster;
use super::proxy::Proxy;
use super::scenario::Suite;
use crate::postgres::{Binaries, Crash, ThrowawayServer};

/// A running Postgres and the programs to talk to it; stopped and removed when dropped.
pub(super) struct Database {
    server: Server,
    binaries: Binaries,
    created: usize,
}

enum Server {
    One { server: ThrowawayServer, proxy: Proxy },
    Cluster(Box<Cluster>),
}

/// How replicas connect to Postgres.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PostgresAccess {
    Direct,
    /// Through the proxy, whose connections can be cut.
    Proxied,
}

impl Database {
    /// Starts what a suite needs.
    pub(super) fn start(suite: Suite) -> Result<Self> {
        let binaries = Binaries::find_or_install()?;
        let server = match suite {
            Suite::Replicas => {
                let server = ThrowawayServer::start(&binaries)?;
                let proxy = Proxy::to(server.port())?;
                Server::One { server, proxy }
            }
            Suite::Failover => Server::Cluster(Box::new(Cluster::start(&binaries)?)),
        };
        Ok(Self { server, binaries, created: 0 })
    }

    /// Creates a database without tables and returns its URL.
    pub(super) fn create(&mut self, access: PostgresAccess) -> Result<String> {
        self.created += 1;
        let name = format!("faults_{}", self.created);
        let url = self.url();
        self.binaries.query(&url, &format!("CREATE DATABASE {name}"))?;
        let (address, _) = url.rsplit_once('/').expect("the URL ends in a database name");
        let url = format!("{address}/{name}");
        Ok(match (&self.server, access) {
            (Server::One { server, proxy }, PostgresAccess::Proxied) => {
                let [direct, proxied] = [server.port(), proxy.port()].map(|port| format!(":{port}/"));
                url.replace(&direct, &proxied)
            }
            _ => url,
        })
    }

    /// Crashes the one server.
    pub(super) fn crash(&mut self, how: Crash) -> Result<()> {
        match &mut self.server {
            Server::One { server, .. } => server.crash(how),
            Server::Cluster(_) => bail!("a cluster does not crash as a whole"),
        }
    }

    /// Restarts the one server after a crash.
    pub(super) fn restart(&mut self) -> Result<()> {
        match &mut self.server {
            Server::One { server, .. } => server.restart(&self.binaries),
            Server::Cluster(_) => bail!("a cluster restarts by itself"),
        }
    }

    /// Makes Postgres terminate the replicas' active sessions and returns their number.
    pub(super) fn terminate_sessions(&self) -> Result<usize> {
        let sql = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
                   WHERE application_name = 'matchbookd' AND state = 'active'";
        self.binaries.query(&self.url(), sql)?.parse().context("Postgres returned no count")
    }

    /// Cuts the replicas' connections through the proxy and returns their number.
    pub(super) fn cut_connections(&self) -> usize {
        match &self.server {
            Server::One { proxy, .. } => proxy.cut(),
            Server::Cluster(_) => 0,
        }
    }

    /// Returns the cluster of a suite that has one.
    pub(super) fn cluster(&mut self) -> Result<&mut Cluster> {
        match &mut self.server {
            Server::One { .. } => bail!("one server cannot fail over"),
            Server::Cluster(cluster) => Ok(cluster),
        }
    }

    fn url(&self) -> String {
        match &self.server {
            Server::One { server, .. } => server.url().to_owned(),
            Server::Cluster(cluster) => cluster.url(),
        }
    }
}
