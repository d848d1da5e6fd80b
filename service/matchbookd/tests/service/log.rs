//! What the log records of a call, and what it must not contain.

use serde_json::Value;
use uuid::Uuid;
use wire::v1;

use crate::stage::{Backend, Client, Process, Storage, sent, submit_request};

#[tokio::test(flavor = "multi_thread")]
async fn each_call_is_logged_without_secrets() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = Process::serve(&storage, &["--log", "trace", "--log-format", "json"]);
    let client = Client::of(&process.address).await;
    let table = client.table(26, 26, 20).await;
    let mut matches = client.matches.clone();
    let request_id = Uuid::new_v4().to_string();
    let mut request = submit_request(&table, "17,19");
    request.request_id = Some(request_id.clone());
    matches.submit_move(sent(request, Some(&table.tokens[0]))).await.unwrap();
    let illegal = matches.submit_move(sent(submit_request(&table, "17,20"), Some(&table.tokens[1]))).await;
    let logged_id = illegal.unwrap_err().metadata().get("matchbook-call-id").unwrap().to_owned();
    let unknown = v1::GetViewRequest { match_id: table.match_id.clone(), ..Default::default() };
    matches.get_view(sent(unknown, Some("mbs_wrong_token"))).await.unwrap_err();
    let (code, lines) = process.terminate();
    assert_eq!(code, Some(0));

    for secret in
        [table.tokens[0].as_str(), &table.tokens[1], "mbs_", &request_id, "17,19", "17,20", "Ann", "Bearer"]
    {
        assert!(lines.iter().all(|line| !line.contains(secret)), "`{secret}` is in the log");
    }
    let lines: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let about = |method: &str, code: &str| -> Vec<&Value> {
        let about = |line: &&Value| line["span"]["method"] == method && line["code"] == code;
        lines.iter().filter(about).collect()
    };
    assert_eq!(about("MatchService/ClaimSeat", "OK").len(), 2);
    assert_eq!(about("MatchService/SubmitMove", "OK").len(), 1);
    let [illegal] = about("MatchService/SubmitMove", "FAILED_PRECONDITION")[..] else { panic!("{lines:?}") };
    assert_eq!((&illegal["reason"], &illegal["level"]), (&"ILLEGAL_MOVE".into(), &"DEBUG".into()));
    assert_eq!(illegal["span"]["call.id"], logged_id.to_str().unwrap());
    assert!(illegal["duration_ms"].is_number());
    let [unknown] = about("MatchService/GetView", "UNAUTHENTICATED")[..] else { panic!("{lines:?}") };
    assert_eq!((&unknown["reason"], &unknown["level"]), (&"BAD_TOKEN".into(), &"INFO".into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_line_has_each_field_once() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = Process::serve(&storage, &["--log", "debug"]);
    let client = Client::of(&process.address).await;
    let table = client.table(4, 4, 1).await;
    client.turn(&table, "1,1", "3,3").await;
    let rematch = v1::CreateRematchRequest { match_id: table.match_id.clone(), ..Default::default() };
    let rematch = client.matches.clone().create_rematch(sent(rematch, Some(&table.tokens[0]))).await.unwrap();
    let rematch = rematch.into_inner().r#match.unwrap().match_id;
    let (code, lines) = process.terminate();
    assert_eq!(code, Some(0));
    for name in ["call.id=", "method=", "match.id=", "match.seq="] {
        assert!(lines.iter().any(|line| line.contains(name)), "no line has {name}");
        for line in &lines {
            assert!(line.matches(name).count() <= 1, "{name} more than once: {line}");
        }
    }
    let last = lines.iter().find(|line| line.contains("CreateRematch")).unwrap();
    assert!(last.contains(&format!("match.id={rematch}")), "the match that the call made: {last}");
}
