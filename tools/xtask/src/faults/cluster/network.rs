//! A network of its own for each Postgres node, so that one can be cut off from all others.

use std::process::Command;

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, geteuid, getpid, kill_process};

use crate::child;

/// The first address of a node; the bridge has 1, for everything that is not a node.
const FIRST_NODE: u8 = 11;

/// A bridge to which each node is connected by a cable; removed when dropped, with all that runs there.
pub(super) struct Network {
    /// `mb` and this process's number: names of interfaces have at most 15 characters.
    name: String,
    /// The first three numbers of all addresses.
    prefix: String,
    nodes: usize,
}

impl Network {
    /// Creates a bridge and a namespace for each node.
    pub(super) fn create(nodes: usize) -> Result<Self> {
        if !geteuid().is_root() {
            bail!("this needs network namespaces, which only root may create; run it as root");
        }
        let process = getpid().as_raw_nonzero().get();
        let network =
            Self { name: format!("mb{process}"), prefix: format!("10.213.{}", process % 250), nodes };
        let Self { name, prefix, .. } = &network;
        ip(&["link", "add", name, "type", "bridge"])?;
        ip(&["address", "add", &format!("{prefix}.1/24"), "dev", name])?;
        ip(&["link", "set", name, "up"])?;
        (0..nodes).try_for_each(|node| network.connect(node))?;
        Ok(network)
    }

    /// Returns the address of what runs outside the nodes.
    pub(super) fn host(&self) -> String {
        format!("{}.1", self.prefix)
    }

    /// Returns the addresses of this network as `ADDRESS/BITS`.
    pub(super) fn addresses(&self) -> String {
        format!("{}.0/24", self.prefix)
    }

    /// Returns the address of a node.
    pub(super) fn address(&self, node: usize) -> String {
        format!("{}.{}", self.prefix, usize::from(FIRST_NODE) + node)
    }

    /// Returns the command that starts a program in a node's network.
    pub(super) fn command(&self, node: usize) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.namespace(node)]);
        command
    }

    /// Signals every process in a node's network and returns their number.
    pub(super) fn signal(&self, node: usize, signal: Signal) -> Result<usize> {
        let pids = ip(&["netns", "pids", &self.namespace(node)])?;
        let pids: Vec<Pid> = pids.lines().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)).collect();
        for pid in &pids {
            // A process that has ended meanwhile needs no signal.
            let _ = kill_process(*pid, signal);
        }
        Ok(pids.len())
    }

    /// Connects a node to the others, or cuts it off.
    pub(super) fn set_connected(&self, node: usize, connected: bool) -> Result<()> {
        let state = if connected { "up" } else { "down" };
        ip(&["link", "set", &self.cable(node), state]).map(drop)
    }

    fn connect(&self, node: usize) -> Result<()> {
        let (namespace, cable) = (self.namespace(node), self.cable(node));
        ip(&["netns", "add", &namespace])?;
        ip(&["link", "add", &cable, "type", "veth", "peer", "name", "eth0", "netns", &namespace])?;
        ip(&["link", "set", &cable, "master", &self.name, "up"])?;
        let address = format!("{}/24", self.address(node));
        let inside = ["-netns", &namespace];
        ip(&[&inside[..], &["address", "add", &address, "dev", "eth0"]].concat())?;
        ip(&[&inside[..], &["link", "set", "eth0", "up"]].concat())?;
        ip(&[&inside[..], &["link", "set", "lo", "up"]].concat()).map(drop)
    }

    fn namespace(&self, node: usize) -> String {
        format!("{}-node{}", self.name, node + 1)
    }

    fn cable(&self, node: usize) -> String {
        format!("{}n{}", self.name, node + 1)
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for node in 0..self.nodes {
            // Whatever was not created, or is gone, needs no removal.
            let _ = self.signal(node, Signal::KILL);
            let _ = ip(&["netns", "delete", &self.namespace(node)]);
        }
        let _ = ip(&["link", "delete", &self.name]);
    }
}

fn ip(arguments: &[&str]) -> Result<String> {
    child::capture(Command::new("ip").args(arguments)).context("cannot change the network")
}
