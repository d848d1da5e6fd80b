//! The tokens that the client stores.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::service::{Service, run};
use crate::watching::Lines;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").permissions().mode() & 0o777
}

#[test]
fn a_claim_prints_the_token_and_stores_it_for_the_user_alone() {
    let service = Service::start();
    let created = service.json(&["new", "angels-and-demons"]);
    let id = created[0]["match"]["matchId"].as_str().unwrap();
    let claimed = service.json(&["claim", id, "demons", "--name", "Lilith"]);
    let token = claimed[0]["seatToken"].as_str().unwrap();
    assert!(!token.is_empty());
    let file = service.state().join("tokens.json");
    assert!(fs::read_to_string(&file).unwrap().contains(token));
    assert_eq!(mode(&file), 0o600);
    assert_eq!(mode(&service.state()), 0o700);
}

#[test]
fn new_with_a_seat_stores_its_token() {
    let service = Service::start();
    let text = service.ok(&["new", "angels-and-demons", "--seat", "angels", "--name", "Ann"]);
    let token = text.lines().find_map(|line| line.strip_prefix("Token: ")).unwrap();
    assert!(fs::read_to_string(service.state().join("tokens.json")).unwrap().contains(token));
    assert!(text.contains(" demons --name NAME") && !text.contains(" angels --name NAME"), "{text}");
}

#[test]
fn a_given_token_overrides_stored_ones() {
    let service = Service::start();
    let id = service.started_match(&[]);
    let ran = service.run(&["move", &id, "3,5", "--seat", "angels", "--token", "wrong", "--json"]);
    assert_eq!(ran.code, 1);
    let error: serde_json::Value = serde_json::from_str(&ran.stderr).unwrap();
    assert_eq!(error["error"]["reason"], "BAD_TOKEN");
}

#[test]
fn with_two_stored_seats_a_command_must_name_one() {
    let service = Service::start();
    let id = service.started_match(&[]);
    for arguments in [&["move", &id, "3,5"][..], &["legal", &id], &["resign", &id]] {
        let ran = service.run(arguments);
        assert_eq!(ran.code, 2, "both are to move, and either may resign: {arguments:?}");
        assert!(ran.stderr.contains("--seat 0 or --seat 1"), "{}", ran.stderr);
    }
    assert_eq!(service.json(&["show", &id])[0]["view"]["viewer"]["kind"], "KIND_SPECTATOR");
    assert_eq!(service.json(&["show", &id, "--seat", "1"])[0]["view"]["viewer"]["seat"], 1);
}

#[test]
fn with_two_stored_seats_the_one_to_move_moves() {
    let service = Service::start();
    let id = service.started_match(&[]);
    service.ok(&["move", &id, "3,5", "--seat", "0"]);
    // The Angels have chosen: only the Demons are to move.
    assert!(service.ok(&["check", &id, "3,5"]).starts_with("Legal"));
    assert_eq!(service.json(&["move", &id, "3,5"])[0]["view"]["viewer"]["seat"], 1);
    let created = service.json(&["new", "ludus-magus"]);
    let id = created[0]["match"]["matchId"].as_str().unwrap();
    service.ok(&["claim", id, "white", "--name", "Ann"]);
    service.ok(&["claim", id, "black", "--name", "Bob"]);
    for seat in 0..2 {
        let first = service.json(&["legal", id])[0]["moves"][0]["notation"].as_str().unwrap().to_owned();
        assert_eq!(service.json(&["move", id, &first])[0]["view"]["viewer"]["seat"], seat);
    }
}

#[test]
fn a_token_that_cannot_be_stored_is_still_printed() {
    let service = Service::start();
    let created = service.json(&["new", "angels-and-demons"]);
    let id = created[0]["match"]["matchId"].as_str().unwrap();
    let mut command = service.command(&["claim", id, "0", "--name", "Ann"]);
    command.env("MATCHBOOK_STATE", "/proc/no-such-folder");
    let ran = run(command);
    assert_eq!(ran.code, 4);
    assert!(ran.stdout.contains("Token: "), "{}", ran.stdout);
    assert!(ran.stderr.contains("MATCHBOOK_STATE"), "{}", ran.stderr);
}

#[test]
fn a_token_that_cannot_be_printed_is_still_stored() {
    let service = Service::start();
    let arguments = ["new", "angels-and-demons", "--seat", "angels", "--name", "Ann", "--json"];
    let mut client = service.command(&arguments).spawn().expect("the client starts");
    // As `| head -1` does: reads the line of the match but not that of the claim.
    let id = Lines::of(&mut client).next()["match"]["matchId"].as_str().unwrap().to_owned();
    client.wait().unwrap();
    assert!(service.ok(&["show", &id]).contains("Ann (you)"));
}
