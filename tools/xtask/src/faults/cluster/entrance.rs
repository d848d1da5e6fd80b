//! HAProxy in front of the Postgres nodes: connections go to the primary, as Patroni names it.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Stdio};

use anyhow::{Context, Result};

use super::network::Network;
use super::node::{API_PORT, POSTGRES_PORT, name};
use crate::{child, tools};

/// A running HAProxy; killed when dropped.
pub(super) struct Entrance {
    process: Child,
    port: u16,
}

impl Entrance {
    /// Starts HAProxy on a port of 127.0.0.1.
    pub(super) fn start(folder: &Path, port: u16, network: &Network, nodes: usize) -> Result<Self> {
        let (settings, log) = (folder.join("entrance.cfg"), folder.join("entrance.log"));
        fs::write(&settings, settings_text(port, network, nodes))
            .context("cannot write HAProxy's settings")?;
        let out = File::create(log).context("cannot write HAProxy's log")?;
        let mut command = child::tied(&tools::HAPROXY.path()?, "KILL");
        command.arg("-db").arg("-f").arg(settings);
        command.stdin(Stdio::null()).stdout(out.try_clone()?).stderr(out);
        let process = command.spawn().context("cannot start HAProxy")?;
        Ok(Self { process, port })
    }

    /// Returns the port on 127.0.0.1.
    pub(super) fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Entrance {
    fn drop(&mut self) {
        // Both fail if it has ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns settings that send connections to the one node whose Patroni answers 200 at `/primary`, and cut
/// those to a node that no longer does.
fn settings_text(port: u16, network: &Network, nodes: usize) -> String {
    let servers = (0..nodes).map(|node| {
        let (name, address) = (name(node), network.address(node));
        format!("  server {name} {address}:{POSTGRES_PORT} check port {API_PORT}\n")
    });
    let servers: String = servers.collect();
    format!(
        "defaults
  mode tcp
  timeout connect 1s
  timeout check 1s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:{port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
{servers}"
    )
}
