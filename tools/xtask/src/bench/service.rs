//! The service as users start it: its own process, its default settings, its log in a file.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Stdio};
use std::thread;

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};

use super::stage::Stage;
use crate::programs::{Programs, read_address};

/// A service that runs; killed when dropped.
pub(super) struct Service {
    process: Child,
    address: String,
    log: PathBuf,
}

impl Service {
    /// Starts one on a free port and returns when it serves.
    pub(super) fn start(programs: &Programs, stage: &Stage, database: &str) -> Result<Self> {
        let log = stage.folder().join("matchbookd.log");
        let mut command = programs.matchbookd("serve");
        command
            .args(["--listen", "127.0.0.1:0", "--database", database, "--key-file"])
            .arg(stage.folder().join("matchbook.key"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(&log).context("cannot write the service's log")?);
        let mut process = command.spawn().context("cannot start matchbookd")?;
        let greeting = process.stdout.take().expect("it was piped");
        let mut service = Self { process, address: String::new(), log };
        service.address = format!("http://{}", service.read_address(greeting)?);
        Ok(service)
    }

    /// `http://127.0.0.1:PORT`.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Asks it to stop, and waits until it has.
    pub(super) fn stop(mut self) -> Result<()> {
        kill_process(Pid::from_child(&self.process), Signal::TERM).context("cannot stop matchbookd")?;
        let status = self.process.wait().context("cannot wait for matchbookd")?;
        if !status.success() {
            bail!("matchbookd ended with {status}; its log says:\n{}", self.logged());
        }
        Ok(())
    }

    fn read_address(&self, greeting: ChildStdout) -> Result<String> {
        let mut greeting = BufReader::new(greeting);
        let Some(address) = read_address(&mut greeting)? else {
            bail!("matchbookd ended before it was up; its log says:\n{}", self.logged())
        };
        // Read on, so that the service never waits for a reader.
        thread::spawn(move || io::copy(&mut greeting, &mut io::sink()));
        Ok(address)
    }

    fn logged(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // After `stop` there is nothing left to end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
