//! HAProxy in front of the replicas, with the shipped configuration.

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, Result, bail};

use super::replica::Replica;
use crate::programs::clear_settings;
use crate::{child, repository, tools};

/// The number of replicas that the configuration supports.
pub(super) const MAX_REPLICAS: usize = 5;
const UP_TIMEOUT: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A running HAProxy; killed when dropped.
pub(super) struct Balancer {
    process: Child,
    port: u16,
    socket: PathBuf,
    log: PathBuf,
}

impl Balancer {
    /// Starts HAProxy on `port` in front of replicas, which need not run yet.
    pub(super) fn start(folder: &Path, port: u16, replicas: &[Replica]) -> Result<Self> {
        let (socket, log) = (folder.join("haproxy.sock"), folder.join("haproxy.log"));
        let out = File::create(&log).context("cannot write HAProxy's log")?;
        let mut command = child::tied(&tools::HAPROXY.path()?, "KILL");
        clear_settings(&mut command);
        command
            .arg("-db")
            .arg("-f")
            .arg(repository::root().join("deploy/haproxy/haproxy.cfg"))
            .env("MATCHBOOK_BALANCER", format!("127.0.0.1:{port}"))
            .env("MATCHBOOK_BALANCER_SOCKET", &socket)
            .stdin(Stdio::null())
            .stdout(out.try_clone()?)
            .stderr(out);
        for (number, replica) in (1..).zip(replicas) {
            command.env(format!("MATCHBOOK_REPLICA_{number}"), replica.address());
        }
        let process = command.spawn().context("cannot start HAProxy")?;
        Ok(Self { process, port, socket, log })
    }

    /// Returns `http://127.0.0.1:PORT`.
    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Waits until HAProxy sends calls to the replica with this 0-based index.
    pub(super) fn wait_for(&mut self, replica: usize) -> Result<()> {
        let deadline = Instant::now() + UP_TIMEOUT;
        let name = format!("replicas,replica{},", replica + 1);
        loop {
            // The socket does not exist before HAProxy has started.
            let stat = self.request("show stat").unwrap_or_default();
            let mut lines = stat.lines().filter(|line| line.starts_with(&name));
            // Column 18 is the state: UP, DOWN, MAINT, or `UP 1/2` during a transition.
            if lines.any(|line| line.split(',').nth(17) == Some("UP")) {
                return Ok(());
            }
            if let Some(status) = self.process.try_wait()? {
                bail!("HAProxy ended with {status}; {}", self.log());
            }
            if Instant::now() > deadline || child::interrupted() {
                bail!("HAProxy did not see replica {} up in time; {}", replica + 1, self.log());
            }
            thread::sleep(POLL_INTERVAL);
        }
    }

    fn request(&self, command: &str) -> Result<String> {
        let mut stream = UnixStream::connect(&self.socket)?;
        stream.write_all(command.as_bytes())?;
        stream.write_all(b"\n")?;
        let mut response = String::new();
        stream.read_to_string(&mut response)?;
        Ok(response)
    }

    fn log(&self) -> String {
        format!("its log:\n{}", fs::read_to_string(&self.log).unwrap_or_default())
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        // Both fail if it has ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
