//! The command `watch`.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdout};

use serde_json::Value;

use crate::service::Service;

/// The output of a running client, as lines of JSON.
pub(crate) struct Lines {
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Lines {
    /// Takes the output of a client started with `--json`.
    pub(crate) fn of(client: &mut Child) -> Self {
        Self { lines: BufReader::new(client.stdout.take().expect("it is piped")).lines() }
    }

    /// Waits for the next line and returns it.
    #[track_caller]
    pub(crate) fn next(&mut self) -> Value {
        let line =
            self.lines.next().expect("the client prints another line").expect("the client prints text");
        serde_json::from_str(&line).expect("a line is JSON")
    }

    /// Reads up to the first line that matches, and returns it.
    #[track_caller]
    pub(crate) fn until(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            let line = self.next();
            if fits(&line) {
                return line;
            }
        }
    }

    /// Returns the seqs of the events up to and including this one.
    #[track_caller]
    pub(crate) fn seqs_up_to(&mut self, last: u64) -> Vec<u64> {
        let mut seqs = Vec::new();
        while seqs.last() != Some(&last) {
            seqs.extend(self.next()["event"]["seq"].as_u64());
        }
        seqs
    }
}

#[test]
fn a_watch_from_before_the_first_event_draws_no_board_yet() {
    let service = Service::start();
    let id = service.started_match(&["turns=1"]);
    service.turn(&id, "2,2", "7,7");
    let text = service.ok(&["watch", &id, "--after", "0"]);
    assert!(text.starts_with("Match of angels-and-demons created"), "{text}");
    assert!(!text.contains("does not know") && !text.contains("free seat"), "{text}");
    // Between the last claim and the start.
    let text = service.ok(&["watch", &id, "--after", "3"]);
    assert!(text.starts_with("All seats are taken\n"), "{text}");
}

#[test]
fn a_watch_starts_with_the_board_and_ends_with_the_match() {
    let service = Service::start();
    let id = service.started_match(&["turns=2"]);
    service.turn(&id, "2,2", "7,7");
    let mut watch = service.command(&["watch", &id, "--json"]).spawn().expect("the client starts");
    let mut lines = Lines::of(&mut watch);
    assert_eq!(lines.next()["view"]["seq"], 7);
    service.turn(&id, "4,4", "5,5");
    assert_eq!(lines.seqs_up_to(11), [8, 9, 10, 11]);
    assert!(watch.wait().unwrap().success());
}

#[test]
fn watching_a_finished_match_draws_it_and_ends() {
    let service = Service::start();
    let id = service.started_match(&["turns=1"]);
    service.turn(&id, "2,2", "5,7");
    let text = service.ok(&["watch", &id]);
    assert!(text.trim_end().ends_with("Draw, 4 spaces each"), "{text}");
    let lines = service.json(&["watch", &id]);
    assert_eq!(lines.len(), 1);
}

#[test]
fn a_watch_from_the_beginning_prints_every_event() {
    let service = Service::start();
    let id = service.started_match(&["turns=1"]);
    service.turn(&id, "2,2", "5,7");
    let text = service.ok(&["watch", &id, "--after", "1"]);
    let expected = [
        "Angels: Gabriel took the seat",
        "Demons: Lilith took the seat",
        "The match begins",
        "Angels chose in secret",
        "Demons chose in secret",
        "Turn 1: Angels 2,2, Demons 5,7; 8 spaces change; Angels 4, Demons 4",
        "Angels and Demons, after turn 1 of 1",
        "The match is over. Draw, 4 spaces each",
    ];
    let mut rest = text.as_str();
    for line in expected {
        let Some((_, after)) = rest.split_once(line) else {
            panic!("{line} is missing, or out of order: {text}")
        };
        rest = after;
    }
}

#[test]
fn a_seat_sees_its_own_sealed_choice() {
    let service = Service::start();
    let id = service.started_match(&["turns=1"]);
    service.ok(&["move", &id, "3,5", "--seat", "demons"]);
    service.ok(&["move", &id, "3,3", "--seat", "angels"]);
    let own = service.ok(&["watch", &id, "--after", "1", "--seat", "demons"]);
    assert!(own.contains("Demons chose 3,5 in secret") && own.contains("Angels chose in secret"), "{own}");
    let spectator = service.ok(&["watch", &id, "--after", "1"]);
    assert!(spectator.contains("Demons chose in secret"), "{spectator}");
}
