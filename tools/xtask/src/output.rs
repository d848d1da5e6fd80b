//! Where a step prints: the terminal, or a buffer of its own while other steps run beside it.

use std::cell::RefCell;
use std::fmt::Display;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::process::Command;

use anyhow::{Context, Result};

thread_local! {
    /// This thread's buffer; without one its output goes to the terminal.
    static BUFFER: RefCell<Option<File>> = const { RefCell::new(None) };
}

/// Prints a line to this thread's output.
pub(crate) fn print_line(line: impl Display) {
    match buffer() {
        // A full disk loses output here and fails the step elsewhere.
        Some(mut buffer) => drop(writeln!(buffer, "{line}")),
        None => println!("{line}"),
    }
}

/// Prints a progress line: to the terminal's standard error, or to this thread's buffer.
pub(crate) fn print_progress(line: impl Display) {
    match buffer() {
        Some(mut buffer) => drop(writeln!(buffer, "{line}")),
        None => eprintln!("{line}"),
    }
}

/// Sends both output streams of `command` to this thread's buffer, if it has one.
pub(crate) fn redirect(command: &mut Command) {
    if let Some((out, err)) = buffer().zip(buffer()) {
        command.stdout(out).stderr(err);
    }
}

/// Does `work` with a buffer in place of the terminal. Returns what it printed too.
pub(crate) fn buffered<T>(work: impl FnOnce() -> T) -> Result<(T, String)> {
    let file = tempfile::tempfile().context("cannot create a temporary file for a step's output")?;
    let mut reader = file.try_clone().context("cannot share a step's output")?;
    BUFFER.set(Some(file));
    let value = work();
    BUFFER.set(None);
    let mut bytes = Vec::new();
    reader.rewind().and_then(|()| reader.read_to_end(&mut bytes)).context("cannot read a step's output")?;
    Ok((value, String::from_utf8_lossy(&bytes).into_owned()))
}

fn buffer() -> Option<File> {
    BUFFER.with_borrow(|buffer| buffer.as_ref()?.try_clone().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_holds_lines_and_the_output_of_commands() {
        let (status, text) = buffered(|| {
            print_line("first");
            let mut command = Command::new("sh");
            redirect(command.args(["-c", "echo second; echo third >&2"]));
            command.status().unwrap()
        })
        .unwrap();
        assert!(status.success());
        assert_eq!(text, "first\nsecond\nthird\n");
    }
}
