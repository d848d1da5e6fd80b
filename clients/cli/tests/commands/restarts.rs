//! What a client does when the service restarts, when its seat's token becomes void, and at Ctrl-C.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::broken_connections::through;
use crate::proxy::{AfterLoss, Proxy};
use crate::service::{Service, finished, objects};
use crate::terminal_screen::{CTRL_C, TerminalScreen};
use crate::watching::Lines;

#[test]
fn a_token_that_becomes_void_ends_the_watch_of_its_seat() {
    let service = Service::start();
    let id = service.started_match(&[]);
    let mut watch = service.command(&["watch", &id, "--seat", "0", "--json"]).spawn().unwrap();
    Lines::of(&mut watch).next();
    service.ok(&["rotate", &id, "0"]);
    let ended = watch.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(1), "{ended:?}");
    let error: Value = serde_json::from_slice(&ended.stderr).unwrap();
    assert_eq!(error["error"]["reason"], "BAD_TOKEN");
    assert!(error["error"]["message"].as_str().unwrap().contains("replaced"), "{error}");
}

#[test]
fn ctrl_c_ends_a_watch_at_once_and_its_seat_stays() {
    let service = Service::start();
    let id = service.started_match(&[]);
    let mut watch = service.command(&["watch", &id, "--seat", "0", "--json"]).spawn().unwrap();
    Lines::of(&mut watch).next();
    kill_process(Pid::from_child(&watch), Signal::INT).unwrap();
    let ended = watch.wait_with_output().unwrap();
    assert!(!ended.status.success() && ended.stderr.is_empty(), "{ended:?}");
    service.ok(&["move", &id, "2,2", "--seat", "0"]);
}

#[test]
fn a_move_is_made_once_if_the_service_restarts_before_its_answer_arrives() {
    let mut service = Service::start_on_disk();
    let id = service.started_match(&[]);
    let token = service.token(&id, 0);
    let proxy = Proxy::start(service.address(), None);
    proxy.lose_the_next_answer(AfterLoss::Wait);
    // With a token, the move is its only call.
    let command = service.command(&["move", &id, "2,2", "--token", &token, "--json"]);
    let mover = through(&proxy, command).spawn().unwrap();
    proxy.wait_for_the_loss();
    service.stopped_for(&["--version"]);
    service.start_again(&[]);
    proxy.forward_to(service.address());
    let [printed] = finished([mover]);
    let answer = &objects(&printed)[0];
    assert_eq!(answer["events"].as_array().unwrap().len(), 1, "{answer}");
    let pages = service.json(&["events", &id]);
    let events = pages.iter().flat_map(|page| page["events"].as_array().unwrap());
    assert_eq!(events.filter(|event| event["moveSealed"]["seat"] == 0).count(), 1, "{pages:?}");
    assert!(proxy.accepted() > 1, "nothing was cut");
}

/// Number of failures after which a client that gives up has done so: its bot's watch and the player's fail
/// in turn, and seven attempts are the default.
const MANY: usize = 20;

#[test]
fn a_person_plays_on_against_a_bot_when_a_service_that_was_away_is_back() {
    let mut service = Service::start_on_disk();
    let proxy = Proxy::start(service.address(), None);
    let arguments = ["play", "--game", "angels-and-demons", "--against", "bot", "--seat", "angels"];
    let more = ["--name", "Ann", "--option", "rows=4", "--option", "cols=4", "--option", "turns=2"];
    let command = through(&proxy, service.command(&[&arguments[..], &more].concat()));
    let mut terminal = TerminalScreen::start(&command, (36, 120));
    terminal.wait_for("Your move.");
    proxy.take_away();
    service.stopped_for(&["--version"]);
    terminal.press("1,1\r");
    terminal.wait_for("Waiting for an answer of the service.");
    proxy.wait_for_refused(MANY);
    service.start_again(&[]);
    proxy.forward_to(service.address());
    terminal.wait_for("Turn 1:");
    terminal.wait_for("Your move.");
    terminal.press("4,4\r");
    terminal.wait_for("The match is over.");
    terminal.press(CTRL_C);
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn lines_are_played_on_when_a_service_that_was_away_is_back() {
    let mut service = Service::start_on_disk();
    let proxy = Proxy::start(service.address(), None);
    let arguments = ["play", "--game", "angels-and-demons", "--against", "bot", "--seat", "angels"];
    let more = ["--name", "Ann", "--option", "rows=4", "--option", "cols=4", "--option", "turns=3"];
    let mut command = through(&proxy, service.command(&[&arguments[..], &more].concat()));
    let mut player = command.stdin(Stdio::piped()).spawn().expect("the client starts");
    let mut input = player.stdin.take().expect("it is piped");
    let mut lines = BufReader::new(player.stdout.take().expect("it is piped")).lines();
    let mut until = |wanted: &str| {
        let found = lines.find(|line| line.as_ref().is_ok_and(|line| line.contains(wanted)));
        assert!(found.is_some(), "`{wanted}` is never printed");
    };
    input.write_all(b"1,1\n").unwrap();
    until("Turn 1:");
    proxy.take_away();
    service.stopped_for(&["--version"]);
    input.write_all(b"4,4\n2,2\n").unwrap();
    proxy.wait_for_refused(MANY);
    service.start_again(&[]);
    proxy.forward_to(service.address());
    until("Turn 2:");
    until("The match is over.");
    drop(input);
    lines.for_each(drop);
    assert_eq!(player.wait().unwrap().code(), Some(0));
}

#[test]
fn a_token_that_becomes_void_ends_the_play_of_its_seat() {
    let service = Service::start();
    let id = service.started_match(&[]);
    let mut command = service.command(&["play", &id, "--plain"]);
    let token = service.token(&id, 0);
    let mut player = command.env("MATCHBOOK_TOKEN", token).stdin(Stdio::piped()).spawn().unwrap();
    let mut shown = BufReader::new(player.stdout.take().unwrap()).lines();
    assert!(shown.any(|line| line.is_ok_and(|line| line.contains("Your move."))));
    let rest = thread::spawn(move || shown.for_each(drop));
    service.ok(&["rotate", &id, "0"]);
    let ended = player.wait_with_output().unwrap();
    rest.join().unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{told}");
    assert!(told.contains("(BAD_TOKEN)"), "{told}");
}

#[test]
fn restarts_during_the_moves_of_bots_lose_and_double_nothing() {
    let mut service = Service::start_on_disk();
    let id = service.started_match(&["turns=60"]);
    let proxy = Proxy::start(service.address(), None);
    let [angels, demons] = [0, 1].map(|seat| {
        let token = service.token(&id, seat);
        let arguments = ["bot", &id, "--skill", "random", "--token", &token, "--json"];
        through(&proxy, service.command(&arguments)).spawn().expect("the client starts")
    });
    let head = |service: &Service| {
        let shown = service.json(&["show", &id]);
        shown[0]["view"]["seq"].as_u64().expect("a view has a seq")
    };
    for _ in 0..3 {
        let reached = head(&service);
        while head(&service) < reached + 6 {
            thread::sleep(Duration::from_millis(5));
        }
        // Clients wait at the proxy meanwhile, however long the service takes to start.
        proxy.hold();
        service.stopped_for(&["--version"]);
        service.start_again(&[]);
        proxy.forward_to(service.address());
    }
    for printed in finished([angels, demons]) {
        assert_eq!(objects(&printed).len(), 60, "a move is missing or was made twice");
    }
    assert!(proxy.accepted() > 4, "nothing was cut");
}
