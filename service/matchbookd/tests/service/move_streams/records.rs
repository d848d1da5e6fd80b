//! What log and metrics record of moves on a stream: each as a call of `SubmitMove`, and no secret.

use std::collections::BTreeMap;

use serde_json::Value;

use super::lines::{Lines, line_of};
use super::{MoveStream, move_of};
use crate::metrics::{calls, scrape};
use crate::stage::{Backend, Client, Http, Process, Stage, Storage};

#[tokio::test(flavor = "multi_thread")]
async fn each_move_is_logged_as_a_call_without_secrets() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = Process::serve(&storage, &["--log", "trace", "--log-format", "json"]);
    let client = Client::of(&process.address).await;
    let table = client.table(26, 26, 20).await;
    let mut stream = MoveStream::open(&client).await;
    let request = move_of(&table, 0, "17,19", 71_001);
    let request_id = request.r#move.clone().unwrap().request_id.unwrap();
    stream.send(request);
    stream.submitted(71_001).await;
    stream.send(move_of(&table, 1, "17,20", 71_002));
    assert_eq!(stream.refusal(71_002).await.reason, "ILLEGAL_MOVE");
    let mut wrong = move_of(&table, 1, "18,18", 71_003);
    wrong.seat_token = "mbs_wrong_token".to_owned();
    stream.send(wrong);
    assert_eq!(stream.refusal(71_003).await.reason, "BAD_TOKEN");
    stream.finish().await.unwrap();
    // Over REST, also in a line that is not read: its token stands where a number belongs.
    let mut lines = Lines::open(&process.address).await;
    lines.send(line_of(&table, 1, "17,19", 71_004));
    assert!(lines.line().await.unwrap()["submitted"].is_object());
    lines.send(format!("{{\"seatToken\": 1, \"callId\": \"{}\"}}\n", table.tokens[0]));
    assert_eq!(lines.line().await.unwrap()["error"]["reason"], "INVALID_ARGUMENT");
    let (code, logged) = process.terminate();
    assert_eq!(code, Some(0));

    for secret in [&table.tokens[0], &table.tokens[1], "mbs_", &request_id, "17,19", "17,20", "18,18", "Ann"]
    {
        let found = logged.iter().find(|line| line.contains(secret));
        assert!(found.is_none(), "`{secret}` is in the log: {found:?}");
    }
    let logged: Vec<Value> = logged.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let about = |code: &str| -> Vec<&Value> {
        let is_of =
            |line: &&Value| line["span"]["method"] == "MatchService/SubmitMove" && line["code"] == code;
        logged.iter().filter(is_of).collect()
    };
    let made = about("OK");
    assert_eq!(made.len(), 2);
    assert_ne!(made[0]["span"]["call.id"], made[1]["span"]["call.id"]);
    let [illegal] = about("FAILED_PRECONDITION")[..] else { panic!("{logged:?}") };
    assert_eq!((&illegal["reason"], &illegal["level"]), (&"ILLEGAL_MOVE".into(), &"DEBUG".into()));
    assert!(illegal["duration_ms"].is_number());
    let [unknown] = about("UNAUTHENTICATED")[..] else { panic!("{logged:?}") };
    assert_eq!((&unknown["reason"], &unknown["level"]), (&"BAD_TOKEN".into(), &"INFO".into()));
    for line in made.into_iter().chain([illegal]) {
        assert_eq!(line["span"]["match.id"], *table.match_id, "{line}");
    }
}

#[tokio::test]
async fn each_move_is_counted_as_a_call() {
    let stage = Stage::with(Storage::here(Backend::Memory).await.config()).await;
    let http = Http::of(&stage.address);
    let table = stage.client.table(3, 3, 2).await;
    let before = calls(&scrape(&http).await.0);
    let mut stream = MoveStream::open(&stage.client).await;
    stream.send(move_of(&table, 0, "1,1", 1));
    stream.submitted(1).await;
    stream.send(move_of(&table, 1, "9,9", 2));
    assert_eq!(stream.refusal(2).await.reason, "ILLEGAL_MOVE");
    let (samples, _) = scrape(&http).await;
    assert_eq!(samples["matchbook_open_streams{kind=\"moves\"}"], 1.0);
    assert_eq!(samples["matchbook_refusals_total{reason=\"ILLEGAL_MOVE\"}"], 1.0);
    let mut counted = calls(&samples);
    counted.retain(|call, _| !before.contains_key(call));
    let expected = [
        ("MatchService/SubmitMoves", "OK"),
        ("MatchService/SubmitMove", "OK"),
        ("MatchService/SubmitMove", "FAILED_PRECONDITION"),
    ];
    let expected = expected.map(|(method, code)| ((method.to_owned(), code.to_owned()), 1.0));
    assert_eq!(counted, BTreeMap::from(expected));
    stream.finish().await.unwrap();
    stage.close().await;
}
