//! What the figures were measured on. A fact that this system doesn't tell is left empty.

use std::fs;
use std::process::Command;
use std::thread;

use serde::Serialize;

use crate::child;
use crate::postgres::Binaries;

/// Facts without which figures mean nothing.
#[derive(Serialize)]
pub(super) struct Machine {
    pub(super) cores: usize,
    pub(super) processor: String,
    pub(super) memory_gib: u64,
    pub(super) system: String,
    pub(super) postgres: String,
    /// How many processes wanted to run, on average over the minute before the first figure.
    pub(super) load_before: f64,
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
            load_before: load().unwrap_or_default(),
        }
    }
}

fn memory_gib() -> Option<u64> {
    let kib = field("/proc/meminfo", "MemTotal")?.strip_suffix(" kB")?.parse::<u64>().ok()?;
    Some((kib + (1 << 19)) >> 20)
}

fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

/// The first `name: value` of a file of the kernel's.
fn field(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let mut fields = text.lines().filter_map(|line| line.split_once(':'));
    fields.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned())
}
