//! The feed over HTTP: lines and server-sent events, resumed by `after` and by `Last-Event-ID`.

use http::Method;
use http_body_util::BodyExt;
use serde_json::Value;

use super::reader::all;
use crate::stage::{Answer, Backend, Http, Stage};

const SSE: (&str, &str) = ("accept", "text/event-stream");
const UP_TO_HEAD: &str = "/v1/feed?follow=false";

/// Returns the id and data of each server-sent event of a complete stream.
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
async fn lines_and_server_sent_events_equal_the_grpc_stream() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(3, 3, 1).await;
    stage.client.turn(&table, "1,1", "3,3").await;
    let (entries, end) = all(&stage.client, "", None).await;
    let http = Http::of(&stage.address);
    let lines = http.get(UP_TO_HEAD, &[]).await;
    assert_eq!(lines.header("content-type"), "application/x-ndjson");
    let lines: Vec<Value> = lines.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), entries.len() + 1);
    for (line, entry) in lines.iter().zip(&entries) {
        assert_eq!(
            (line["cursor"].as_str(), line["event"]["matchId"].as_str()),
            (Some(&*entry.cursor), Some(&*entry.match_id))
        );
        let event = &line["event"]["event"];
        assert_eq!(event["seq"], entry.event.seq);
        assert_eq!(event["recordTimeUs"], entry.event.record_time_us.to_string());
        assert_eq!(event["commitment"].is_string(), entry.event.commitment.is_some());
        assert!(event["opened"].is_null(), "{event}");
    }
    assert_eq!(
        (lines.last().unwrap()["cursor"].as_str(), lines.last().unwrap()["heartbeat"]["caughtUp"].as_bool()),
        (Some(&*end), Some(true))
    );

    let streamed = events(&http.get(UP_TO_HEAD, &[SSE]).await);
    assert!(streamed.iter().all(|(id, data)| data["cursor"] == **id), "an event's id is not its cursor");
    let data: Vec<&Value> = streamed.iter().map(|(_, data)| data).collect();
    for (data, line) in data.iter().zip(&lines).take(entries.len()) {
        assert_eq!(*data, line);
    }
    assert_eq!(data.len(), lines.len());
    stage.close().await;
}

#[tokio::test]
async fn an_event_source_resumes_and_stops_at_the_head() {
    let stage = Stage::on(Backend::Memory).await;
    stage.client.table(3, 3, 1).await;
    let (entries, end) = all(&stage.client, "", None).await;
    let http = Http::of(&stage.address);
    for (n, entry) in entries.iter().enumerate() {
        let after = format!("{UP_TO_HEAD}&after={}", entry.cursor);
        let by_header = [SSE, ("last-event-id", &entry.cursor)];
        // The client repeats its first URL, with a newer header.
        let stale = format!("{UP_TO_HEAD}&after={}", entries[0].cursor);
        for (target, headers) in [(&*after, &[SSE][..]), (UP_TO_HEAD, &by_header), (&*stale, &by_header)] {
            let answer = http.get(target, headers).await;
            if n + 1 == entries.len() {
                assert_eq!((answer.status.as_u16(), answer.body.len()), (204, 0), "204 stops an EventSource");
                continue;
            }
            let ids: Vec<String> = events(&answer).into_iter().map(|(id, _)| id).collect();
            let remaining: Vec<&str> =
                entries[n + 1..].iter().map(|entry| &*entry.cursor).chain([&*end]).collect();
            assert_eq!(ids, remaining);
        }
    }
    for (target, headers, field) in [
        ("/v1/feed?after=x", &[][..], "after"),
        ("/v1/feed", &[SSE, ("last-event-id", "x")], "Last-Event-ID"),
    ] {
        let error = http.get(target, headers).await.refused(400, "INVALID_ARGUMENT");
        assert_eq!(error["details"][1]["fieldViolations"][0]["field"], field, "{error}");
    }
    http.get("/v1/feed?follow=maybe", &[]).await.refused(400, "INVALID_ARGUMENT");
    stage.close().await;
}

#[tokio::test]
async fn a_shutdown_ends_the_feed_over_http_with_a_reason() {
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
    assert_eq!(next().await.unwrap()["error"]["reason"], "SHUTTING_DOWN");
    assert_eq!(next().await, None);
}
