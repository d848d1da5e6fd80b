//! The feed over HTTP: lines and server-sent events, resumed by `after` and by `Last-Event-ID`.

use http::Method;
use http_body_util::BodyExt;
use serde_json::Value;

use super::reader::all;
use crate::stage::{Answer, Backend, Http, Stage};

const SSE: (&str, &str) = ("accept", "text/event-stream");
const UP_TO_NOW: &str = "/v1/feed?follow=false";

/// The data of each event of a whole stream, with its id.
fn events(answer: &Answer) -> Vec<(String, Value)> {
    assert_eq!(answer.header("content-type"), "text/event-stream", "{}", answer.text());
    let event = |text: &str| {
        let (id, data) = text.split_once('\n').unwrap();
        let (id, data) = (id.strip_prefix("id: ").unwrap(), data.strip_prefix("data: ").unwrap());
        (id.to_owned(), serde_json::from_str(data).unwrap())
    };
    answer.text().split_terminator("\n\n").map(event).collect()
}

#[tokio::test]
async fn lines_and_events_are_what_grpc_says() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(3, 3, 1).await;
    stage.client.turn(&table, "1,1", "3,3").await;
    let (items, end) = all(&stage.client, "", None).await;
    let http = Http::of(&stage.address);
    let lines = http.get(UP_TO_NOW, &[]).await;
    assert_eq!(lines.header("content-type"), "application/x-ndjson");
    let lines: Vec<Value> = lines.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), items.len() + 1);
    for (line, item) in lines.iter().zip(&items) {
        assert_eq!(
            (line["cursor"].as_str(), line["event"]["matchId"].as_str()),
            (Some(&*item.cursor), Some(&*item.match_id))
        );
        let event = &line["event"]["event"];
        assert_eq!(event["seq"], item.event.seq);
        assert_eq!(event["recordedTime"], item.event.recorded_time.to_string());
        assert_eq!(event["commitment"].is_string(), item.event.commitment.is_some());
        assert!(event["opened"].is_null(), "{event}");
    }
    assert_eq!(
        (lines.last().unwrap()["cursor"].as_str(), lines.last().unwrap()["heartbeat"]["caughtUp"].as_bool()),
        (Some(&*end), Some(true))
    );

    let streamed = events(&http.get(UP_TO_NOW, &[SSE]).await);
    assert!(streamed.iter().all(|(id, data)| data["cursor"] == **id), "the id of an event is its cursor");
    let data: Vec<&Value> = streamed.iter().map(|(_, data)| data).collect();
    for (data, line) in data.iter().zip(&lines).take(items.len()) {
        assert_eq!(*data, line);
    }
    assert_eq!(data.len(), lines.len());
    stage.close().await;
}

#[tokio::test]
async fn an_event_source_goes_on_where_it_was_and_stops() {
    let stage = Stage::on(Backend::Memory).await;
    stage.client.table(3, 3, 1).await;
    let (items, end) = all(&stage.client, "", None).await;
    let http = Http::of(&stage.address);
    for (n, item) in items.iter().enumerate() {
        let after = format!("{UP_TO_NOW}&after={}", item.cursor);
        let by_header = [SSE, ("last-event-id", &item.cursor)];
        // The URL stays as it was; the header is newer.
        let stale = format!("{UP_TO_NOW}&after={}", items[0].cursor);
        for (target, headers) in [(&*after, &[SSE][..]), (UP_TO_NOW, &by_header), (&*stale, &by_header)] {
            let answer = http.get(target, headers).await;
            if n + 1 == items.len() {
                assert_eq!((answer.status.as_u16(), answer.body.len()), (204, 0), "EventSource asks no more");
                continue;
            }
            let ids: Vec<String> = events(&answer).into_iter().map(|(id, _)| id).collect();
            let left: Vec<&str> = items[n + 1..].iter().map(|item| &*item.cursor).chain([&*end]).collect();
            assert_eq!(ids, left);
        }
    }
    for (target, headers) in [("/v1/feed?after=x", &[][..]), ("/v1/feed", &[SSE, ("last-event-id", "x")])] {
        let error = http.get(target, headers).await.refused(400, "invalid_argument");
        assert_eq!(error["details"][1]["fieldViolations"][0]["field"], "after", "{error}");
    }
    http.get("/v1/feed?follow=maybe", &[]).await.refused(400, "invalid_argument");
    stage.close().await;
}

#[tokio::test]
async fn a_follower_over_http_is_told_of_a_stop() {
    let stage = Stage::on(Backend::Memory).await;
    let mut lines = Http::of(&stage.address).open(Method::GET, "/v1/feed", &[], "").await;
    let mut next = async || {
        let frame = lines.body_mut().frame().await?.unwrap().into_data().unwrap();
        Some(serde_json::from_slice::<Value>(&frame).unwrap())
    };
    assert_eq!(next().await.unwrap()["heartbeat"]["caughtUp"], true);
    let match_id = stage.client.create(Default::default()).await;
    assert_eq!(next().await.unwrap()["event"]["matchId"], *match_id);
    stage.close().await;
    assert_eq!(next().await.unwrap()["error"]["reason"], "shutting_down");
    assert_eq!(next().await, None);
}
