//! Child processes: each is shown, run to its end, and told when somebody stops us.
//!
//! Signals never end this process by themselves, so that guards (a throwaway Postgres) are always dropped.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{iter, thread};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static RUNNING: Mutex<Option<Pid>> = Mutex::new(None);

/// From now on SIGINT, SIGTERM and SIGHUP end the running child instead of this process.
pub(crate) fn pass_signals_on() -> Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM]).context("cannot listen to signals")?;
    thread::spawn(move || {
        for _ in signals.forever() {
            INTERRUPTED.store(true, Ordering::SeqCst);
            if let Some(child) = *running() {
                // A child that has just ended cannot be signalled any more, and need not be.
                let _ = kill_process(child, Signal::TERM);
            }
        }
    });
    Ok(())
}

/// Whether somebody asked this process to stop.
pub(crate) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Runs `command` in the foreground without input; an exit code other than 0 is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let shown = show(command);
    println!("$ {shown}");
    let mut child =
        command.stdin(Stdio::null()).spawn().with_context(|| format!("cannot start `{shown}`"))?;
    *running() = Some(Pid::from_child(&child));
    let status = child.wait();
    *running() = None;
    let status = status.with_context(|| format!("cannot wait for `{shown}`"))?;
    if !status.success() {
        bail!("`{shown}` ended with {status}");
    }
    Ok(())
}

/// Runs `command` as `run` does, but silently, and gives back what it prints on its standard output. If its standard
/// error is piped too, that becomes part of the error.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let shown = show(command);
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{shown}`"))?;
    *running() = Some(Pid::from_child(&child));
    let output = child.wait_with_output();
    *running() = None;
    let output = output.with_context(|| format!("cannot wait for `{shown}`"))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        bail!("`{shown}` ended with {}\n{complaint}", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{shown}` does not print text"))
}

/// `program`, where possible such that the kernel sends it this signal when this process is killed without a last word.
/// It must be started by a thread that lives as long as it: the kernel ties it to that.
pub(crate) fn tied(program: &Path, signal: &str) -> Command {
    let tie = ["--pdeathsig", signal];
    if ask(Command::new("setpriv").args(tie).arg("true")).is_none() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(tie).arg(program);
    command
}

/// What `command` prints on its standard output, trimmed; `None` if it cannot be run or fails.
pub(crate) fn ask(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// The command line without the program's folder, as one would type it.
fn show(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let program = program.file_name().unwrap_or(command.get_program());
    let words: Vec<_> = iter::once(program).chain(command.get_args()).map(OsStr::to_string_lossy).collect();
    words.join(" ")
}

fn running() -> MutexGuard<'static, Option<Pid>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}
