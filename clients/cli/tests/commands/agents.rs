//! `matchbook mcp` as a host sees it when the service is away, when answers get lost, when its seat's token
//! becomes void, and when the host reads slowly or ends.

use std::collections::HashSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::broken_connections::through;
use crate::proxy::{AfterLoss, Proxy};
use crate::service::Service;

/// A host of `matchbook mcp` that sends one request after the other.
struct Host {
    client: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    sent: u32,
}

impl Host {
    fn start(service: &Service, proxy: &Proxy) -> Self {
        Self::of(through(proxy, service.command(&["mcp"])))
    }

    fn of(mut command: Command) -> Self {
        let mut client =
            command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the client starts");
        let (requests, answers) = (client.stdin.take(), client.stdout.take());
        let answers = BufReader::new(answers.expect("it is piped"));
        let mut host = Self { client, requests: requests.expect("it is piped"), answers, sent: 0 };
        let info = json!({"name": "test", "version": "1"});
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info});
        host.request("initialize", &hello);
        host.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        host
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.requests, "{message}").expect("the client reads");
    }

    /// Sends a request and returns its number.
    fn ask(&mut self, method: &str, parameters: &Value) -> u32 {
        self.sent += 1;
        let id = self.sent;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}));
        id
    }

    /// Reads the next message; `None` at the end.
    fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        let read = self.answers.read_line(&mut line).expect("it is text");
        (read > 0).then(|| serde_json::from_str(&line).expect("it is JSON"))
    }

    fn answer_to(&mut self, id: u32) -> Value {
        loop {
            let answer = self.next().expect("the client goes on");
            if answer["id"] == id {
                return answer["result"].clone();
            }
        }
    }

    fn request(&mut self, method: &str, parameters: &Value) -> Value {
        let id = self.ask(method, parameters);
        self.answer_to(id)
    }

    fn ask_tool(&mut self, tool: &str, arguments: &Value) -> u32 {
        self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// Calls a tool; returns whether it failed, and its text.
    fn call(&mut self, tool: &str, arguments: &Value) -> (bool, String) {
        let id = self.ask_tool(tool, arguments);
        self.tool_answer(id)
    }

    fn tool_answer(&mut self, id: u32) -> (bool, String) {
        let result = self.answer_to(id);
        let text = result["content"][0]["text"].as_str().expect("a tool answers text").to_owned();
        (result["isError"].as_bool().unwrap_or(false), text)
    }
}

#[test]
fn a_model_is_told_that_the_service_is_away_and_goes_on_when_it_is_back() {
    let mut service = Service::start_on_disk();
    let proxy = Proxy::start(service.address(), None);
    let mut host = Host::start(&service, &proxy);
    let options = json!({"rows": 6, "cols": 6, "turns": 5});
    let create = json!({"game": "angels-and-demons", "options": options, "against": "bot", "name": "Ada"});
    let (failed, text) = host.call("create_match", &create);
    assert!(!failed, "{text}");
    let id = text.split_whitespace().nth(1).unwrap().to_owned();
    let first = json!({"match_id": id, "notation": "1,1"});
    service.stopped_for(&["--version"]);
    proxy.cut();
    let (failed, text) = host.call("make_move", &first);
    assert!(failed && text.contains("cannot reach the service"), "{text}");
    service.start_again(&[]);
    proxy.forward_to(service.address());
    let (failed, text) = host.call("make_move", &first);
    assert!(!failed, "{text}");
    let (failed, text) = host.call("wait", &json!({"match_id": id, "seconds": 30}));
    assert!(!failed && text.contains("Your move."), "{text}");
    drop(host.requests);
    assert!(host.client.wait().unwrap().success());
}

#[test]
fn a_move_that_a_model_repeats_after_a_lost_answer_is_made_once() {
    let service = Service::start();
    let proxy = Proxy::start(service.address(), None);
    let mut host = Host::start(&service, &proxy);
    let options = json!({"rows": 6, "cols": 6, "turns": 5});
    let create = json!({"game": "angels-and-demons", "options": options, "against": "friend", "name": "Ada"});
    let (failed, text) = host.call("create_match", &create);
    assert!(!failed, "{text}");
    let id = text.split_whitespace().nth(1).unwrap().to_owned();
    service.ok(&["claim", &id, "demons", "--name", "Bob"]);
    let first = json!({"match_id": id, "notation": "2,2"});

    proxy.lose_the_next_answer(AfterLoss::Away);
    let (failed, text) = host.call("make_move", &first);
    assert!(failed && text.contains("cannot reach the service"), "{text}");
    // The other player ends the turn meanwhile: the same notation would be a move of the next one.
    service.ok(&["move", &id, "5,5", "--seat", "1"]);
    proxy.forward_to(service.address());
    let (failed, text) = host.call("make_move", &first);
    assert!(!failed, "{text}");
    let chosen = || {
        let pages = service.json(&["events", &id]);
        let events = pages.iter().flat_map(|page| page["events"].as_array().expect("a page has events"));
        events.filter(|event| event["moveSealed"]["seat"] == 0).count()
    };
    assert_eq!(chosen(), 1);
    // Having seen the table, the model means a new move.
    let (failed, text) = host.call("make_move", &first);
    assert!(!failed, "{text}");
    assert_eq!(chosen(), 2);
}

#[test]
fn a_service_that_is_away_at_the_start_has_its_own_code_for_a_host_too() {
    let service = Service::start();
    let ran = service.run(&["mcp", "--server", "http://127.0.0.1:1"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("cannot reach the service"), "{}", ran.stderr);
}

/// A model's match against a friend, whose turn it is; returns its id.
fn waiting_match(service: &Service, host: &mut Host) -> String {
    let options = json!({"rows": 6, "cols": 6, "turns": 5});
    let create = json!({"game": "angels-and-demons", "options": options, "against": "friend", "name": "Ada"});
    let (failed, text) = host.call("create_match", &create);
    assert!(!failed, "{text}");
    let id = text.split_whitespace().nth(1).expect("the answer names the match").to_owned();
    service.ok(&["claim", &id, "demons", "--name", "Bob"]);
    let (failed, text) = host.call("make_move", &json!({"match_id": id, "notation": "2,2"}));
    assert!(!failed, "{text}");
    id
}

#[test]
fn a_model_whose_token_becomes_void_is_told_so_while_it_waits() {
    let service = Service::start();
    let mut host = Host::of(service.command(&["mcp"]));
    let id = waiting_match(&service, &mut host);
    let waiting = host.ask_tool("wait", &json!({"match_id": id, "seconds": 300}));
    // Someone else with the token: the host's own state keeps the old one.
    let token = service.token(&id, 0);
    let elsewhere = tempfile::tempdir().unwrap();
    let mut rotate = service.command(&["rotate", &id, "0", "--token", &token]);
    assert!(rotate.env("MATCHBOOK_STATE", elsewhere.path()).status().unwrap().success());
    let (failed, text) = host.tool_answer(waiting);
    assert!(failed && text.contains("replaced") && text.contains("BAD_TOKEN"), "{text}");
    assert!(!text.contains(&token), "{text}");
    let (failed, text) = host.call("list_games", &json!({}));
    assert!(!failed, "what needs no seat goes on: {text}");
}

#[test]
fn a_host_that_reads_slowly_gets_every_answer_and_others_play_meanwhile() {
    let service = Service::start();
    let mut host = Host::of(service.command(&["mcp"]));
    let id = waiting_match(&service, &mut host);
    // Their answers are many times what a pipe holds.
    let rules = json!({"game": "cresnovian-chess"});
    let mut asked: HashSet<u32> = (0..100).map(|_| host.ask_tool("read_rules", &rules)).collect();
    service.ok(&["move", &id, "5,5", "--seat", "1"]);
    while !asked.is_empty() {
        let answer = host.next().expect("the client goes on");
        let number = answer["id"].as_u64().and_then(|id| u32::try_from(id).ok()).expect("it is an answer");
        assert!(asked.remove(&number), "{number} was answered twice");
        assert!(answer["result"]["content"][0]["text"].as_str().unwrap().len() > 1000);
    }
    let (failed, text) = host.call("look", &json!({"match_id": id}));
    assert!(!failed && text.contains("Your move."), "{text}");
}

#[test]
fn a_host_that_ends_in_the_middle_of_a_wait_ends_the_program_and_keeps_the_seat() {
    let service = Service::start();
    for signal in [None, Some(Signal::INT), Some(Signal::TERM)] {
        let mut host = Host::of(service.command(&["mcp"]));
        let id = waiting_match(&service, &mut host);
        host.ask_tool("wait", &json!({"match_id": id, "seconds": 300}));
        let Host { mut client, requests, .. } = host;
        match signal {
            Some(signal) => kill_process(Pid::from_child(&client), signal).unwrap(),
            None => drop(requests),
        }
        let ended = client.wait().unwrap();
        assert_eq!(ended.success(), signal.is_none(), "{ended}");
        service.ok(&["move", &id, "5,5", "--seat", "1"]);
        service.ok(&["move", &id, "3,3", "--seat", "0"]);
    }
}
