//! The machine that figures were measured on. Facts that this system does not report stay empty.

use std::process::Command;
use std::time::Duration;
use std::{fs, thread};

use serde::Serialize;

use crate::child;
use crate::postgres::Binaries;

/// A machine that is busier than this is in use by others.
const MAX_IDLE_LOAD: f64 = 0.1;

/// How long the machine's load is observed.
const OBSERVED: Duration = Duration::from_secs(2);

/// The facts without which figures mean nothing.
#[derive(Serialize)]
pub(super) struct Machine {
    pub(super) cores: usize,
    pub(super) processor: String,
    pub(super) memory_gib: u64,
    pub(super) system: String,
    pub(super) postgres: String,
    /// The share of processor time in use just before the first figure, 0 to 1.
    pub(super) busy_before: f64,
}

impl Machine {
    pub(super) fn describe(binaries: &Binaries) -> Self {
        let output = |mut command: Command| child::query(&mut command).unwrap_or_default();
        let mut uname = Command::new("uname");
        uname.arg("-srm");
        let mut postgres = Command::new(binaries.program("postgres"));
        postgres.arg("--version");
        Self {
            cores: thread::available_parallelism().map_or(0, usize::from),
            processor: field("/proc/cpuinfo", "model name").unwrap_or_default(),
            memory_gib: memory_gib().unwrap_or_default(),
            system: output(uname),
            postgres: output(postgres),
            busy_before: busy().unwrap_or_default(),
        }
    }
}

fn memory_gib() -> Option<u64> {
    let kib = field("/proc/meminfo", "MemTotal")?.strip_suffix(" kB")?.parse::<u64>().ok()?;
    Some((kib + (1 << 19)) >> 20)
}

/// Returns a line that says so if the machine was busy before the first figure, else nothing.
pub(super) fn busy_note(busy_before: f64) -> String {
    if busy_before <= MAX_IDLE_LOAD {
        return String::new();
    }
    let percent = 100.0 * busy_before;
    format!("THE MACHINE WAS BUSY before ({percent:.0} % of its time): measure again on an idle one\n")
}

/// Returns the share of processor time in use. Measured, since load averages still include the build before.
pub(super) fn busy() -> Option<f64> {
    let before = ProcessorTicks::now()?;
    thread::sleep(OBSERVED);
    let after = ProcessorTicks::now()?;
    let total = after.total.checked_sub(before.total).filter(|&ticks| ticks > 0)?;
    Some(1.0 - after.idle.saturating_sub(before.idle) as f64 / total as f64)
}

/// Time of all processors since the system's start, in ticks.
#[derive(Debug, PartialEq)]
struct ProcessorTicks {
    idle: u64,
    total: u64,
}

impl ProcessorTicks {
    fn now() -> Option<Self> {
        Self::parse(&fs::read_to_string("/proc/stat").ok()?)
    }

    /// Parses `cpu  user nice system idle iowait irq softirq steal ...`. iowait counts as idle; the fields
    /// after `steal` are included in earlier ones.
    fn parse(stat: &str) -> Option<Self> {
        let counts = stat.lines().next()?.strip_prefix("cpu ")?.split_whitespace().take(8);
        let counts: Vec<u64> = counts.map(str::parse).collect::<Result<_, _>>().ok()?;
        Some(Self { idle: counts.get(3)? + counts.get(4)?, total: counts.iter().sum() })
    }
}

/// Returns the value of the first line `name: value` in a file of the kernel.
fn field(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let mut fields = text.lines().filter_map(|line| line.split_once(':'));
    fields.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::ProcessorTicks;

    #[test]
    fn ticks_come_from_the_first_line() {
        let stat = "cpu  10 20 30 400 50 6 7 8 99 99\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
        assert_eq!(ProcessorTicks::parse(stat), Some(ProcessorTicks { idle: 450, total: 531 }));
        assert_eq!(ProcessorTicks::parse("cpu  10 20 30"), None);
        assert_eq!(ProcessorTicks::parse("intr 1 2 3"), None);
    }
}
