//! Connections that break during a watch or a bot's match.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::proxy::Proxy;
use crate::service::{Service, finished, objects};
use crate::watching::Lines;

fn through(proxy: &Proxy, mut command: Command) -> Command {
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
    let token = |seat: &str| {
        let tokens: Value =
            serde_json::from_slice(&std::fs::read(service.state().join("tokens.json")).unwrap()).unwrap();
        tokens[format!("http://{}", service.address())][&id][seat].as_str().unwrap().to_owned()
    };
    let start = |seat: &str| {
        let command = service.command(&["bot", &id, "--token", &token(seat), "--json"]);
        through(&proxy, command).spawn().expect("the client starts")
    };
    for printed in finished([start("0"), start("1")]) {
        // Lost responses are requested again: no move is missing or made twice.
        assert_eq!(objects(&printed).len(), 20);
    }
    assert!(proxy.accepted() > 4, "nothing was cut");
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
fn a_person_learns_what_the_client_waits_for() {
    // Accepts connections and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = format!("http://{}", silent.local_addr().unwrap());
    let mut games = Service::start().command(&["games", "--json"]);
    games.env("MATCHBOOK_SERVER", &server).stderr(Stdio::piped());
    let mut games = games.spawn().expect("the client starts");
    let mut line = String::new();
    BufReader::new(games.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, format!("waiting for an answer of the service at {server}; press Ctrl-C to stop\n"));
    games.kill().unwrap();
    games.wait().unwrap();
}
