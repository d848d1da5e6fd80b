//! The real program in its own process, which tests can signal and kill.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};

use super::Storage;
use super::collector::Collector;

/// A running `matchbookd`.
pub(crate) struct Process {
    child: Child,
    /// `127.0.0.1:PORT`, as the startup banner shows it.
    pub(crate) address: String,
    /// The address of the health checks, if they have their own.
    pub(crate) health_address: Option<String>,
    /// The lines of the startup banner that show the address and who may call.
    pub(crate) greeting: String,
    /// The commands that the startup banner suggests.
    pub(crate) try_next: Vec<String>,
    /// The line of the startup banner about the service key.
    pub(crate) key_line: String,
    lines: Receiver<String>,
    log: Vec<String>,
}

/// Returns a `matchbookd` command that inherits none of the environment variables it reads.
pub(crate) fn matchbookd(arguments: &[&str]) -> Command {
    // Attacks are measured on a release build.
    let program = std::env::var("MATCHBOOK_TEST_PROGRAM");
    let mut command = Command::new(program.unwrap_or_else(|_| env!("CARGO_BIN_EXE_matchbookd").to_owned()));
    let inherited = std::env::vars_os().map(|(name, _)| name);
    let is_read = |name: &str| name.starts_with("MATCHBOOK_") || name.starts_with("OTEL_");
    for name in inherited.filter(|name| is_read(&name.to_string_lossy())) {
        command.env_remove(name);
    }
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

impl Process {
    /// Starts serving on a free port and waits for the startup banner.
    pub(crate) fn serve(storage: &Storage, more: &[&str]) -> Self {
        Self::serve_at(storage, "127.0.0.1:0", more)
    }

    /// Starts serving at this address and waits for the startup banner.
    pub(crate) fn serve_at(storage: &Storage, listen: &str, more: &[&str]) -> Self {
        Self::of(Self::command(storage, listen, more))
    }

    /// Starts serving with export to a collector and with these environment variables.
    pub(crate) fn telling(
        storage: &Storage,
        collector: &Collector,
        more: &[&str],
        variables: &[(&str, &str)],
    ) -> Self {
        let mut program = Self::command(storage, "127.0.0.1:0", more);
        program.env("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.url).envs(variables.iter().copied());
        Self::of(program)
    }

    /// Starts serving on a free port, where the kernel refuses the process more than this much writable
    /// memory of its own, touched or not (`RLIMIT_DATA`). It ends at the first refusal.
    pub(crate) fn serve_within(memory: u64, storage: &Storage, more: &[&str]) -> Self {
        let mut program = Command::new("sh");
        let limited = format!("ulimit -d {} && exec \"$0\" \"$@\"", memory >> 10);
        let unlimited = Self::command(storage, "127.0.0.1:0", more);
        program.args(["-c", &limited]).arg(unlimited.get_program()).args(unlimited.get_args());
        for (name, value) in unlimited.get_envs() {
            match value {
                Some(value) => program.env(name, value),
                None => program.env_remove(name),
            };
        }
        program.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self::of(program)
    }

    fn command(storage: &Storage, listen: &str, more: &[&str]) -> Command {
        let key_file = storage.key_file();
        let mut arguments = vec!["serve", "--listen", listen, "--database", storage.url(), "--key-file"];
        arguments.push(key_file.to_str().unwrap());
        arguments.extend(more);
        matchbookd(&arguments)
    }

    /// Runs a command that serves, and waits for its startup banner.
    pub(crate) fn of(mut program: Command) -> Self {
        let mut child = program.spawn().unwrap();
        let lines = lines_of(child.stderr.take().unwrap());
        let banner = lines_of(child.stdout.take().unwrap());
        let Some(line) = banner.iter().find(|line| line.trim_start().starts_with("gRPC")) else {
            panic!("matchbookd exited before it served: {:?}", lines.iter().collect::<Vec<_>>())
        };
        let address = line.split_whitespace().nth(1).unwrap().to_owned();
        let (mut health_address, mut access, mut key_line) = (None, String::new(), String::new());
        for line in banner.iter().take_while(|line| !line.starts_with("Try next")) {
            match line.split_whitespace().next() {
                Some("health") => health_address = line.split_whitespace().nth(1).map(str::to_owned),
                Some("access") => access = line,
                Some("key") => key_line = line,
                _ => {}
            }
        }
        let try_next = banner.iter().take_while(|line| !line.is_empty()).collect();
        let greeting = format!("{line}\n{access}");
        Self { child, address, health_address, greeting, key_line, try_next, lines, log: Vec::new() }
    }

    /// Returns the most memory that the process has had so far, in bytes.
    pub(crate) fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("Linux shows the peak");
        peak.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
    }

    /// Returns a limit that the kernel enforces on the process, by its name; `None` if there is none.
    pub(crate) fn limit(&self, name: &str) -> Option<u64> {
        let limits = std::fs::read_to_string(format!("/proc/{}/limits", self.child.id())).unwrap();
        let limit = limits.lines().find_map(|line| line.strip_prefix(name)).expect("Linux shows its limits");
        limit.split_whitespace().next()?.parse().ok()
    }

    /// Kills the process (SIGKILL) and waits for its end.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Sends SIGTERM, waits for the end of the process, and returns its exit code and its log.
    pub(crate) fn terminate(mut self) -> (Option<i32>, Vec<String>) {
        self.signal("-TERM");
        self.wait()
    }

    /// Waits for the end of the process and returns its exit code and its log.
    pub(crate) fn wait(&mut self) -> (Option<i32>, Vec<String>) {
        let status = self.child.wait().unwrap();
        self.log.extend(self.lines.iter());
        (status.code(), std::mem::take(&mut self.log))
    }

    /// Waits until a line of the log contains this text.
    pub(crate) fn wait_for(&mut self, piece: &str) {
        while !self.log.last().is_some_and(|line| line.contains(piece)) {
            self.log.push(self.lines.recv().unwrap_or_else(|_| panic!("`{piece}` was never logged")));
        }
    }

    /// Sends a signal, spelled as an option of `kill`, such as `-HUP`.
    pub(crate) fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }
}

/// Reads all lines in a thread, so that the program never blocks on a full pipe.
fn lines_of(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines() {
            // The receiver may be gone.
            let _ = send.send(line.unwrap());
        }
    });
    receive
}

impl Drop for Process {
    fn drop(&mut self) {
        // The process may have ended already; a test that panics must not leave it running.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            self.log.extend(self.lines.iter());
            eprintln!("the log of matchbookd:\n{}", self.log.join("\n"));
        }
    }
}

/// Runs `matchbookd` to its end and returns the exit code, stdout and stderr.
pub(crate) fn run(arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = matchbookd(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code().expect("an exit code"), text(stdout), text(stderr))
}
