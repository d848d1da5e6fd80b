//! Takes one figure after the other, shows how far it is, and keeps what came out.

use std::io::{IsTerminal, stderr};
use std::path::Path;
use std::process::{Command, Stdio};
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
const FIRST_MATCH_S: u64 = 1;

/// Everything measured so far.
pub(super) struct Meter<'a> {
    programs: &'a Programs,
    seconds: u64,
    bar: ProgressBar,
    rows: Vec<Row>,
}

impl<'a> Meter<'a> {
    /// For so many figures of so many seconds each.
    pub(super) fn new(programs: &'a Programs, seconds: u64, figures: usize) -> Self {
        let style = ProgressStyle::with_template(BAR).expect("the template has known fields only");
        let bar = ProgressBar::new(figures as u64).with_style(style);
        bar.enable_steady_tick(TICK);
        Self { programs, seconds, bar, rows: Vec::new() }
    }

    /// The disk under the databases.
    pub(super) fn flush(&mut self, folder: &Path) -> Result<()> {
        let mut bench = self.programs.bench("flush", self.seconds.min(2), 0);
        bench.arg("--folder").arg(folder);
        self.measure(Subject::Flush, 1, || ask(&mut bench))
    }

    /// Health checks on a service.
    pub(super) fn checks(&mut self, address: &str, calls: u32) -> Result<()> {
        let mut bench = self.calls("checks", address);
        bench.args(["--calls", &calls.to_string()]);
        self.measure(Subject::Checks, calls, || ask(&mut bench))
    }

    /// Moves in so many matches.
    pub(super) fn moves(&mut self, subject: Subject, address: &str, matches: u32) -> Result<()> {
        let mut bench = self.calls("moves", address);
        bench.args(["--matches", &matches.to_string()]);
        self.measure(subject, matches, || ask(&mut bench))
    }

    /// pgbench's transactions.
    pub(super) fn single_inserts(&mut self, pgbench: &mut Pgbench, clients: u32) -> Result<()> {
        let (seconds, warm_up) = (self.seconds, self.warm_up());
        self.measure(Subject::SingleInsert, clients, || {
            pgbench.run(clients, warm_up)?;
            pgbench.run(clients, seconds)
        })
    }

    /// Some moves whose speed nobody asks for.
    pub(super) fn first_match(&mut self, address: &str) -> Result<()> {
        self.announce("a first match");
        let mut bench = self.programs.bench("moves", FIRST_MATCH_S, 0);
        ask(bench.args(["--server", address, "--matches", "1"]))?;
        self.bar.inc(1);
        Ok(())
    }

    /// All figures, in the order in which they were taken.
    pub(super) fn finish(self) -> Vec<Row> {
        self.bar.finish_and_clear();
        self.rows
    }

    fn measure(
        &mut self,
        subject: Subject,
        at_once: u32,
        take: impl FnOnce() -> Result<Figure>,
    ) -> Result<()> {
        if child::interrupted() {
            bail!("interrupted");
        }
        self.announce(&format!("{}, {at_once} at once", subject.text()));
        let figure = take().with_context(|| format!("no figure for {}", subject.text()))?;
        self.rows.push(Row { subject, figure });
        self.bar.inc(1);
        Ok(())
    }

    fn announce(&self, what: &str) {
        self.bar.set_message(what.to_owned());
        // The bar shows itself on a terminal only.
        if !stderr().is_terminal() {
            eprintln!("{}/{} {what}", self.bar.position() + 1, self.bar.length().unwrap_or_default());
        }
    }

    fn calls(&self, measurement: &str, address: &str) -> Command {
        let mut bench = self.programs.bench(measurement, self.seconds, self.warm_up());
        bench.args(["--server", address]);
        bench
    }

    fn warm_up(&self) -> u64 {
        self.seconds.div_ceil(5)
    }
}

fn ask(bench: &mut Command) -> Result<Figure> {
    let line = child::capture(bench.stderr(Stdio::piped()))?;
    serde_json::from_str(&line).with_context(|| format!("not a figure: {line}"))
}
