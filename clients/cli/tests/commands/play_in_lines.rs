//! `matchbook play` without a screen: lines in, lines out.

use std::io::Write as _;
use std::process::Stdio;

use crate::service::{Ran, Service};

/// Runs `matchbook play` with these lines as its input.
fn play(service: &Service, arguments: &[&str], lines: &str) -> Ran {
    let mut command = service.command(&[&["play"], arguments].concat());
    let mut client = command.stdin(Stdio::piped()).spawn().expect("the client starts");
    client.stdin.take().expect("it is piped").write_all(lines.as_bytes()).expect("the client reads");
    let output = client.wait_with_output().expect("the client ends");
    Ran {
        code: output.status.code().expect("the client exits"),
        stdout: String::from_utf8(output.stdout).expect("the client prints UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("the client prints UTF-8"),
    }
}

const AGAINST_A_BOT: [&str; 14] = [
    "--game",
    "angels-and-demons",
    "--option",
    "rows=4",
    "--option",
    "cols=4",
    "--option",
    "turns=2",
    "--against",
    "bot",
    "--seat",
    "angels",
    "--name",
    "Ann",
];

#[test]
fn a_match_is_played_from_a_pipe() {
    let service = Service::start();
    let ran = play(&service, &AGAINST_A_BOT, "1,1\n4,4\n");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("Angels chose").count(), 2, "{}", ran.stdout);
    assert!(!ran.stdout.contains('\u{1b}'), "{}", ran.stdout);
}

#[test]
fn moves_are_built_by_numbers_and_commands_answer() {
    let service = Service::start();
    let lines = "/legal\n/help\n/rules\n/nonsense\n/accept\nnowhere\n/choose\nnine\n1\ny\n/quit\n";
    let ran = play(&service, &AGAINST_A_BOT, lines);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    for said in [
        "1,1   1,3",
        "/takeback",
        "AD-1",
        "there is no command /nonsense",
        "proposes nothing",
        "type the number of a line above",
        "Angels chose",
        "returns to this match",
    ] {
        assert!(ran.stdout.contains(said), "{said}: {}", ran.stdout);
    }
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let service = Service::start();
    let id = service.started_match(&[]);
    let refused = [
        (vec![], "--game GAME"),
        (vec!["--game", "angels-and-demons"], "--against bot"),
        (vec!["--game", "angels-and-demons", "--against", "bot"], "--seat SEAT"),
        (vec!["--game", "angels-and-demons", "--against", "bot", "--seat", "0"], "--name NAME"),
        (vec!["--game", "chess"], "the games are"),
        (vec![id.as_str()], "--seat"),
        (vec![id.as_str(), "--json"], "has no JSON"),
    ];
    for (arguments, reason) in refused {
        let ran = play(&service, &arguments, "");
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.stdout);
        assert!(ran.stderr.contains(reason), "{arguments:?}: {}", ran.stderr);
    }
    let mut stranger = service.command(&["play", &id, "--name", "Eve"]);
    stranger.env("MATCHBOOK_STATE", service.state().join("eve"));
    let ran = crate::service::run(stranger);
    assert!(ran.code == 2 && ran.stderr.contains("every seat of that match is taken"), "{}", ran.stderr);
}
