//! What `matchbook` prints on a terminal while bots play a short match.

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::programs::{Programs, clear_settings};
use crate::service::RunningService;

const ARGUMENTS: [&str; 8] =
    ["new", "angels-and-demons", "--option", "turns=5", "--bots", "2", "--watch", "--seed"];
const SEED: &str = "7";

/// Stands for the match's id, which is another one each time.
const SAMPLE_ID: &str = "Match 0193f5a2-7c41-7e0b-9d3a-5b8e6f1c2a74";

/// Plays the match. Returns the lines of the session, the command included.
pub(super) fn record(programs: &Programs, service: &RunningService, folder: &Path) -> Result<Vec<String>> {
    let mut matchbook = Command::new(programs.path("matchbook"));
    clear_settings(&mut matchbook);
    matchbook
        .args(ARGUMENTS)
        .arg(SEED)
        .env("MATCHBOOK_SERVER", service.url())
        .env("MATCHBOOK_STATE", folder)
        .env("TERM", "xterm-256color")
        .env_remove("NO_COLOR");
    let printed = on_a_terminal(matchbook)?;
    let command = format!("$ matchbook {} {SEED}", ARGUMENTS.join(" "));
    let mut lines: Vec<_> = [command, String::new()].into_iter().chain(printed.lines().map(masked)).collect();
    sort_concurrent(&mut lines);
    Ok(lines)
}

/// Returns everything that the command prints on a pseudo-terminal.
fn on_a_terminal(mut command: Command) -> Result<String> {
    let terminal =
        openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).context("cannot open a pseudo-terminal")?;
    grantpt(&terminal).and_then(|()| unlockpt(&terminal)).context("cannot unlock a pseudo-terminal")?;
    let name = ptsname(&terminal, Vec::new()).context("a pseudo-terminal has no name")?;
    let name = name.into_string().context("a pseudo-terminal's name is not UTF-8")?;
    let inside = OpenOptions::new().read(true).write(true).open(name).context("cannot open a terminal")?;
    let child = command.stdin(Stdio::null()).stdout(inside).spawn();
    let mut child = child.context("cannot start matchbook")?;
    // The command holds the terminal's other end too; reading ends when all are closed.
    drop(command);
    let (mut terminal, mut printed, mut buffer) = (File::from(terminal), Vec::new(), [0; 4096]);
    // The system reports the end of a terminal as an error.
    while let Ok(count @ 1..) = terminal.read(&mut buffer) {
        printed.extend_from_slice(&buffer[..count]);
    }
    let status = child.wait().context("cannot wait for matchbook")?;
    if !status.success() {
        bail!("matchbook ended with {status}");
    }
    String::from_utf8(printed).context("matchbook printed bytes that are not UTF-8")
}

fn masked(line: &str) -> String {
    if line.starts_with("Match ") { SAMPLE_ID } else { line }.to_owned()
}

/// Sorts neighbouring lines about what both bots do at once, whose order is chance.
fn sort_concurrent(lines: &mut [String]) {
    for both in ["took the seat", "chose in secret"] {
        for run in lines.chunk_by_mut(|one, other| one.ends_with(both) && other.ends_with(both)) {
            run.sort();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_the_order_of_concurrent_lines_are_always_the_same() {
        assert_eq!(masked("Match 1"), masked("Match 2"));
        let mut lines = ["z", "B chose in secret", "A chose in secret", "y"].map(str::to_owned);
        sort_concurrent(&mut lines);
        assert_eq!(lines, ["z", "A chose in secret", "B chose in secret", "y"]);
    }
}
