//! Three Postgres nodes under Patroni with etcd, and HAProxy in front of them: a database whose primary can
//! be killed, frozen, cut off, or replaced on purpose.

mod entrance;
mod etcd;
mod network;
mod node;
mod status;

use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::Signal;
use serde::Serialize;
use tempfile::TempDir;

use self::entrance::Entrance;
use self::etcd::Etcd;
use self::network::Network;
use self::node::{Node, SUPERUSER};
use self::status::ClusterStatus;
use crate::postgres::Binaries;
use crate::{child, output, ports, tools};

const NODES: usize = 3;
/// How long a cluster may take to start, to fail over, or to be whole again.
const TIMEOUT: Duration = Duration::from_secs(180);
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// What happens to the primary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum PrimaryFault {
    /// All its processes are killed (SIGKILL).
    Killed,
    /// All its processes are suspended (SIGSTOP), and resumed when another node is the primary.
    Frozen,
    /// Its network is cut, from the replicas, etcd and the other nodes, until another node is the primary.
    CutOff,
    /// Patroni is asked to make another node the primary.
    SwitchedOver,
}

impl PrimaryFault {
    /// Every fault.
    pub(super) const ALL: [Self; 4] = [Self::Killed, Self::Frozen, Self::CutOff, Self::SwitchedOver];
}

/// A running cluster; stopped and removed when dropped.
pub(super) struct Cluster {
    // Declared first, so that connections end before the nodes do.
    entrance: Entrance,
    nodes: Vec<Node>,
    network: Network,
    _etcd: Etcd,
    patroni: PathBuf,
    _folder: TempDir,
}

impl Cluster {
    /// Starts all nodes and returns once both standbys follow the primary.
    pub(super) fn start(binaries: &Binaries) -> Result<Self> {
        let patroni = tools::PATRONI.path()?;
        let folder = tempfile::Builder::new().prefix("matchbook-cluster-").tempdir_in("/tmp");
        let folder = folder.context("cannot create a folder in /tmp")?;
        open_to_others(&folder)?;
        let network = Network::create(NODES)?;
        let etcd = Etcd::start(folder.path(), &network.host())?;
        let nodes = (0..NODES).map(|number| Node::new(number, folder.path(), &network, etcd.url(), binaries));
        let nodes = nodes.collect::<Result<Vec<Node>>>()?;
        let entrance = Entrance::start(folder.path(), ports::free_port()?, &network, NODES)?;
        let mut cluster = Self { entrance, nodes, network, _etcd: etcd, patroni, _folder: folder };
        for number in 0..NODES {
            cluster.nodes[number].start(&cluster.network, &cluster.patroni)?;
        }
        cluster.wait_until_whole()?;
        Ok(cluster)
    }

    /// Returns the URL of the superuser, by way of HAProxy.
    pub(super) fn url(&self) -> String {
        format!("postgres://{SUPERUSER}@127.0.0.1:{}/postgres", self.entrance.port())
    }

    /// Strikes the primary, waits for another one, mends what was struck, and waits until both standbys
    /// follow. Returns the time until there was another primary.
    pub(super) fn strike(&mut self, fault: PrimaryFault) -> Result<Duration> {
        let former = self.status()?.primary.context("the cluster has no primary")?;
        let start = Instant::now();
        match fault {
            PrimaryFault::Killed => self.nodes[former].kill(&self.network)?,
            PrimaryFault::Frozen => drop(self.network.signal(former, Signal::STOP)?),
            PrimaryFault::CutOff => self.network.set_connected(former, false)?,
            PrimaryFault::SwitchedOver => {
                status::switch_over(&self.network.address(former), &node::name(former))?;
            }
        }
        let others: Vec<usize> = (0..NODES).filter(|node| *node != former).collect();
        self.wait_for("another primary", |cluster| {
            let primary = cluster.status_of(&others)?.primary;
            Ok(primary.is_some_and(|primary| primary != former))
        })?;
        let elapsed = start.elapsed();
        match fault {
            PrimaryFault::Killed => self.nodes[former].start(&self.network, &self.patroni)?,
            PrimaryFault::Frozen => drop(self.network.signal(former, Signal::CONT)?),
            PrimaryFault::CutOff => self.network.set_connected(former, true)?,
            PrimaryFault::SwitchedOver => {}
        }
        self.wait_until_whole()?;
        let ms = elapsed.as_millis();
        output::print_progress(format_args!(
            "{} {fault:?}: another primary after {ms} ms",
            node::name(former)
        ));
        Ok(elapsed)
    }

    fn wait_until_whole(&mut self) -> Result<()> {
        self.wait_for("a primary and two standbys", |cluster| {
            let status = cluster.status()?;
            Ok(status.primary.is_some() && status.standbys == NODES - 1 && status.is_synchronous)
        })
    }

    fn wait_for(&mut self, what: &str, condition: impl Fn(&Self) -> Result<bool>) -> Result<()> {
        let deadline = Instant::now() + TIMEOUT;
        // A node that does not answer is asked again.
        while !condition(self).unwrap_or_default() {
            if child::interrupted() {
                bail!("interrupted");
            }
            if Instant::now() > deadline {
                let logs: Vec<String> = self.nodes.iter().map(Node::log_end).collect();
                bail!("the cluster has not {what} in time; Patroni's logs:\n{}", logs.join("\n--\n"));
            }
            thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    }

    fn status(&self) -> Result<ClusterStatus> {
        self.status_of(&(0..NODES).collect::<Vec<usize>>())
    }

    /// Returns the status as the first of some nodes tells it that answers.
    fn status_of(&self, nodes: &[usize]) -> Result<ClusterStatus> {
        let told = nodes.iter().map(|node| ClusterStatus::ask(&self.network.address(*node)));
        told.fold(None, |first, told| first.or(told.ok())).context("no node answers")
    }
}

/// Lets the account of the nodes reach its folders.
fn open_to_others(folder: &TempDir) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let permissions = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.path(), permissions).context("cannot open a folder")
}
