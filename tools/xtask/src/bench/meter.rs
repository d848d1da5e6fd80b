//! Takes measurements one after another, shows progress, and collects the figures.

use std::io::{IsTerminal, stderr};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};

use super::figure::Figure;
use super::pgbench::Pgbench;
use super::report::{Row, Subject};
use crate::child;
use crate::programs::Programs;

const TICK: Duration = Duration::from_millis(100);
const BAR: &str = "{spinner} {pos}/{len} [{bar:30}] {elapsed}  {msg}";
/// Long enough for some moves on any machine.
const FIRST_MATCH_SECONDS: u64 = 1;

/// The figures measured so far.
pub(super) struct Meter<'a> {
    programs: &'a Programs,
    seconds: u64,
    bar: ProgressBar,
    rows: Vec<Row>,
}

impl<'a> Meter<'a> {
    /// Expects `figures` measurements of `seconds` each.
    pub(super) fn new(programs: &'a Programs, seconds: u64, figures: usize) -> Self {
        let style = ProgressStyle::with_template(BAR).expect("the template has known fields only");
        let bar = ProgressBar::new(figures as u64).with_style(style);
        bar.enable_steady_tick(TICK);
        Self { programs, seconds, bar, rows: Vec::new() }
    }

    /// Measures flushes of the disk under the databases.
    pub(super) fn flush(&mut self, folder: &Path) -> Result<()> {
        let mut bench = self.programs.bench("flush", self.seconds.min(2), 0);
        bench.arg("--folder").arg(folder);
        self.measure(Subject::Flush, 1, || run(&mut bench))
    }

    /// Measures health checks.
    pub(super) fn checks(&mut self, url: &str, calls: u32) -> Result<()> {
        let mut bench = self.calls("checks", url);
        bench.args(["--calls", &calls.to_string()]);
        self.measure(Subject::Checks, calls, || run(&mut bench))
    }

    /// Measures moves in concurrent matches.
    pub(super) fn moves(&mut self, subject: Subject, url: &str, matches: u32) -> Result<()> {
        let mut bench = self.calls("moves", url);
        bench.args(["--matches", &matches.to_string()]);
        if subject == Subject::StreamedMovesOnPostgres {
            bench.args(["--over", "stream"]);
        }
        self.measure(subject, matches, || run(&mut bench))
    }

    /// Measures pgbench's transactions.
    pub(super) fn single_inserts(&mut self, pgbench: &mut Pgbench, clients: u32) -> Result<()> {
        let (seconds, warm_up) = (self.seconds, self.warm_up());
        self.measure(Subject::SingleInsert, clients, || {
            pgbench.run(clients, warm_up)?;
            pgbench.run(clients, seconds)
        })
    }

    /// Plays moves without measuring them.
    pub(super) fn first_match(&mut self, url: &str) -> Result<()> {
        self.announce("a first match");
        let mut bench = self.programs.bench("moves", FIRST_MATCH_SECONDS, 0);
        run(bench.args(["--server", url, "--matches", "1"]))?;
        self.bar.inc(1);
        Ok(())
    }

    /// Returns all figures in the order they were measured.
    pub(super) fn finish(self) -> Vec<Row> {
        self.bar.finish_and_clear();
        self.rows
    }

    fn measure(
        &mut self,
        subject: Subject,
        concurrency: u32,
        measurement: impl FnOnce() -> Result<Figure>,
    ) -> Result<()> {
        if child::interrupted() {
            bail!("interrupted");
        }
        self.announce(&format!("{}, {concurrency} at once", subject.label()));
        let figure = measurement().with_context(|| format!("cannot measure {}", subject.label()))?;
        self.rows.push(Row { subject, figure });
        self.bar.inc(1);
        Ok(())
    }

    fn announce(&self, message: &str) {
        self.bar.set_message(message.to_owned());
        // The bar is visible on a terminal only.
        if !stderr().is_terminal() {
            eprintln!("{}/{} {message}", self.bar.position() + 1, self.bar.length().unwrap_or_default());
        }
    }

    fn calls(&self, measurement: &str, url: &str) -> Command {
        let mut bench = self.programs.bench(measurement, self.seconds, self.warm_up());
        bench.args(["--server", url]);
        bench
    }

    fn warm_up(&self) -> u64 {
        self.seconds.div_ceil(5)
    }
}

fn run(bench: &mut Command) -> Result<Figure> {
    let line = child::capture(bench)?;
    serde_json::from_str(&line).with_context(|| format!("bench printed no figure: {line}"))
}
