//! Child processes: echoed, run to completion, and terminated when this process is asked to stop.
//!
//! A signal never ends this process directly, so guards such as a throwaway Postgres always run.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{iter, thread};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::output;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Makes SIGINT, SIGTERM and SIGHUP terminate the running children instead of this process.
pub(crate) fn forward_signals() -> Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM]).context("cannot install signal handlers")?;
    thread::spawn(move || {
        for _ in signals.forever() {
            INTERRUPTED.store(true, Ordering::SeqCst);
            for child in running().iter() {
                // Fails for a child that has just ended, which needs no signal.
                let _ = kill_process(*child, Signal::TERM);
            }
        }
    });
    Ok(())
}

/// Returns whether this process was asked to stop.
pub(crate) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Runs `command` without input and lets it print; an exit code other than 0 is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = status(command)?;
    if !status.success() {
        bail!("`{}` ended with {status}", command_line(command));
    }
    Ok(())
}

/// Runs `command` without input, lets it print, and returns how it ended.
pub(crate) fn status(command: &mut Command) -> Result<ExitStatus> {
    let line = command_line(command);
    output::print_line(format_args!("$ {line}"));
    output::redirect(command);
    let mut child = start(command, &line)?;
    let pid = Pid::from_child(&child);
    let status = child.wait();
    forget(pid);
    status.with_context(|| format!("cannot wait for `{line}`"))
}

/// Runs `command` silently and returns its standard output. Its standard error becomes part of the error.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let line = command_line(command);
    let child = start(command.stdout(Stdio::piped()).stderr(Stdio::piped()), &line)?;
    let pid = Pid::from_child(&child);
    let output = child.wait_with_output();
    forget(pid);
    let output = output.with_context(|| format!("cannot wait for `{line}`"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        bail!("`{line}` ended with {}\n{errors}", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{line}` printed bytes that are not UTF-8"))
}

/// Returns a command for `program` that, where `setpriv` exists, receives `signal` when this process dies.
///
/// Start it from a thread that outlives it: the kernel ties the child to that thread, not to the process.
pub(crate) fn tied(program: &Path, signal: &str) -> Command {
    let tie = ["--pdeathsig", signal];
    if query(Command::new("setpriv").args(tie).arg("true")).is_none() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(tie).arg(program);
    command
}

/// Returns the trimmed standard output of `command`, or `None` if it cannot be run or fails.
pub(crate) fn query(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// Returns the command line as one would type it, without the program's folder.
fn command_line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let program = program.file_name().unwrap_or(command.get_program());
    let words: Vec<_> = iter::once(program).chain(command.get_args()).map(OsStr::to_string_lossy).collect();
    words.join(" ")
}

/// Starts `command` without input and registers it for signals.
fn start(command: &mut Command, line: &str) -> Result<Child> {
    let child = command.stdin(Stdio::null()).spawn().with_context(|| format!("cannot start `{line}`"))?;
    running().push(Pid::from_child(&child));
    Ok(child)
}

fn forget(pid: Pid) {
    running().retain(|other| *other != pid);
}

fn running() -> MutexGuard<'static, Vec<Pid>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}
