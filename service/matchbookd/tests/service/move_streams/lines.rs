//! The stream of moves over REST: lines of JSON in both directions.

use std::convert::Infallible;

use bytes::Bytes;
use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::UnboundedReceiverStream;
use uuid::Uuid;

use crate::stage::{Backend, Http, Stage, Storage, Table};

const TARGET: &str = "/v1/moves:submit";
const LINES: (&str, &str) = ("content-type", "application/x-ndjson");

/// A request whose body is still being sent.
pub(super) struct Lines {
    sender: Option<UnboundedSender<String>>,
    body: Incoming,
    text: String,
}

impl Lines {
    pub(super) async fn open(address: &str) -> Self {
        let (sender, receiver) = unbounded_channel();
        let frames = UnboundedReceiverStream::new(receiver)
            .map(|text: String| Ok::<_, Infallible>(Frame::data(Bytes::from(text))));
        let stream = TcpStream::connect(address).await.unwrap();
        let (mut http, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        let request = Request::post(TARGET).header("host", address).header(LINES.0, LINES.1);
        let response = http.send_request(request.body(StreamBody::new(frames)).unwrap()).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "application/x-ndjson");
        Self { sender: Some(sender), body: response.into_body(), text: String::new() }
    }

    pub(super) fn send(&self, text: impl Into<String>) {
        self.sender.as_ref().unwrap().send(text.into()).unwrap();
    }

    /// Returns the next line, or `None` at the end of the response.
    pub(super) async fn line(&mut self) -> Option<Value> {
        loop {
            if let Some((line, rest)) = self.text.split_once('\n') {
                let value = serde_json::from_str(line).unwrap();
                self.text = rest.to_owned();
                return Some(value);
            }
            let frame = self.body.frame().await?.unwrap();
            self.text.push_str(std::str::from_utf8(frame.data_ref().unwrap()).unwrap());
        }
    }
}

pub(super) fn line_of(table: &Table, seat: usize, notation: &str, call_id: u32) -> String {
    let request = json!({
        "callId": call_id,
        "seatToken": table.tokens[seat],
        "move": {
            "matchId": table.match_id,
            "notation": notation,
            "requestId": Uuid::new_v4().to_string(),
            "answer": "MOVE_ANSWER_RECEIPT",
        },
    });
    format!("{request}\n")
}

#[tokio::test]
async fn answers_come_while_requests_are_being_sent() {
    let stage = Stage::with(Storage::here(Backend::Memory).await.config()).await;
    let table = stage.client.table(4, 4, 2).await;
    let mut lines = Lines::open(&stage.address).await;
    lines.send(line_of(&table, 0, "1,1", 1));
    let first = lines.line().await.unwrap();
    assert_eq!(first["callId"], "1", "64-bit numbers are texts in JSON");
    assert_eq!(first["submitted"]["receipt"]["seq"], 5, "{first}");
    // Cut anywhere, with blank lines between, and without a line break at the end.
    let second = line_of(&table, 1, "1,1", 2);
    let (start, end) = second.split_at(17);
    lines.send(format!("\n\r\n{start}"));
    lines.send(end);
    assert_eq!(lines.line().await.unwrap()["submitted"]["receipt"]["seq"], 7);
    lines.send(line_of(&table, 1, "9,9", 3).trim_end());
    lines.sender = None;
    let third = lines.line().await.unwrap();
    assert_eq!(third["refusal"]["reason"], "ILLEGAL_MOVE", "{third}");
    assert_eq!(lines.line().await, None);
    stage.close().await;
}

#[tokio::test]
async fn fields_of_a_refused_move_have_their_json_names() {
    let stage = Stage::with(Storage::here(Backend::Memory).await.config()).await;
    let mut lines = Lines::open(&stage.address).await;
    lines.send("{\"callId\": 1, \"move\": {\"matchId\": \"x\", \"notation\": \"1,1\"}}\n");
    let refusal = lines.line().await.unwrap()["refusal"].clone();
    assert_eq!(refusal["fields"][0]["field"], "move.matchId", "{refusal}");
    assert!(refusal["message"].as_str().unwrap().starts_with("move.matchId: "), "{refusal}");
    stage.close().await;
}

#[tokio::test]
async fn a_line_that_is_no_request_ends_the_stream_after_the_answers_before_it() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.limits.max_message_bytes = 10_000;
    let stage = Stage::with(config).await;
    for (bad, reason, piece) in [
        ("{\"call\": 1}\n".to_owned(), "INVALID_ARGUMENT", "line 2: call: "),
        ("{\"callId\": \n".to_owned(), "INVALID_ARGUMENT", "line 2: "),
        ("[]\n".to_owned(), "INVALID_ARGUMENT", "line 2: "),
        (" ".repeat(10_001), "MESSAGE_TOO_LARGE", "10000 bytes"),
        (format!("{{\"seatToken\": \"{}\"}}\n", "x".repeat(10_000)), "MESSAGE_TOO_LARGE", "10000 bytes"),
    ] {
        let table = stage.client.table(4, 4, 2).await;
        let mut lines = Lines::open(&stage.address).await;
        lines.send(line_of(&table, 0, "1,1", 1) + &bad + &line_of(&table, 1, "1,1", 2));
        assert_eq!(lines.line().await.unwrap()["submitted"]["receipt"]["seq"], 5);
        let end = lines.line().await.unwrap()["error"].clone();
        assert_eq!(end["reason"], reason, "{end}");
        assert!(end["message"].as_str().unwrap().contains(piece), "`{piece}` is not in {end}");
        assert_eq!(lines.line().await, None);
        assert_eq!(stage.client.head_seq(&table.match_id).await, 5);
    }
    stage.close().await;
}

#[tokio::test]
async fn only_uncompressed_lines_are_taken_and_nothing_in_the_query() {
    let stage = Stage::with(Storage::here(Backend::Memory).await.config()).await;
    let http = Http::of(&stage.address);
    for headers in
        [vec![("content-type", "application/json")], vec![], vec![LINES, ("content-encoding", "gzip")]]
    {
        let answer = http.send(Method::POST, TARGET, &headers, "{}\n").await;
        let error = answer.refused(415, "UNSUPPORTED_MEDIA_TYPE");
        assert!(error["message"].as_str().unwrap().contains("application/x-ndjson"), "{error}");
    }
    let answer = http.send(Method::POST, &format!("{TARGET}?callId=1"), &[LINES], "{}\n").await;
    answer.refused(400, "INVALID_ARGUMENT");
    http.get(TARGET, &[]).await.refused(405, "METHOD_NOT_ALLOWED");
    let nothing = http.send(Method::POST, TARGET, &[LINES], "").await;
    assert_eq!((nothing.status, nothing.text()), (StatusCode::OK, ""));
    stage.close().await;
}
