//! What a client does when the service restarts, when its seat's token becomes void, and at Ctrl-C.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::broken_connections::through;
use crate::proxy::Proxy;
use crate::service::{Service, finished, objects};
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
    let tokens: Value =
        serde_json::from_slice(&fs::read(service.state().join("tokens.json")).unwrap()).unwrap();
    let token = tokens[format!("http://{}", service.address())][&id]["0"].as_str().unwrap().to_owned();
    let proxy = Proxy::start(service.address(), None);
    proxy.lose_the_next_answer();
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

/// A host of `matchbook mcp` that sends one request after the other.
struct Host {
    client: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    sent: u32,
}

impl Host {
    fn start(service: &Service, proxy: &Proxy) -> Self {
        let mut command = through(proxy, service.command(&["mcp"]));
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

    fn request(&mut self, method: &str, parameters: &Value) -> Value {
        self.sent += 1;
        let id = self.sent;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}));
        loop {
            let mut line = String::new();
            assert_ne!(self.answers.read_line(&mut line).expect("it is text"), 0, "the client ended");
            let answer: Value = serde_json::from_str(&line).expect("it is JSON");
            if answer["id"] == id {
                return answer["result"].clone();
            }
        }
    }

    /// Calls a tool; returns whether it failed, and its text.
    fn call(&mut self, tool: &str, arguments: &Value) -> (bool, String) {
        let result = self.request("tools/call", &json!({"name": tool, "arguments": arguments}));
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
