//! Error messages and exit codes.

use std::io::Read as _;

use serde_json::Value;

use crate::service::{Ran, Service, run};

const NO_MATCH: &str = "01900000-0000-7000-8000-000000000000";

#[track_caller]
fn reason(ran: &Ran) -> String {
    let error: Value = serde_json::from_str(&ran.stderr).expect("the error is JSON");
    error["error"]["reason"].as_str().expect("it has a reason").to_owned()
}

#[test]
fn a_refusal_shows_its_reason_its_paragraph_and_advice() {
    let service = Service::start();
    let id = service.started_match(&[]);
    let ran = service.run(&["move", &id, "3,4", "--seat", "angels"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    for expected in ["error: ", "(ILLEGAL_MOVE)", "paragraph: AD-4", "next: `matchbook legal MATCH`"] {
        assert!(ran.stderr.contains(expected), "{expected} in {}", ran.stderr);
    }
}

#[test]
fn refusals_as_json_carry_the_reason() {
    let service = Service::start();
    let id = service.started_match(&["turns=1"]);
    let code_and_reason = |arguments: &[&str]| {
        let ran = service.run(&[arguments, &["--json"]].concat());
        (ran.code, reason(&ran))
    };
    let refused = |word: &str| (1, word.to_owned());
    assert_eq!(code_and_reason(&["games", "poker"]), refused("UNKNOWN_GAME"));
    assert_eq!(code_and_reason(&["new", "poker"]), refused("UNKNOWN_GAME"));
    assert_eq!(code_and_reason(&["show", NO_MATCH]), refused("UNKNOWN_MATCH"));
    assert_eq!(code_and_reason(&["claim", &id, "0", "--name", "Eve"]), refused("SEAT_TAKEN"));
    assert_eq!(code_and_reason(&["show", &id, "--at", "99"]), refused("UNKNOWN_SEQ"));
    assert_eq!(code_and_reason(&["show", &id, "--open"]), refused("MATCH_NOT_OVER"));
    assert_eq!(code_and_reason(&["events", NO_MATCH]), refused("UNKNOWN_MATCH"));
    assert_eq!(code_and_reason(&["watch", NO_MATCH]), refused("UNKNOWN_MATCH"));
    service.ok(&["move", &id, "3,5", "--seat", "0"]);
    assert_eq!(code_and_reason(&["move", &id, "3,5", "--seat", "0"]), refused("NOT_YOUR_TURN"));
    service.ok(&["move", &id, "3,3", "--seat", "1"]);
    assert_eq!(code_and_reason(&["move", &id, "3,5", "--seat", "0"]), refused("MATCH_OVER"));
}

#[test]
fn a_stale_position_is_refused() {
    let service = Service::start();
    let id = service.started_match(&[]);
    service.turn(&id, "2,2", "7,7");
    let ran = service.run(&["move", &id, "3,5", "--seat", "0", "--expect", "4", "--json"]);
    assert_eq!((ran.code, reason(&ran).as_str()), (1, "STALE_POSITION"));
    service.ok(&["move", &id, "3,5", "--seat", "0", "--expect", "7"]);
}

#[test]
fn options_out_of_range_are_refused_with_their_field() {
    let service = Service::start();
    let ran = service.run(&["new", "angels-and-demons", "-o", "rows=99"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("field options.angels_and_demons.rows"), "{}", ran.stderr);
}

#[test]
fn invalid_arguments_have_their_own_code() {
    let service = Service::start();
    let id = service.started_match(&[]);
    for arguments in [
        &["nonsense"][..],
        &["show", "not-a-uuid"],
        &["new", "angels-and-demons", "--bots", "3"],
        &["new", "angels-and-demons", "--seat", "angels", "--name", "Ann", "--bots", "2"],
        &["new", "angels-and-demons", "--seat", "white", "--name", "Ann"],
        &["new", "angels-and-demons", "--option", "height=3"],
        &["claim", &id, "white", "--name", "Ann"],
        &["games", "--server", "http://not an address"],
    ] {
        let ran = service.run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.stderr);
        assert!(!ran.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_wrong_value_in_the_environment_is_told_with_its_variable() {
    let service = Service::start();
    for (server, ca, variable) in [
        ("", "", "MATCHBOOK_SERVER"),
        ("http://not an address", "", "MATCHBOOK_SERVER"),
        ("https://127.0.0.1:1", "/no/such/file", "MATCHBOOK_CA_CERT"),
    ] {
        let mut command = service.command(&["games"]);
        let ran = run({
            command.env("MATCHBOOK_SERVER", server).env("MATCHBOOK_CA_CERT", ca);
            command
        });
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains(variable), "{}", ran.stderr);
    }
}

#[test]
fn an_unreachable_service_has_its_own_code() {
    let service = Service::start();
    // Nothing listens on port 1.
    let ran = service.run(&["games", "--server", "http://127.0.0.1:1", "--json"]);
    assert_eq!((ran.code, reason(&ran).as_str()), (3, "UNREACHABLE"));
}

#[test]
fn each_command_has_help_with_examples() {
    let service = Service::start();
    let overview = service.ok(&["--help"]);
    assert!(overview.contains("Exit codes:"));
    let (_, commands) = overview.split_once("Commands:\n").expect("a list of commands");
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let commands: Vec<_> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 30, "{commands:?}");
    for command in commands.into_iter().filter(|command| *command != "help") {
        let text = service.ok(&[command, "--help"]);
        assert!(text.contains("Examples:") && text.contains(&format!("matchbook {command}")), "{text}");
    }
}

#[test]
fn a_token_in_the_environment_does_not_show_in_help() {
    let service = Service::start();
    let mut command = service.command(&["move", "--help"]);
    command.env("MATCHBOOK_TOKEN", "very-secret");
    assert!(!run(command).stdout.contains("very-secret"));
}

#[test]
fn closing_the_output_early_is_not_an_error() {
    let service = Service::start();
    let created = service.json(&["new", "angels-and-demons", "--option", "turns=500", "--bots", "2"]);
    let id = created[0]["match"]["matchId"].as_str().unwrap();
    let mut events = service.command(&["events", id]).spawn().expect("the client starts");
    drop(events.stdout.take());
    assert!(events.wait().unwrap().success());
    let mut told = String::new();
    events.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert_eq!(told, "");
}
