//! pgbench with the row that a move stores, one INSERT a transaction: what the database alone can do.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result};

use super::figure::Figure;
use super::stage::Stage;
use crate::{child, repository};

const SCRIPT: &str = "tools/xtask/src/bench/single_insert.sql";
/// Microseconds since the Unix epoch; any time has the same size.
const TIME: &str = "1700000000000000";
const HASH_BYTES: usize = 32;

/// The parts of an event that may have another size in another version.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct EventSizes {
    kind: u16,
    public_bytes: usize,
    sealed_bytes: usize,
}

/// A database that it fills.
pub(super) struct Pgbench {
    program: PathBuf,
    url: String,
    sizes: EventSizes,
    runs: u32,
}

impl EventSizes {
    /// Of the first move in the database. Before it stand the creation, two claims and the start.
    pub(super) fn of_first_move(stage: &Stage, url: &str) -> Result<Self> {
        let sql = "SELECT kind, octet_length(public), octet_length(sealed) FROM event WHERE seq = 5 LIMIT 1";
        let answer = stage.query(url, sql)?;
        Self::parse(&answer).with_context(|| format!("no sealed move in the database: `{answer}`"))
    }

    fn parse(answer: &str) -> Option<Self> {
        let mut fields = answer.split('|');
        let mut next = || fields.next()?.parse::<usize>().ok();
        Some(Self { kind: next()?.try_into().ok()?, public_bytes: next()?, sealed_bytes: next()? })
    }
}

impl Pgbench {
    /// A migrated database, and the row to fill it with.
    pub(super) fn new(stage: &Stage, url: String, sizes: EventSizes) -> Self {
        Self { program: stage.binaries().program("pgbench"), url, sizes, runs: 0 }
    }

    /// So many clients for so many seconds.
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
        let said = child::capture(pgbench.arg(&self.url).stderr(Stdio::piped()))?;
        parse(clients, &said).with_context(|| format!("pgbench says no figures:\n{said}"))
    }

    fn variables(&self) -> [(&'static str, String); 7] {
        let EventSizes { kind, public_bytes, sealed_bytes } = self.sizes;
        [
            // The beginning of the match ids: runs don't meet each other's.
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

/// So many bytes as Postgres reads them.
fn bytea(bytes: usize) -> String {
    format!("\\x{}", "5a".repeat(bytes))
}

fn parse(clients: u32, said: &str) -> Option<Figure> {
    let number = |name: &str| {
        let line = said.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<f64>().ok()
    };
    let per_second = number("tps = ")?;
    Some(Figure {
        at_once: clients,
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
    fn figures_are_read_from_what_pgbench_prints() {
        let said = "pgbench (15.14)\ntransaction type: x.sql\nnumber of transactions actually processed: 78231\n\
                    latency average = 1.022 ms\ninitial connection time = 14.2 ms\n\
                    tps = 7827.317 (without initial connection time)\n";
        let figure = parse(8, said).unwrap();
        assert_eq!((figure.at_once, figure.per_second, figure.mean_ms), (8, 7827.317, 1.022));
        assert_eq!(parse(8, "pgbench: error: connection refused"), None);
    }

    #[test]
    fn sizes_are_read_only_if_the_move_was_sealed() {
        let sizes = EventSizes { kind: 7, public_bytes: 2, sealed_bytes: 40 };
        assert_eq!(EventSizes::parse("7|2|40"), Some(sizes));
        assert_eq!(EventSizes::parse("6|2|"), None);
        assert_eq!(EventSizes::parse(""), None);
    }

    #[test]
    fn bytes_are_written_in_hexadecimal() {
        assert_eq!(bytea(3), "\\x5a5a5a");
    }
}
