//! The program that plays, watches and judges, while the faults are brought.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::report::Figures;
use super::scenario::Asked;
use super::stage::Stage;
use crate::child;

const POLL: Duration = Duration::from_millis(50);
const START_LIMIT: Duration = Duration::from_secs(90);
/// For the last answers and the referee.
const JUDGE_LIMIT: Duration = Duration::from_secs(600);

/// A running load; killed when dropped.
pub(super) struct Load {
    process: Child,
    lines: Receiver<String>,
    log: std::path::PathBuf,
}

/// Which ways the players take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ways {
    /// Through HAProxy, and straight to every replica.
    All,
    /// Through HAProxy alone.
    Balanced,
}

impl Load {
    /// Begins, and returns when the bots sit down.
    pub(super) fn start(stage: &Stage, asked: &Asked, ways: Ways, move_ms: Option<u32>) -> Result<Self> {
        let log = stage.folder().join("load.log");
        let mut command = child::tied(&stage.programs().path("faults"), "KILL");
        command
            .args(["--balancer", &stage.balancer_url(), "--matches", &asked.matches.to_string()])
            .args(["--seconds", &asked.seconds.to_string(), "--seed", &asked.seed.to_string()])
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(&log).context("cannot write a log")?);
        if ways == Ways::All {
            command.args(stage.replica_urls().flat_map(|url| ["--replica".to_owned(), url]));
        }
        if let Some(move_ms) = move_ms {
            command.args(["--move-ms", &move_ms.to_string()]);
        }
        let mut process = command.spawn().context("cannot start the players")?;
        let out = BufReader::new(process.stdout.take().expect("it was piped"));
        let (tell, lines) = channel();
        // Whoever asks may have gone.
        thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
        let load = Self { process, lines, log };
        load.line(START_LIMIT)?;
        Ok(load)
    }

    /// Waits until every match is judged.
    pub(super) fn finish(mut self) -> Result<Figures> {
        let line = self.line(JUDGE_LIMIT)?;
        self.process.wait().context("cannot wait for the players")?;
        serde_json::from_str(&line).with_context(|| format!("not figures: {line}"))
    }

    fn line(&self, within: Duration) -> Result<String> {
        let deadline = Instant::now() + within;
        loop {
            match self.lines.recv_timeout(POLL) {
                Ok(line) => return Ok(line),
                Err(_) if child::interrupted() => bail!("interrupted"),
                Err(RecvTimeoutError::Timeout) if Instant::now() < deadline => {}
                Err(_) => {
                    let log = std::fs::read_to_string(&self.log).unwrap_or_default();
                    bail!("the players said nothing in time, or ended: {log}")
                }
            }
        }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        // It may have ended; there is nothing to lose.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
