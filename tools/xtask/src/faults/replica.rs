//! One replica: a process of the service that is started, killed, suspended and restarted.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};

use crate::child;
use crate::programs::{Programs, clear_settings, read_address};

const START_TIMEOUT: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// The number of lines that error messages quote from the end of the log.
const QUOTED_LINES: usize = 15;

/// A port for a replica, and its process while it runs; killed when dropped.
pub(super) struct Replica {
    port: u16,
    log: PathBuf,
    key_file: PathBuf,
    process: Option<Child>,
}

/// How a replica is started.
#[derive(Clone, Default)]
pub(super) struct ReplicaSettings {
    pub(super) database: String,
    /// How long it may be silent before others take it for dead.
    pub(super) silence_ms: Option<u64>,
    /// The library that sets its clock forward.
    pub(super) wrong_clock: Option<PathBuf>,
}

impl Replica {
    /// Uses `port`; starts nothing yet.
    pub(super) fn new(folder: &Path, port: u16) -> Self {
        let log = folder.join(format!("replica-{port}.log"));
        Self { port, log, key_file: folder.join("matchbook.key"), process: None }
    }

    /// Returns `http://127.0.0.1:PORT`.
    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address())
    }

    /// Returns `127.0.0.1:PORT`, which stays the same after a restart.
    pub(super) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Starts the replica and returns once it serves.
    pub(super) fn start(&mut self, programs: &Programs, settings: &ReplicaSettings) -> Result<()> {
        let log = File::options().create(true).append(true).open(&self.log).context("cannot write a log")?;
        let mut command = child::tied(&programs.path("matchbookd"), "KILL");
        clear_settings(&mut command);
        command
            .args(["serve", "--listen", &self.address(), "--database", &settings.database, "--key-file"])
            .arg(&self.key_file)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log);
        if let Some(silence_ms) = settings.silence_ms {
            command.args(["--replica-silence", &format!("{silence_ms}ms")]);
        }
        if let Some(library) = &settings.wrong_clock {
            // Durations stay right, as with any wrong clock.
            command.env("LD_PRELOAD", library).env("FAKETIME", "+5s").env("DONT_FAKE_MONOTONIC", "1");
        }
        let mut process = command.spawn().context("cannot start matchbookd")?;
        let mut banner = BufReader::new(process.stdout.take().expect("it was piped"));
        self.process = Some(process);
        let (sender, address) = channel();
        thread::spawn(move || {
            // Fails if the receiver has timed out.
            let _ = sender.send(read_address(&mut banner));
            // Drain the pipe, or the service blocks once it is full.
            let _ = io::copy(&mut banner, &mut io::sink());
        });
        let deadline = Instant::now() + START_TIMEOUT;
        loop {
            match address.recv_timeout(POLL_INTERVAL) {
                Ok(Ok(Some(_))) => return Ok(()),
                Ok(_) | Err(RecvTimeoutError::Disconnected) => {
                    bail!("a replica ended during startup; {}", self.log_end())
                }
                Err(RecvTimeoutError::Timeout) if child::interrupted() => bail!("interrupted"),
                Err(RecvTimeoutError::Timeout) if Instant::now() > deadline => {
                    bail!("a replica did not start in time; {}", self.log_end())
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Sends SIGKILL and waits for the end.
    pub(super) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            // Both fail if it has ended.
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// Sends a signal; fails if the process has ended.
    pub(super) fn signal(&mut self, signal: Signal) -> Result<()> {
        let ended = self.ended()?;
        match &self.process {
            Some(process) if ended.is_none() => Ok(kill_process(Pid::from_child(process), signal)?),
            _ => bail!("a replica ended unexpectedly ({ended:?}); {}", self.log_end()),
        }
    }

    /// Returns the exit status, or `None` while the process runs.
    pub(super) fn ended(&mut self) -> Result<Option<ExitStatus>> {
        match &mut self.process {
            Some(process) => Ok(process.try_wait()?),
            None => Ok(None),
        }
    }

    /// Waits for the end. Returns `None` after the timeout.
    pub(super) fn wait(&mut self, timeout: Duration) -> Result<Option<ExitStatus>> {
        let deadline = Instant::now() + timeout;
        loop {
            let ended = self.ended()?;
            if ended.is_some() || Instant::now() > deadline {
                return Ok(ended);
            }
            if child::interrupted() {
                bail!("interrupted");
            }
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Counts occurrences of `text` in the log.
    pub(super) fn count_logged(&self, text: &str) -> usize {
        fs::read_to_string(&self.log).unwrap_or_default().matches(text).count()
    }

    /// Returns the last lines of the log, introduced for an error message.
    pub(super) fn log_end(&self) -> String {
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        let end = &lines[lines.len().saturating_sub(QUOTED_LINES)..];
        format!("the end of the log of {}:\n{}", self.address(), end.join("\n"))
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        self.kill();
    }
}
