//! Watching over HTTP: server-sent events and lines of JSON, resumed, ended, and broken off.

use http::{Method, Response, StatusCode};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use serde_json::Value;

use crate::stage::{Backend, Http, Stage, Storage};

const SSE: (&str, &str) = ("accept", "text/event-stream");

/// What an EventSource makes of a stream: id, name and data of each event.
#[derive(Debug, Default, Clone, PartialEq)]
struct Event {
    id: Option<String>,
    retry: Option<String>,
    name: String,
    data: Value,
}

/// A stream as it comes in.
struct Reader {
    response: Response<Incoming>,
    text: String,
}

impl Reader {
    fn of(response: Response<Incoming>) -> Self {
        assert_eq!(response.status(), StatusCode::OK);
        Self { response, text: String::new() }
    }

    /// The next piece that ends with `ending`; none at the end of the stream.
    async fn until(&mut self, ending: &str) -> Option<String> {
        loop {
            if let Some(at) = self.text.find(ending) {
                let rest = self.text.split_off(at + ending.len());
                return Some(std::mem::replace(&mut self.text, rest));
            }
            let frame = self.response.body_mut().frame().await?.unwrap();
            self.text.push_str(std::str::from_utf8(frame.data_ref().unwrap()).unwrap());
        }
    }

    async fn event(&mut self) -> Option<Event> {
        let mut event = Event::default();
        for line in self.until("\n\n").await?.lines().filter(|line| !line.is_empty()) {
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

async fn watched(stage: &Stage, target: &str, headers: &[(&str, &str)]) -> Reader {
    Reader::of(Http::of(&stage.address).open(Method::GET, target, headers, "").await)
}

#[tokio::test]
async fn an_event_source_follows_resumes_and_stops() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(3, 3, 2).await;
    let watch = format!("/v1/matches/{}/watch", table.match_id);

    let mut reader = watched(&stage, &watch, &[SSE]).await;
    assert_eq!(reader.response.headers()["content-type"], "text/event-stream");
    assert_eq!(reader.response.headers()["cache-control"], "private, no-cache");
    let start = reader.event().await.unwrap();
    assert_eq!((start.id.as_deref(), &start.data["start"]["headSeq"]), (Some("4"), &Value::from(4)));
    stage.client.turn(&table, "1,1", "3,3").await;
    let seen = [reader.event().await.unwrap(), reader.event().await.unwrap()];
    assert_eq!(seen.each_ref().map(|event| event.id.as_deref().unwrap()), ["5", "6"]);
    drop(reader);

    stage.client.turn(&table, "1,1", "3,3").await;
    // The URL stays as it was; the header is newer.
    let again = [SSE, ("last-event-id", "6")];
    let rest = watched(&stage, &format!("{watch}?afterSeq=1"), &again).await.events().await;
    let ids: Vec<&str> = rest.iter().map(|event| event.id.as_deref().unwrap()).collect();
    assert_eq!(ids, ["6", "7", "8", "9", "10", "11"], "the position of 6 and then all events to the end");
    assert!(rest[5].data["event"]["matchEnded"].is_object());

    let http = Http::of(&stage.address);
    let over = http.get(&watch, &[SSE, ("last-event-id", "11")]).await;
    assert_eq!(
        (over.status.as_u16(), over.body.len()),
        (204, 0),
        "nothing is left, and EventSource asks no more"
    );
    assert_eq!(http.get(&format!("{watch}?afterSeq=11"), &[SSE]).await.status, 204);
    let first_look = watched(&stage, &watch, &[SSE]).await.events().await;
    assert_eq!(first_look.len(), 1, "who has seen nothing is shown the last position");
    stage.close().await;
}

#[tokio::test]
async fn the_same_as_lines() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(3, 3, 1).await;
    stage.client.turn(&table, "1,1", "3,3").await;
    let watch = format!("/v1/matches/{}/watch?afterSeq=0", table.match_id);
    let http = Http::of(&stage.address);
    for headers in [&[][..], &[("accept", "application/x-ndjson"), ("accept-encoding", "gzip")]] {
        let answer = http.get(&watch, headers).await;
        assert_eq!(answer.header("content-type"), "application/x-ndjson");
        assert_eq!(answer.header("content-encoding"), "", "a packed stream would come late");
        let lines: Vec<Value> =
            answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let seqs: Vec<u64> = lines[1..].iter().map(|line| line["event"]["seq"].as_u64().unwrap()).collect();
        assert_eq!(seqs, [1, 2, 3, 4, 5, 6, 7, 8]);
    }
    stage.close().await;
}

#[tokio::test]
async fn an_end_before_the_end_is_told_in_the_stream() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(3, 3, 1).await;
    let watch = format!("/v1/matches/{}/watch", table.match_id);
    let mut events = watched(&stage, &watch, &[SSE]).await;
    let mut lines = watched(&stage, &watch, &[]).await;
    events.event().await.unwrap();
    lines.until("\n").await.unwrap();
    let closing = tokio::spawn(stage.close());
    let last = events.event().await.unwrap();
    assert_eq!((last.name.as_str(), last.data["error"]["reason"].as_str()), ("error", Some("shutting_down")));
    assert_eq!(last.retry.as_deref(), Some("1000"), "an EventSource comes back by itself, and not at once");
    assert_eq!(events.event().await, None);
    let last: Value = serde_json::from_str(&lines.until("\n").await.unwrap()).unwrap();
    assert_eq!(last["error"]["code"], "UNAVAILABLE");
    assert_eq!(lines.until("\n").await, None);
    closing.await.unwrap();
}

#[tokio::test]
async fn silence_is_broken() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.limits.heartbeat_ms = 20;
    let stage = Stage::with(config).await;
    let table = stage.client.table(3, 3, 1).await;
    let mut reader = watched(&stage, &format!("/v1/matches/{}/watch", table.match_id), &[SSE]).await;
    reader.event().await.unwrap();
    loop {
        let event = reader.event().await.unwrap();
        if event.data["heartbeat"].is_object() {
            assert_eq!(event.id, None, "a heartbeat is no place to go on from");
            break;
        }
    }
    drop(reader);
    stage.close().await;
}
