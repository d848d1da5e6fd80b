//! HAProxy in front of the replicas, with the configuration that is shipped.

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, Result, bail};

use super::replica::Replica;
use crate::programs::deafen;
use crate::{child, debian, repository};

/// As many as the configuration has lines for.
pub(super) const MAX_REPLICAS: usize = 5;
const UP_LIMIT: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(20);

/// A running HAProxy; killed when dropped.
pub(super) struct Balancer {
    process: Child,
    port: u16,
    socket: PathBuf,
    log: PathBuf,
}

impl Balancer {
    /// Starts it on this port in front of these, which need not run yet.
    pub(super) fn start(folder: &Path, port: u16, replicas: &[Replica]) -> Result<Self> {
        let (socket, log) = (folder.join("haproxy.sock"), folder.join("haproxy.log"));
        let out = File::create(&log).context("cannot write HAProxy's log")?;
        let mut command = child::tied(&find_or_install()?, "KILL");
        deafen(&mut command);
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

    /// `http://127.0.0.1:PORT`.
    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Waits until it sends calls to this replica, counted from 0.
    pub(super) fn wait_for(&mut self, replica: usize) -> Result<()> {
        let deadline = Instant::now() + UP_LIMIT;
        let name = format!("replicas,replica{},", replica + 1);
        loop {
            // While it starts, nobody answers at the socket.
            let stat = self.ask("show stat").unwrap_or_default();
            let mut lines = stat.lines().filter(|line| line.starts_with(&name));
            // The 18th column is the state: UP, DOWN, MAINT, and on the way from one to the other `UP 1/2`.
            if lines.any(|line| line.split(',').nth(17) == Some("UP")) {
                return Ok(());
            }
            if let Some(status) = self.process.try_wait()? {
                bail!("HAProxy ended with {status}; {}", self.logged());
            }
            if Instant::now() > deadline || child::interrupted() {
                bail!("HAProxy did not find replica {} up; {}", replica + 1, self.logged());
            }
            thread::sleep(POLL);
        }
    }

    fn ask(&self, command: &str) -> Result<String> {
        let mut stream = UnixStream::connect(&self.socket)?;
        stream.write_all(command.as_bytes())?;
        stream.write_all(b"\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }

    fn logged(&self) -> String {
        format!("its log says:\n{}", fs::read_to_string(&self.log).unwrap_or_default())
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        // It may have ended by itself; there is nothing to lose.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn find_or_install() -> Result<PathBuf> {
    let find = || {
        // Debian puts it where only root's PATH leads.
        let elsewhere = PathBuf::from("/usr/sbin/haproxy");
        repository::on_path("haproxy").or_else(|| elsewhere.is_file().then_some(elsewhere))
    };
    if find().is_none() && debian::can_install() {
        debian::install("haproxy")?;
    }
    find().context("HAProxy is not installed: please install it (Debian: `sudo apt-get install haproxy`)")
}
