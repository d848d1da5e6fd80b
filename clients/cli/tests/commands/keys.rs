//! The commands `login` and `logout`, and the uses of an API key.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::service::{Ran, Service};

/// Runs the client with this standard input.
fn run_with_input(service: &Service, arguments: &[&str], input: &str) -> Ran {
    let mut client = service.command(arguments).stdin(Stdio::piped()).spawn().expect("the client starts");
    client.stdin.take().expect("it is piped").write_all(input.as_bytes()).expect("the client reads");
    let output = client.wait_with_output().expect("the client ends");
    Ran {
        code: output.status.code().expect("the client ends by itself"),
        stdout: String::from_utf8(output.stdout).expect("the client prints UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("the client prints UTF-8"),
    }
}

#[track_caller]
fn log_in(service: &Service, key: &str) {
    let ran = run_with_input(service, &["login"], &format!("{key}\n"));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(!ran.stdout.contains(key), "{}", ran.stdout);
}

#[track_caller]
fn id_of(answer: &Value) -> String {
    answer["match"]["matchId"].as_str().expect("a match has an id").to_owned()
}

#[track_caller]
fn reason(ran: &Ran) -> String {
    let error: Value = serde_json::from_str(&ran.stderr).expect("the error is JSON");
    error["error"]["reason"].as_str().expect("it has a reason").to_owned()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").permissions().mode() & 0o777
}

#[test]
fn a_key_is_stored_for_the_user_alone_until_logout() {
    let (service, key) = Service::with_key();
    assert_eq!(reason(&service.run(&["new", "ludus-magus", "--json"])), "MISSING_KEY");
    log_in(&service, &key);
    let file = service.state().join("keys.json");
    assert!(fs::read_to_string(&file).unwrap().contains(&key));
    assert_eq!((mode(&file), mode(&service.state())), (0o600, 0o700));
    service.ok(&["new", "ludus-magus"]);

    assert!(service.ok(&["logout"]).contains("Removed the key"));
    assert!(!fs::read_to_string(&file).unwrap().contains(&key));
    assert!(service.ok(&["logout"]).contains("No key was stored"));
    assert_eq!(service.json(&["logout"])[0]["logout"]["hadKey"], false);
    let told = service.run(&["new", "ludus-magus"]);
    assert!(told.stderr.contains("matchbook login"), "{}", told.stderr);
}

#[test]
fn a_service_without_keys_says_so_and_nobody_is_told_to_log_in_there() {
    let service = Service::start();
    let ran = run_with_input(&service, &["login"], &format!("mbk_{}", "A".repeat(43)));
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("this service has no API keys, so none is needed"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("seat of this match"), "{}", ran.stderr);
    let hooks = service.run(&["webhook", "list"]);
    assert!(hooks.stderr.contains("this service has none configured"), "{}", hooks.stderr);
    assert!(hooks.stderr.contains("ask the operator"), "{}", hooks.stderr);
}

#[test]
fn a_malformed_or_unknown_key_is_not_stored() {
    let (service, key) = Service::with_key();
    let unknown = run_with_input(&service, &["login", "--json"], &format!("mbk_{}", "A".repeat(43)));
    assert_eq!((unknown.code, reason(&unknown).as_str()), (1, "BAD_TOKEN"));
    for input in ["", "\n", "hunter2\n", "mbk_with blanks\n"] {
        let ran = run_with_input(&service, &["login"], input);
        assert_eq!(ran.code, 2, "{input:?}");
        assert!(!ran.stderr.contains("hunter2"), "{}", ran.stderr);
    }
    // The command line has no flag for it.
    assert_eq!(service.run(&["login", &key]).code, 2);
    assert!(!service.state().join("keys.json").exists());
}

#[test]
fn logout_needs_no_service() {
    let service = Service::start();
    assert_eq!(service.run(&["logout", "--server", "http://127.0.0.1:1"]).code, 0);
}

#[test]
fn only_the_owners_key_opens_a_private_match() {
    let (service, key) = Service::with_key();
    log_in(&service, &key);
    let id = id_of(&service.json(&["new", "ludus-magus", "--visibility", "private"])[0]);
    let public = id_of(&service.json(&["new", "ludus-magus"])[0]);
    service.ok(&["claim", &id, "white", "--name", "Ann"]);
    service.ok(&["claim", &id, "black", "--name", "Bob"]);
    // Tokens of both seats are stored: commands use neither but view with the key.
    assert!(service.ok(&["show", &id]).contains("Ann, to move"));

    let mine = service.ok(&["matches", "--mine"]);
    assert!(mine.contains(&id) && mine.contains("running, private") && mine.contains(&public), "{mine}");
    service.ok(&["logout"]);
    let listed = service.ok(&["matches"]);
    assert!(!listed.contains(&id) && listed.contains(&public), "{listed}");
    assert_eq!(reason(&service.run(&["matches", "--mine", "--json"])), "MISSING_KEY");
    assert_eq!(reason(&service.run(&["show", &id, "--json"])), "UNKNOWN_MATCH");
    assert!(service.ok(&["show", &id, "--seat", "white"]).contains("Ann (you), to move"));
    // Passed once, without being stored.
    assert!(service.ok(&["matches", "--mine", "--token", &key]).contains(&id));
}

#[test]
fn bots_play_a_private_match_while_watched() {
    let (service, key) = Service::with_key();
    log_in(&service, &key);
    let arguments =
        ["new", "angels-and-demons", "--visibility", "private", "--bots", "2", "--watch", "-o", "turns=1"];
    let text = service.ok(&arguments);
    assert!(text.contains("The match is over. "), "{text}");
}

#[test]
fn a_seat_rotates_its_token_and_the_owner_a_lost_one() {
    let (service, key) = Service::with_key();
    log_in(&service, &key);
    let id = id_of(&service.json(&["new", "ludus-magus"])[0]);
    let first = service.json(&["claim", &id, "0", "--name", "Ann"])[0]["seatToken"].clone();
    let first = first.as_str().unwrap();

    let second = service.json(&["rotate", &id])[0]["seatToken"].clone();
    let second = second.as_str().unwrap();
    assert_ne!(first, second);
    let old = service.run(&["show", &id, "--token", first, "--json"]);
    assert_eq!(reason(&old), "BAD_TOKEN");
    assert!(service.ok(&["show", &id]).contains("(you)"), "the new one is kept");

    // The stored token is revoked by now; the key rotates instead.
    let third = service.json(&["rotate", &id, "--token", second])[0]["seatToken"].clone();
    let tokens = service.state().join("tokens.json");
    let stale = fs::read_to_string(&tokens).unwrap().replace(third.as_str().unwrap(), second);
    fs::write(&tokens, stale).unwrap();
    let told = service.ok(&["rotate", &id, "white"]);
    assert!(told.contains("White has a new token; the old one is revoked."), "{told}");
    assert!(service.ok(&["show", &id]).contains("(you)"));

    assert_eq!(service.run(&["rotate", &id, "--token", &key]).code, 2, "an owner must name the seat");
    assert_eq!(reason(&service.run(&["rotate", &id, "black", "--json"])), "SEAT_NOT_CLAIMED");
}
