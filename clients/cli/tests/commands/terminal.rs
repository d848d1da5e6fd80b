//! Colours: only on a terminal, unless disabled.

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::process::Command;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::service::Service;

/// Returns the output of a command on a terminal.
fn on_a_terminal(mut command: Command) -> String {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("the system has terminals");
    grantpt(&terminal).and_then(|()| unlockpt(&terminal)).expect("it is ours");
    let name = ptsname(&terminal, Vec::new()).expect("it has a name");
    let name = name.into_string().expect("terminals have ASCII names");
    let inside = OpenOptions::new().read(true).write(true).open(name).expect("it can be opened");
    let mut client = command.stdout(inside).spawn().expect("the client starts");
    // The command holds the terminal's other end too; reading ends when all are closed.
    drop(command);

    let (mut terminal, mut printed, mut buffer) = (File::from(terminal), Vec::new(), [0; 4096]);
    // The system reports the end of a terminal as an error.
    while let Ok(count @ 1..) = terminal.read(&mut buffer) {
        printed.extend_from_slice(&buffer[..count]);
    }
    assert!(client.wait().expect("the client ends").success());
    String::from_utf8(printed).expect("the client prints UTF-8")
}

#[test]
fn boards_have_colours_on_a_terminal() {
    let service = Service::start();
    let id = service.started_match(&[]);
    let mut command = service.command(&["show", &id]);
    command.env("TERM", "xterm-256color");
    assert!(on_a_terminal(command).contains("\u{1b}[38;5;"));
}

#[test]
fn no_color_and_dumb_terminals_are_respected() {
    let service = Service::start();
    let id = service.started_match(&[]);
    for (variable, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let mut command = service.command(&["show", &id]);
        command.env("TERM", "xterm-256color").env(variable, value);
        let printed = on_a_terminal(command);
        assert!(printed.contains("░░░") && !printed.contains('\u{1b}'), "{variable}: {printed:?}");
    }
}
