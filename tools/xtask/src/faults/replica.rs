//! One replica: the real program, which is started, killed, stopped in the middle and started again.

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
use crate::programs::{Programs, deafen, read_address};

const START_LIMIT: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(10);
/// Of a log that is shown.
const LAST_LINES: usize = 15;

/// A place for a process, and the process if there is one; killed when dropped.
pub(super) struct Replica {
    port: u16,
    log: PathBuf,
    key_file: PathBuf,
    process: Option<Child>,
}

/// How a replica is started.
#[derive(Clone, Default)]
pub(super) struct Settings {
    pub(super) database: String,
    /// After so long others take it for dead.
    pub(super) silence_ms: Option<u64>,
    /// The library that puts its clock forward.
    pub(super) wrong_clock: Option<PathBuf>,
}

impl Replica {
    /// A place on this port; nothing runs there yet.
    pub(super) fn new(folder: &Path, port: u16) -> Self {
        let log = folder.join(format!("replica-{port}.log"));
        Self { port, log, key_file: folder.join("matchbook.key"), process: None }
    }

    /// `http://127.0.0.1:PORT`.
    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address())
    }

    /// `127.0.0.1:PORT`, the same after every start.
    pub(super) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Starts it and returns when it serves.
    pub(super) fn start(&mut self, programs: &Programs, settings: &Settings) -> Result<()> {
        let log = File::options().create(true).append(true).open(&self.log).context("cannot write a log")?;
        let mut command = child::tied(&programs.path("matchbookd"), "KILL");
        deafen(&mut command);
        command
            .args(["serve", "--listen", &self.address(), "--database", &settings.database, "--key-file"])
            .arg(&self.key_file)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log);
        if let Some(silence_ms) = settings.silence_ms {
            command.args(["--replica-silence-ms", &silence_ms.to_string()]);
        }
        if let Some(library) = &settings.wrong_clock {
            // Only what people call time is wrong; a wrong clock does not make durations wrong.
            command.env("LD_PRELOAD", library).env("FAKETIME", "+5s").env("DONT_FAKE_MONOTONIC", "1");
        }
        let mut process = command.spawn().context("cannot start matchbookd")?;
        let mut greeting = BufReader::new(process.stdout.take().expect("it was piped"));
        self.process = Some(process);
        let (tell, told) = channel();
        thread::spawn(move || {
            // Whoever asked may have lost patience.
            let _ = tell.send(read_address(&mut greeting));
            // Read on, so that the service never waits for a reader.
            let _ = io::copy(&mut greeting, &mut io::sink());
        });
        let deadline = Instant::now() + START_LIMIT;
        loop {
            match told.recv_timeout(POLL) {
                Ok(Ok(Some(_))) => return Ok(()),
                Ok(_) | Err(RecvTimeoutError::Disconnected) => {
                    bail!("a replica did not start; {}", self.logged())
                }
                Err(RecvTimeoutError::Timeout) if child::interrupted() => bail!("interrupted"),
                Err(RecvTimeoutError::Timeout) if Instant::now() > deadline => {
                    bail!("a replica was not up in time; {}", self.logged())
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// kill -9.
    pub(super) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            // It may have ended by itself; there is nothing to lose.
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// Sends a signal to a running process.
    pub(super) fn signal(&mut self, signal: Signal) -> Result<()> {
        let ended = self.ended()?;
        match &self.process {
            Some(process) if ended.is_none() => Ok(kill_process(Pid::from_child(process), signal)?),
            _ => bail!("a replica has ended by itself ({ended:?}); {}", self.logged()),
        }
    }

    /// How it ended, if it has.
    pub(super) fn ended(&mut self) -> Result<Option<ExitStatus>> {
        match &mut self.process {
            Some(process) => Ok(process.try_wait()?),
            None => Ok(None),
        }
    }

    /// Waits for its end; none if it goes on.
    pub(super) fn wait(&mut self, within: Duration) -> Result<Option<ExitStatus>> {
        let deadline = Instant::now() + within;
        loop {
            let ended = self.ended()?;
            if ended.is_some() || Instant::now() > deadline {
                return Ok(ended);
            }
            if child::interrupted() {
                bail!("interrupted");
            }
            thread::sleep(POLL);
        }
    }

    /// How often this stands in its log.
    pub(super) fn count_logged(&self, piece: &str) -> usize {
        fs::read_to_string(&self.log).unwrap_or_default().matches(piece).count()
    }

    /// The end of its log, in words.
    pub(super) fn logged(&self) -> String {
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
        format!("the log of {} ends so:\n{}", self.address(), last.join("\n"))
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        self.kill();
    }
}
