//! etcd, in which Patroni keeps who the primary is.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Stdio};

use anyhow::{Context, Result};

use crate::{child, ports, tools};

/// A running etcd of one member; killed when dropped. More members would show what etcd does when one fails,
/// which is not what is tested.
pub(super) struct Etcd {
    process: Child,
    url: String,
}

impl Etcd {
    /// Starts etcd at an address.
    pub(super) fn start(folder: &Path, address: &str) -> Result<Self> {
        let [client, peer] = ports::free_ports(2)?[..] else { unreachable!("two ports were asked for") };
        let log = File::create(folder.join("etcd.log")).context("cannot write etcd's log")?;
        let url = format!("{address}:{client}");
        let (clients, peers) = (format!("http://{url}"), format!("http://127.0.0.1:{peer}"));
        let mut command = child::tied(&tools::ETCD.path()?, "KILL");
        command
            // The older of etcd's two interfaces is the one that Debian's Patroni depends on.
            .args(["--enable-v2", "--name", "etcd1", "--data-dir"])
            .arg(folder.join("etcd"))
            .args(["--listen-client-urls", &clients, "--advertise-client-urls", &clients])
            .args(["--listen-peer-urls", &peers, "--initial-advertise-peer-urls", &peers])
            .args(["--initial-cluster", &format!("etcd1={peers}")])
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log);
        let process = command.spawn().context("cannot start etcd")?;
        Ok(Self { process, url })
    }

    /// Returns `ADDRESS:PORT`.
    pub(super) fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Etcd {
    fn drop(&mut self) {
        // Both fail if it has ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
