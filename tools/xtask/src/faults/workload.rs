//! The program `faults`, which plays, watches and referees while faults are injected.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::deployment::Deployment;
use super::report::WorkloadFigures;
use super::scenario::RunSettings;
use crate::child;

const POLL_INTERVAL: Duration = Duration::from_millis(50);
const START_TIMEOUT: Duration = Duration::from_secs(90);
/// How long the last calls and the referee may take.
const FINISH_TIMEOUT: Duration = Duration::from_secs(600);

/// A running workload; killed when dropped.
pub(super) struct Workload {
    process: Child,
    lines: Receiver<String>,
    log: std::path::PathBuf,
}

/// The routes that players use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlayedRoutes {
    /// HAProxy, and every replica directly.
    All,
    /// HAProxy only.
    Balanced,
}

impl Workload {
    /// Starts the workload and returns once the bots play.
    pub(super) fn start(
        deployment: &Deployment,
        settings: &RunSettings,
        routes: PlayedRoutes,
        move_ms: Option<u32>,
    ) -> Result<Self> {
        let log = deployment.folder().join("load.log");
        let mut command = child::tied(&deployment.programs().path("faults"), "KILL");
        command
            .args(["--balancer", &deployment.balancer_url(), "--matches", &settings.matches.to_string()])
            .args(["--seconds", &settings.seconds.to_string(), "--seed", &settings.seed.to_string()])
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(&log).context("cannot write the log of `faults`")?);
        if routes == PlayedRoutes::All {
            command.args(deployment.replica_urls().flat_map(|url| ["--replica".to_owned(), url]));
        }
        if let Some(move_ms) = move_ms {
            command.args(["--move-ms", &move_ms.to_string()]);
        }
        let mut process = command.spawn().context("cannot start `faults`")?;
        let out = BufReader::new(process.stdout.take().expect("it was piped"));
        let (sender, lines) = channel();
        // Ends early if the receiver is dropped.
        thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let workload = Self { process, lines, log };
        workload.line(START_TIMEOUT)?;
        Ok(workload)
    }

    /// Waits until the referee has checked every match.
    pub(super) fn finish(mut self) -> Result<WorkloadFigures> {
        let line = self.line(FINISH_TIMEOUT)?;
        self.process.wait().context("cannot wait for `faults`")?;
        serde_json::from_str(&line).with_context(|| format!("`faults` printed no figures: {line}"))
    }

    fn line(&self, timeout: Duration) -> Result<String> {
        let deadline = Instant::now() + timeout;
        loop {
            match self.lines.recv_timeout(POLL_INTERVAL) {
                Ok(line) => return Ok(line),
                Err(_) if child::interrupted() => bail!("interrupted"),
                Err(RecvTimeoutError::Timeout) if Instant::now() < deadline => {}
                Err(_) => {
                    let log = std::fs::read_to_string(&self.log).unwrap_or_default();
                    bail!("`faults` ended or printed nothing in time; its log:\n{log}")
                }
            }
        }
    }
}

impl Drop for Workload {
    fn drop(&mut self) {
        // Both fail if it has ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
