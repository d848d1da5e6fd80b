//! Watches over HTTP, as server-sent events and as JSON lines: resuming, completion and interruption.

use std::time::Duration;

use http::{Method, Response, StatusCode};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use serde_json::{Value, json};

use crate::stage::{Backend, Http, Stage, Storage};

const SSE: (&str, &str) = ("accept", "text/event-stream");

/// A server-sent event as EventSource parses it.
#[derive(Debug, Default, Clone, PartialEq)]
struct Event {
    id: Option<String>,
    retry: Option<String>,
    name: String,
    data: Value,
}

/// An incremental reader of a streamed response.
struct Reader {
    response: Response<Incoming>,
    text: String,
}

impl Reader {
    fn of(response: Response<Incoming>) -> Self {
        assert_eq!(response.status(), StatusCode::OK);
        Self { response, text: String::new() }
    }

    /// Returns the text up to and including `delimiter`, or `None` at the end of the stream.
    async fn read_until(&mut self, delimiter: &str) -> Option<String> {
        loop {
            if let Some(at) = self.text.find(delimiter) {
                let rest = self.text.split_off(at + delimiter.len());
                return Some(std::mem::replace(&mut self.text, rest));
            }
            let frame = self.response.body_mut().frame().await?.unwrap();
            self.text.push_str(std::str::from_utf8(frame.data_ref().unwrap()).unwrap());
        }
    }

    async fn event(&mut self) -> Option<Event> {
        let mut event = Event::default();
        for line in self.read_until("\n\n").await?.lines().filter(|line| !line.is_empty()) {
            match line.split_once(": ").unwrap() {
                ("id", id) => event.id = Some(id.to_owned()),
                ("retry", wait) => event.retry = Some(wait.to_owned()),
                ("event", name) => event.name = name.to_owned(),
                ("data", data) => event.data = serde_json::from_str(data).unwrap(),
                ("", _comment) => {}
                other => panic!("{other:?}"),
            }
        }
        Some(event)
    }

    async fn events(mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(event) = self.event().await {
            events.push(event);
        }
        events
    }
}

async fn open_watch(stage: &Stage, target: &str, headers: &[(&str, &str)]) -> Reader {
    Reader::of(Http::of(&stage.address).open(Method::GET, target, headers, "").await)
}

#[tokio::test]
async fn an_event_source_watches_resumes_and_stops() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(3, 3, 2).await;
    let watch = format!("/v1/matches/{}/watch", table.match_id);

    let mut reader = open_watch(&stage, &watch, &[SSE]).await;
    assert_eq!(reader.response.headers()["content-type"], "text/event-stream");
    assert_eq!(reader.response.headers()["cache-control"], "private, no-cache");
    let start = reader.event().await.unwrap();
    assert_eq!((start.id.as_deref(), &start.data["start"]["headSeq"]), (Some("4"), &Value::from(4)));
    stage.client.turn(&table, "1,1", "3,3").await;
    let seen = [reader.event().await.unwrap(), reader.event().await.unwrap()];
    assert_eq!(seen.each_ref().map(|event| event.id.as_deref().unwrap()), ["5", "6"]);
    drop(reader);

    stage.client.turn(&table, "1,1", "3,3").await;
    // EventSource reconnects to the same URL; its header takes precedence.
    let again = [SSE, ("last-event-id", "6")];
    let rest = open_watch(&stage, &format!("{watch}?afterSeq=1"), &again).await.events().await;
    let ids: Vec<&str> = rest.iter().map(|event| event.id.as_deref().unwrap()).collect();
    assert_eq!(ids, ["6", "7", "8", "9", "10", "11"], "the position after event 6, then all later events");
    assert!(rest[5].data["event"]["matchEnded"].is_object());

    let http = Http::of(&stage.address);
    let over = http.get(&watch, &[SSE, ("last-event-id", "11")]).await;
    assert_eq!(
        (over.status.as_u16(), over.body.len()),
        (204, 0),
        "nothing is left, and 204 stops EventSource"
    );
    assert_eq!(http.get(&format!("{watch}?afterSeq=11"), &[SSE]).await.status, 204);
    let ndjson = http.get(&format!("{watch}?afterSeq=11"), &[("accept", "application/x-ndjson")]).await;
    let frames: Vec<Value> = ndjson.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((ndjson.status.as_u16(), frames.len()), (200, 1), "{frames:?}");
    assert_eq!(frames[0]["start"]["headSeq"], 11, "{frames:?}");
    let new_watch = open_watch(&stage, &watch, &[SSE]).await.events().await;
    assert_eq!(new_watch.len(), 1, "a new watcher gets the last position");
    stage.close().await;
}

#[tokio::test]
async fn json_lines_contain_every_event() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(3, 3, 1).await;
    stage.client.turn(&table, "1,1", "3,3").await;
    let watch = format!("/v1/matches/{}/watch?afterSeq=0", table.match_id);
    let http = Http::of(&stage.address);
    for headers in [&[][..], &[("accept", "application/x-ndjson"), ("accept-encoding", "gzip")]] {
        let response = http.get(&watch, headers).await;
        assert_eq!(response.header("content-type"), "application/x-ndjson");
        assert_eq!(response.header("content-encoding"), "", "compression would delay the stream");
        let lines: Vec<Value> =
            response.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let seqs: Vec<u64> = lines[1..].iter().map(|line| line["event"]["seq"].as_u64().unwrap()).collect();
        assert_eq!(seqs, [1, 2, 3, 4, 5, 6, 7, 8]);
    }
    stage.close().await;
}

#[tokio::test]
async fn a_client_without_rules_lives_on_the_stream() {
    let stage = Stage::on(Backend::Memory).await;
    let http = Http::of(&stage.address);
    let table = stage.client.table(3, 3, 2).await;
    let path = format!("/v1/matches/{}", table.match_id);
    let seat = [("matchbook-seat-token", table.tokens[1].as_str())];
    let mut watches = Vec::new();
    for caller in [&[][..], &seat] {
        for includes in ["includeView=true", "include_view=true"] {
            let target = format!("{path}/watch?afterSeq=1&{includes}");
            let events = open_watch(&stage, &target, &[&[SSE], caller].concat()).await;
            watches.push((caller, events, open_watch(&stage, &target, caller).await));
        }
    }
    stage.client.turn(&table, "1,1", "3,3").await;
    stage.client.turn(&table, "1,1", "3,3").await;
    for (caller, events, mut lines) in watches {
        let mut frames: Vec<Value> = events.events().await.into_iter().map(|event| event.data).collect();
        for frame in &mut frames {
            let mut line: Value = serde_json::from_str(&lines.read_until("\n").await.unwrap()).unwrap();
            // Each stream tells the time at which it made the frame.
            for response in [&mut *frame, &mut line] {
                assert!(response.as_object_mut().unwrap().remove("serverTime").unwrap().is_string());
            }
            assert_eq!(*frame, line);
        }
        assert_eq!(lines.read_until("\n").await, None);
        let seqs: Vec<u64> =
            frames[1..].iter().map(|frame| frame["event"]["seq"].as_u64().unwrap()).collect();
        assert_eq!(seqs, (2..=11).collect::<Vec<_>>());
        for frame in &frames {
            let seq = frame["view"]["seq"].as_u64().unwrap();
            assert_eq!(seq, frame["event"]["seq"].as_u64().unwrap_or(1));
            let answer = http.get(&format!("{path}/view?atSeq={seq}"), caller).await.json();
            assert_eq!(frame["view"], answer["view"], "event {seq}");
        }
    }
    stage.close().await;
}

#[tokio::test]
async fn a_shutdown_is_reported_in_the_stream() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(3, 3, 1).await;
    let watch = format!("/v1/matches/{}/watch", table.match_id);
    let mut events = open_watch(&stage, &watch, &[SSE]).await;
    let mut lines = open_watch(&stage, &watch, &[]).await;
    events.event().await.unwrap();
    lines.read_until("\n").await.unwrap();
    let closing = tokio::spawn(stage.close());
    let last = events.event().await.unwrap();
    assert_eq!((last.name.as_str(), last.data["error"]["reason"].as_str()), ("error", Some("SHUTTING_DOWN")));
    assert_eq!(last.retry.as_deref(), Some("1000"), "EventSource reconnects after a pause");
    assert_eq!(events.event().await, None);
    let last: Value = serde_json::from_str(&lines.read_until("\n").await.unwrap()).unwrap();
    assert_eq!((&last["error"]["code"], &last["error"]["status"]), (&json!(503), &json!("UNAVAILABLE")));
    assert_eq!(lines.read_until("\n").await, None);
    closing.await.unwrap();
}

#[tokio::test]
async fn an_idle_stream_gets_heartbeats() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.limits.heartbeat = Duration::from_millis(20);
    let stage = Stage::with(config).await;
    let table = stage.client.table(3, 3, 1).await;
    let mut reader = open_watch(&stage, &format!("/v1/matches/{}/watch", table.match_id), &[SSE]).await;
    reader.event().await.unwrap();
    loop {
        let event = reader.event().await.unwrap();
        if event.data["heartbeat"].is_object() {
            assert_eq!(event.id, None, "a heartbeat is not a position to resume from");
            break;
        }
    }
    drop(reader);
    stage.close().await;
}
