//! Connections that break during a watch or a bot's match.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::thread;

use serde_json::Value;

use crate::proxy::Proxy;
use crate::service::{Service, finished, objects, run};
use crate::watching::Lines;

pub(crate) fn through(proxy: &Proxy, mut command: Command) -> Command {
    command.env("MATCHBOOK_SERVER", proxy.url());
    command
}

#[test]
fn a_watch_resumes_after_the_last_event_received() {
    let service = Service::start();
    let proxy = Proxy::start(service.address(), None);
    let id = service.started_match(&["turns=3"]);
    let command = service.command(&["watch", &id, "--after", "1", "--json"]);
    let mut watch = through(&proxy, command).spawn().expect("the client starts");
    let mut lines = Lines::of(&mut watch);
    let mut seqs = lines.seqs_up_to(4);
    for turn in 1..=3 {
        proxy.cut();
        service.turn(&id, "2,2", "7,7");
        seqs.extend(lines.seqs_up_to(4 + 3 * turn));
    }
    seqs.extend(lines.seqs_up_to(14));
    assert_eq!(seqs, (2..=14).collect::<Vec<u64>>());
    assert!(watch.wait().unwrap().success());
    assert!(proxy.accepted() > 1, "nothing was cut");
}

#[test]
fn bots_play_over_unstable_connections() {
    let service = Service::start();
    let id = service.started_match(&["turns=20"]);
    let proxy = Proxy::start(service.address(), Some(9_000));
    let start = |seat| {
        let command = service.command(&["bot", &id, "--token", &service.token(&id, seat), "--json"]);
        through(&proxy, command).spawn().expect("the client starts")
    };
    for printed in finished([start(0), start(1)]) {
        // Lost responses are requested again: no move is missing or made twice.
        assert_eq!(objects(&printed).len(), 20);
    }
    assert!(proxy.accepted() > 4, "nothing was cut");
}

#[test]
fn a_slow_reader_of_a_watch_gets_everything_and_others_play_meanwhile() {
    let service = Service::start();
    let id = service.started_match(&["turns=200"]);
    let mut watch =
        service.command(&["watch", &id, "--after", "0", "--json"]).spawn().expect("the client starts");
    let mut lines = Lines::of(&mut watch);
    assert_eq!(lines.seqs_up_to(1), [1]);
    let bots = ["0", "1"].map(|seat| {
        let arguments = ["bot", &id, "--seat", seat, "--skill", "random", "--json"];
        service.command(&arguments).spawn().expect("the client starts")
    });
    finished(bots);
    // More than the pipe and the windows of HTTP/2 hold waits for the reader now.
    let head = 4 + 3 * 200 + 1;
    assert_eq!(lines.seqs_up_to(head), (2..=head).collect::<Vec<u64>>());
    assert!(watch.wait().unwrap().success());
}

#[test]
fn a_watch_goes_on_after_a_restart() {
    let mut service = Service::start_on_disk();
    let id = service.started_match(&["turns=3"]);
    let proxy = Proxy::start(service.address(), None);
    let command = service.command(&["watch", &id, "--after", "0", "--json"]);
    let mut watch = through(&proxy, command).spawn().expect("the client starts");
    let mut lines = Lines::of(&mut watch);
    let mut seqs = lines.seqs_up_to(4);
    // Clients wait at the proxy meanwhile, however long the service takes to start.
    proxy.hold();
    service.stopped_for(&["--version"]);
    service.start_again(&[]);
    proxy.forward_to(service.address());
    tokens_for(&service, &service.url());
    for _ in 0..3 {
        service.turn(&id, "2,2", "7,7");
    }
    seqs.extend(lines.seqs_up_to(14));
    assert_eq!(seqs, (1..=14).collect::<Vec<u64>>());
    assert!(watch.wait().unwrap().success());
    assert!(proxy.accepted() > 1, "nothing was cut");
}

#[test]
fn a_service_that_stays_away_ends_a_watch_with_its_own_code() {
    let service = Service::start();
    let id = service.started_match(&[]);
    let mut watch = service.command(&["watch", &id, "--json"]).spawn().expect("the client starts");
    Lines::of(&mut watch).next();
    drop(service);
    assert_eq!(watch.wait().unwrap().code(), Some(3));
}

#[test]
fn a_watch_ends_with_an_error_if_the_service_has_lost_what_was_shown() {
    let mut service = Service::start_on_disk();
    let id = service.started_match(&["turns=3"]);
    // The copy is a standby that lagged: it has none of the later events.
    let standby = service.copied();
    let proxy = Proxy::start(service.address(), None);
    // Before a client reads them: the file is written anew.
    tokens_for(&service, &proxy.url());
    let watch = |more: &[&str]| {
        let command = service.command(&[&["watch", &id, "--after", "4"], more].concat());
        through(&proxy, command).spawn().expect("the client starts")
    };
    let (mut person, mut program) = (watch(&[]), watch(&["--json"]));
    let turn = |angels: &str, demons: &str| {
        for (notation, seat) in [(angels, "0"), (demons, "1")] {
            let ran = run(through(&proxy, service.command(&["move", &id, notation, "--seat", seat])));
            assert_eq!(ran.code, 0, "{}", ran.stderr);
        }
    };
    turn("2,2", "7,7");
    let mut lines = Lines::of(&mut program);
    lines.seqs_up_to(7);
    let mut shown = BufReader::new(person.stdout.take().unwrap()).lines();
    let line = shown.find(|line| line.as_ref().is_ok_and(|line| line.contains("7,7")));
    assert!(line.is_some(), "the turn is shown");
    // The client must not fail for want of a reader.
    let rest = thread::spawn(move || shown.for_each(drop));
    proxy.forward_to(standby.address());
    proxy.cut();
    // A turn of another history takes the place of the lost one.
    turn("4,4", "5,5");

    let ended = [person, program].map(|client| client.wait_with_output().unwrap());
    rest.join().unwrap();
    assert_eq!([ended[0].status.code(), ended[1].status.code()], [Some(1); 2], "{ended:?}");
    let told = String::from_utf8(ended[0].stderr.clone()).unwrap();
    for expected in ["error: ", "(HISTORY_CHANGED)", "next: `matchbook watch MATCH --after 0`"] {
        assert!(told.contains(expected), "{expected} in {told}");
    }
    let error: Value = serde_json::from_slice(&ended[1].stderr).unwrap();
    assert_eq!(error["error"]["reason"], "HISTORY_CHANGED");
    let again = run(through(&proxy, service.command(&["events", &id, "--json"])));
    assert!(again.stdout.contains("4,4") && !again.stdout.contains("7,7"), "{}", again.stdout);
}

/// Stores the tokens of the service for another address of it as well.
fn tokens_for(service: &Service, server: &str) {
    let path = service.state().join("tokens.json");
    let text = fs::read(&path).expect("the client stored tokens");
    let mut tokens: Value = serde_json::from_slice(&text).expect("they are JSON");
    // Under the address that the service had before its restart.
    let stored = tokens.as_object().and_then(|all| all.values().next()).cloned();
    tokens[server] = stored.expect("tokens of one service");
    fs::write(path, tokens.to_string()).expect("the file can be written");
}

#[test]
fn a_person_learns_what_the_client_waits_for() {
    // Accepts connections and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = format!("http://{}", silent.local_addr().unwrap());
    let mut games = Service::start().command(&["games", "--json"]);
    games.env("MATCHBOOK_SERVER", &server).stderr(Stdio::piped());
    let mut games = games.spawn().expect("the client starts");
    let mut line = String::new();
    BufReader::new(games.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, format!("waiting for an answer from the service at {server}; press Ctrl-C to stop\n"));
    games.kill().unwrap();
    games.wait().unwrap();
}
