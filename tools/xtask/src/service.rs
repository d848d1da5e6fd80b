//! A running `matchbookd`: a process of its own on a free port, with default settings and its log in a file.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};

use crate::programs::{Programs, read_address};

/// A running service; killed when dropped.
pub(crate) struct RunningService {
    process: Child,
    address: String,
    log: PathBuf,
}

impl RunningService {
    /// Starts the service on `database` and returns once it serves. Its key and log are files in `folder`.
    pub(crate) fn start(programs: &Programs, folder: &Path, database: &str) -> Result<Self> {
        let log = folder.join("matchbookd.log");
        let mut process = programs
            .matchbookd("serve")
            .args(["--listen", "127.0.0.1:0", "--database", database, "--key-file"])
            .arg(folder.join("matchbook.key"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(&log).with_context(|| format!("cannot write {}", log.display()))?)
            .spawn()
            .context("cannot start matchbookd")?;
        let mut banner = BufReader::new(process.stdout.take().expect("standard output is piped"));
        let mut service = Self { process, address: String::new(), log };
        let Some(address) = read_address(&mut banner)? else {
            bail!("matchbookd ended during startup; {}", service.log())
        };
        // Drain the pipe, or the service blocks once it is full.
        thread::spawn(move || io::copy(&mut banner, &mut io::sink()));
        service.address = address;
        Ok(service)
    }

    /// Returns `HOST:PORT`.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Returns `http://HOST:PORT`.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the log, introduced for an error message.
    pub(crate) fn log(&self) -> String {
        format!("matchbookd's log:\n{}", fs::read_to_string(&self.log).unwrap_or_default())
    }

    /// Asks the service to stop, and waits for it.
    pub(crate) fn stop(mut self) -> Result<()> {
        kill_process(Pid::from_child(&self.process), Signal::TERM).context("cannot signal matchbookd")?;
        let status = self.process.wait().context("cannot wait for matchbookd")?;
        if !status.success() {
            bail!("matchbookd ended with {status}; {}", self.log());
        }
        Ok(())
    }
}

impl Drop for RunningService {
    fn drop(&mut self) {
        // Both fail after `stop`, when there is nothing left to kill.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
