//! A receiver of webhooks that records every request and answers as the test says.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::Value;

/// A receiver that listens until the test ends.
#[derive(Clone)]
pub(crate) struct Receiver {
    /// `127.0.0.1:PORT`.
    pub(crate) address: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    received: Vec<Received>,
    connections: usize,
    rule: Option<Box<Rule>>,
}

type Rule = dyn FnMut(&Received) -> Reply + Send;

/// A request that arrived.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) path: String,
    /// By name in lower case.
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

/// How a request is answered.
pub(crate) enum Reply {
    /// With this status and an empty body.
    Status(u16),
    /// With these bytes, after which the connection stays open.
    Raw(Vec<u8>),
    /// Never.
    Nothing,
}

impl Receiver {
    /// Listens on a free port and takes everything.
    pub(crate) fn start() -> Self {
        Self::over(None)
    }

    /// Does so over TLS.
    pub(crate) fn start_tls(tls: ServerConfig) -> Self {
        Self::over(Some(Arc::new(tls)))
    }

    fn over(tls: Option<Arc<ServerConfig>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let shared = Arc::clone(&shared);
                shared.lock().unwrap().connections += 1;
                let (stream, tls) = (stream.unwrap(), tls.clone());
                std::thread::spawn(move || match tls {
                    Some(tls) => {
                        let connection = ServerConnection::new(tls).unwrap();
                        serve(StreamOwned::new(connection, stream), &shared);
                    }
                    None => serve(stream, &shared),
                });
            }
        });
        Self { address, state }
    }

    /// Answers by this rule from now on.
    pub(crate) fn answer(&self, rule: impl FnMut(&Received) -> Reply + Send + 'static) {
        self.state.lock().unwrap().rule = Some(Box::new(rule));
    }

    /// Returns the URL of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Returns everything that arrived.
    pub(crate) fn received(&self) -> Vec<Received> {
        self.state.lock().unwrap().received.clone()
    }

    /// Returns how often someone has connected.
    pub(crate) fn connections(&self) -> usize {
        self.state.lock().unwrap().connections
    }

    /// Waits until the requests so far fulfil a condition, and returns them.
    pub(crate) async fn wait(&self, what: &str, done: impl Fn(&[Received]) -> bool) -> Vec<Received> {
        for _ in 0..6000 {
            let received = self.received();
            if done(&received) {
                return received;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let ids: Vec<_> = self.received().iter().map(|one| one.id().to_owned()).collect();
        panic!("did not happen: {what}; received {ids:?}")
    }

    /// Waits until this many requests have arrived.
    pub(crate) async fn wait_for(&self, count: usize) -> Vec<Received> {
        self.wait(&format!("{count} deliveries"), |received| received.len() >= count).await
    }
}

impl Received {
    /// Returns a header, which must be there.
    #[track_caller]
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).unwrap_or_else(|| panic!("no {name} in {:?}", self.headers))
    }

    /// Returns the delivery's id.
    pub(crate) fn id(&self) -> &str {
        self.headers.get("webhook-id").map_or("", String::as_str)
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Returns the seq of the event.
    pub(crate) fn seq(&self) -> u64 {
        self.json()["data"]["seq"].as_u64().unwrap()
    }

    /// Returns the id of the match.
    pub(crate) fn match_id(&self) -> String {
        self.json()["data"]["matchId"].as_str().unwrap().to_owned()
    }
}

fn serve(stream: impl Read + Write, state: &Mutex<State>) {
    let mut reader = BufReader::new(stream);
    while let Some(received) = read(&mut reader) {
        let reply = {
            let mut state = state.lock().unwrap();
            state.received.push(received.clone());
            state.rule.as_mut().map_or(Reply::Status(200), |rule| rule(&received))
        };
        let answer = match reply {
            Reply::Status(status) => format!("HTTP/1.1 {status} x\r\ncontent-length: 0\r\n\r\n").into_bytes(),
            Reply::Raw(bytes) => bytes,
            Reply::Nothing => Vec::new(),
        };
        // The service may have gone.
        let _ = reader.get_mut().write_all(&answer);
    }
}

fn read(reader: &mut impl BufRead) -> Option<Received> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return None;
        }
        if line == "\r\n" {
            break;
        }
        lines.push(line.trim().to_owned());
    }
    let path = lines[0].split(' ').nth(1).unwrap().to_owned();
    let header =
        |line: &String| line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned()));
    let headers: BTreeMap<_, _> = lines[1..].iter().filter_map(header).collect();
    let mut body = vec![0; headers.get("content-length").map_or(0, |length| length.parse().unwrap())];
    reader.read_exact(&mut body).ok()?;
    Some(Received { path, headers, body })
}
