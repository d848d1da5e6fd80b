//! Exports as server-sent events: a browser that was cut off goes on after the last whole match.

use http::Method;
use http_body_util::BodyExt;
use serde_json::Value;

use crate::stage::{Backend, Http, Stage};

const SSE: (&str, &str) = ("accept", "text/event-stream");

/// Returns the frames of a stream with their ids.
fn frames(text: &str) -> Vec<(Option<String>, Value)> {
    let blocks = text.split("\n\n").filter(|block| block.contains("data: "));
    let frame = |block: &str| {
        let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name).map(str::to_owned));
        (field("id: "), serde_json::from_str(&field("data: ").unwrap()).unwrap())
    };
    blocks.map(frame).collect()
}

/// Returns the ids of the matches whose logs begin in these frames.
fn begun(frames: &[(Option<String>, Value)]) -> Vec<String> {
    let ids = frames.iter().filter_map(|(_, frame)| frame["header"]["matchId"].as_str());
    ids.map(str::to_owned).collect()
}

fn last_id(frames: &[(Option<String>, Value)]) -> String {
    frames.iter().filter_map(|(id, _)| id.clone()).next_back().unwrap()
}

/// Reads an export until `count` logs have begun, and closes the connection.
async fn cut_off(http: &Http, count: usize) -> String {
    let mut response = http.open(Method::GET, "/v1/logs", &[SSE], "").await;
    let mut text = String::new();
    while text.matches("\"header\":{").count() < count {
        let frame = response.body_mut().frame().await.unwrap().unwrap();
        text.push_str(std::str::from_utf8(frame.data_ref().unwrap()).unwrap());
    }
    text.truncate(text.rfind("\n\n").unwrap() + 2);
    text
}

#[tokio::test]
async fn an_export_that_was_cut_goes_on_after_the_last_whole_match() {
    let stage = Stage::on(Backend::Memory).await;
    let http = Http::of(&stage.address);
    for _ in 0..3 {
        stage.client.table(3, 3, 1).await;
    }
    let whole = frames(http.get("/v1/logs", &[SSE]).await.text());
    let all = begun(&whole);
    assert_eq!(all.len(), 3);
    for (id, frame) in &whole {
        let token = frame["nextPageToken"].as_str().filter(|token| !token.is_empty());
        assert_eq!(id.as_deref(), token, "{frame}");
    }

    let read = frames(&cut_off(&http, 2).await);
    assert!(read.iter().filter(|(_, frame)| frame["head"].is_object()).count() >= 1);
    let whole_matches = read.iter().filter(|(id, frame)| id.is_some() && frame["head"].is_object()).count();
    let resumed = http.get("/v1/logs", &[SSE, ("last-event-id", &last_id(&read))]).await;
    let rest = frames(resumed.text());
    assert_eq!(begun(&rest), all[whole_matches..]);

    // With nothing left an EventSource stops.
    let response = http.get("/v1/logs", &[SSE, ("last-event-id", &last_id(&rest))]).await;
    assert_eq!(response.status, 204);
    // The header counts, not the older URL; lines of JSON end as usual.
    let target = format!("/v1/logs?pageToken={}", last_id(&read));
    assert_eq!(http.get(&target, &[SSE, ("last-event-id", &last_id(&rest))]).await.status, 204);
    let lines = http.get("/v1/logs", &[("last-event-id", &last_id(&rest))]).await;
    assert!(lines.text().contains("\"end\":{"), "{}", lines.text());
    let error = http.get("/v1/logs", &[SSE, ("last-event-id", "5")]).await.refused(400, "INVALID_ARGUMENT");
    assert!(error["message"].as_str().unwrap().starts_with("Last-Event-ID: must be"), "{error}");
    stage.close().await;
}

#[tokio::test]
async fn the_frames_of_one_log_have_no_ids_to_resume_after() {
    let stage = Stage::on(Backend::Memory).await;
    let http = Http::of(&stage.address);
    let id = stage.client.table(3, 3, 1).await.match_id;
    let answer = http.get(&format!("/v1/matches/{id}/log"), &[SSE]).await;
    let read = frames(answer.text());
    assert!(read.len() > 4 && read.iter().all(|(id, _)| id.is_none()), "{}", answer.text());
    // The header belongs to streams: a list does not take it for its page.
    http.get("/v1/games", &[("last-event-id", "5")]).await.json();
    stage.close().await;
}
