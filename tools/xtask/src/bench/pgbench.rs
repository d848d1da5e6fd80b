//! pgbench with the row that a move stores, one INSERT per transaction: the throughput of the database alone.

use std::path::PathBuf;
use std::process::Command;
use std::thread;

use anyhow::{Context, Result};

use super::figure::Figure;
use super::testbed::Testbed;
use crate::{child, repository};

const SCRIPT: &str = "tools/xtask/src/bench/single_insert.sql";
/// Microseconds since the Unix epoch. Every time has the same size.
const TIME: &str = "1700000000000000";
const HASH_BYTES: usize = 32;

/// The sizes of an event's columns, which differ between versions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct EventSizes {
    kind: u16,
    public_bytes: usize,
    sealed_bytes: usize,
}

/// pgbench and the database that it fills.
pub(super) struct Pgbench {
    program: PathBuf,
    url: String,
    sizes: EventSizes,
    runs: u32,
}

impl EventSizes {
    /// Returns the sizes of the first move in the database; seqs 1 to 4 are the creation, two claims and the
    /// start.
    pub(super) fn of_first_move(testbed: &Testbed, url: &str) -> Result<Self> {
        let sql = "SELECT kind, octet_length(public), octet_length(sealed) FROM event WHERE seq = 5 LIMIT 1";
        let row = testbed.query(url, sql)?;
        Self::parse(&row).with_context(|| format!("the database has no sealed move: `{row}`"))
    }

    fn parse(row: &str) -> Option<Self> {
        let mut fields = row.split('|');
        let mut next = || fields.next()?.parse::<usize>().ok();
        Some(Self { kind: next()?.try_into().ok()?, public_bytes: next()?, sealed_bytes: next()? })
    }
}

impl Pgbench {
    /// Uses a migrated database, and events of these sizes.
    pub(super) fn new(testbed: &Testbed, url: String, sizes: EventSizes) -> Self {
        Self { program: testbed.binaries().program("pgbench"), url, sizes, runs: 0 }
    }

    /// Runs `clients` clients for `seconds`.
    pub(super) fn run(&mut self, clients: u32, seconds: u64) -> Result<Figure> {
        self.runs += 1;
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads = cores.min(clients as usize);
        let mut pgbench = Command::new(&self.program);
        pgbench
            .args(["--no-vacuum", "--protocol", "prepared", "--file"])
            .arg(repository::root().join(SCRIPT));
        pgbench.args(["--client", &clients.to_string(), "--jobs", &threads.to_string()]);
        pgbench.args(["--time", &seconds.to_string()]);
        for (name, value) in self.variables() {
            pgbench.args(["--define", &format!("{name}={value}")]);
        }
        let output = child::capture(pgbench.arg(&self.url))?;
        parse(clients, &output).with_context(|| format!("pgbench printed no figures:\n{output}"))
    }

    fn variables(&self) -> [(&'static str, String); 7] {
        let EventSizes { kind, public_bytes, sealed_bytes } = self.sizes;
        [
            // The prefix of the match ids, different in each run.
            ("run", format!("be{:06x}", self.runs)),
            ("seq", "0".to_owned()),
            ("time", TIME.to_owned()),
            ("kind", kind.to_string()),
            ("hash", bytea(HASH_BYTES)),
            ("public", bytea(public_bytes)),
            ("sealed", bytea(sealed_bytes)),
        ]
    }
}

/// Returns that many bytes as a literal of Postgres.
fn bytea(bytes: usize) -> String {
    format!("\\x{}", "5a".repeat(bytes))
}

fn parse(clients: u32, output: &str) -> Option<Figure> {
    let number = |name: &str| {
        let line = output.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<f64>().ok()
    };
    let per_second = number("tps = ")?;
    Some(Figure {
        concurrency: clients,
        per_second,
        events_per_second: per_second,
        mean_ms: number("latency average = ")?,
        p50_ms: None,
        p99_ms: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_parsed_from_the_output_of_pgbench() {
        let output = "pgbench (15.14)\ntransaction type: x.sql\n\
                      number of transactions actually processed: 78231\n\
                      latency average = 1.022 ms\ninitial connection time = 14.2 ms\n\
                      tps = 7827.317 (without initial connection time)\n";
        let figure = parse(8, output).unwrap();
        assert_eq!((figure.concurrency, figure.per_second, figure.mean_ms), (8, 7827.317, 1.022));
        assert_eq!(parse(8, "pgbench: error: connection refused"), None);
    }

    #[test]
    fn a_move_that_is_not_sealed_has_no_sizes() {
        let sizes = EventSizes { kind: 7, public_bytes: 2, sealed_bytes: 40 };
        assert_eq!(EventSizes::parse("7|2|40"), Some(sizes));
        assert_eq!(EventSizes::parse("6|2|"), None);
        assert_eq!(EventSizes::parse(""), None);
    }

    #[test]
    fn literals_of_bytes_are_hexadecimal() {
        assert_eq!(bytea(3), "\\x5a5a5a");
    }
}
