//! What the figures were measured on. A fact that this system doesn't tell is left empty.

use std::process::Command;
use std::time::Duration;
use std::{fs, thread};

use serde::Serialize;

use crate::child;
use crate::postgres::Binaries;

const WATCHED: Duration = Duration::from_secs(2);

/// Facts without which figures mean nothing.
#[derive(Serialize)]
pub(super) struct Machine {
    pub(super) cores: usize,
    pub(super) processor: String,
    pub(super) memory_gib: u64,
    pub(super) system: String,
    pub(super) postgres: String,
    /// How much of the processors' time others took just before the first figure, 0 to 1.
    pub(super) busy_before: f64,
}

impl Machine {
    pub(super) fn look(binaries: &Binaries) -> Self {
        let ask = |mut command: Command| child::ask(&mut command).unwrap_or_default();
        let mut uname = Command::new("uname");
        uname.arg("-srm");
        let mut postgres = Command::new(binaries.program("postgres"));
        postgres.arg("--version");
        Self {
            cores: thread::available_parallelism().map_or(0, usize::from),
            processor: field("/proc/cpuinfo", "model name").unwrap_or_default(),
            memory_gib: memory_gib().unwrap_or_default(),
            system: ask(uname),
            postgres: ask(postgres),
            busy_before: busy().unwrap_or_default(),
        }
    }
}

fn memory_gib() -> Option<u64> {
    let kib = field("/proc/meminfo", "MemTotal")?.strip_suffix(" kB")?.parse::<u64>().ok()?;
    Some((kib + (1 << 19)) >> 20)
}

/// Watched, since the load averages still remember that we have just been building.
fn busy() -> Option<f64> {
    let before = Spent::so_far()?;
    thread::sleep(WATCHED);
    let after = Spent::so_far()?;
    let total = after.total.checked_sub(before.total).filter(|&ticks| ticks > 0)?;
    Some(1.0 - after.idle.saturating_sub(before.idle) as f64 / total as f64)
}

/// Time of all processors since the start, in ticks.
#[derive(Debug, PartialEq)]
struct Spent {
    idle: u64,
    total: u64,
}

impl Spent {
    fn so_far() -> Option<Self> {
        Self::parse(&fs::read_to_string("/proc/stat").ok()?)
    }

    /// `cpu  user nice system idle iowait irq softirq steal ...`: waiting for a disk is idle too, and the rest is
    /// contained in what comes first.
    fn parse(stat: &str) -> Option<Self> {
        let counts = stat.lines().next()?.strip_prefix("cpu ")?.split_whitespace().take(8);
        let counts: Vec<u64> = counts.map(str::parse).collect::<Result<_, _>>().ok()?;
        Some(Self { idle: counts.get(3)? + counts.get(4)?, total: counts.iter().sum() })
    }
}

/// The first `name: value` of a file of the kernel's.
fn field(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let mut fields = text.lines().filter_map(|line| line.split_once(':'));
    fields.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::Spent;

    #[test]
    fn ticks_are_read_from_the_kernels_first_line() {
        let stat = "cpu  10 20 30 400 50 6 7 8 99 99\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
        assert_eq!(Spent::parse(stat), Some(Spent { idle: 450, total: 531 }));
        assert_eq!(Spent::parse("cpu  10 20 30"), None);
        assert_eq!(Spent::parse("intr 1 2 3"), None);
    }
}
