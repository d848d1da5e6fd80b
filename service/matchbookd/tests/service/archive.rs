//! `matchbookd archive`, and services with and without the archive: whatever was answered before is answered
//! after, or refused with a reason.

use play::{ApiKey, Role};
use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;
use tonic::Code;
use wire::v1;

use crate::stage::{
    Backend, Client, Http, Process, Storage, Table, credential_header, refused as refused_call, run,
};

/// Runs the archiver on a storage.
fn archive(storage: &Storage, to: &str, more: &[&str]) -> (i32, String, String) {
    let key_file = storage.key_file();
    let key_file = key_file.to_str().unwrap();
    let arguments = ["archive", "--database", storage.url(), "--key-file", key_file, "--to", to];
    run(&[&arguments, more].concat())
}

fn folder() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("file://{}", folder.path().display());
    (folder, url)
}

/// Plays a match of Angels and Demons to its end.
async fn finished(client: &Client) -> Table {
    let table = client.table(4, 4, 1).await;
    client.turn(&table, "1,1", "3,3").await;
    table
}

/// Returns everything that can be read of a match, as a spectator and as seat 0.
async fn everything(address: &str, table: &Table) -> Vec<(String, Vec<u8>)> {
    let (http, id) = (Http::of(address), &table.match_id);
    let paths = ["", "/view", "/view?atSeq=4", "/events", "/log", "/head", "/board.svg", "/board.txt"];
    let token = credential_header(&table.tokens[0]);
    let mut all = Vec::new();
    for path in paths {
        for headers in [&[][..], &[(token.0, token.1.as_str())]] {
            let answer = http.get(&format!("/v1/matches/{id}{path}"), headers).await;
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
            all.push((format!("{path} {}", headers.len()), answer.body.to_vec()));
        }
    }
    all
}

#[rstest]
#[tokio::test]
async fn an_archived_match_is_answered_as_before(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let Some(storage) = Storage::of(backend).await else { return };
    let (_folder, url) = folder();
    let process = Process::serve(&storage, &[]);
    let client = Client::of(&process.address).await;
    let (over, running) = (finished(&client).await, client.table(4, 4, 2).await);
    let before = [everything(&process.address, &over).await, everything(&process.address, &running).await];
    let feed = Http::of(&process.address).get("/v1/feed?follow=false", &[]).await;
    let last_line = feed.text().lines().last().unwrap();
    let cursor = serde_json::from_str::<Value>(last_line).unwrap()["cursor"].as_str().unwrap().to_owned();
    assert_eq!(process.terminate().0, Some(0));

    let (code, stdout, stderr) = archive(&storage, &url, &["--older-than", "0s", "--dry-run"]);
    assert_eq!((code, stdout.as_str()), (0, "1 match is old enough to be archived; nothing was changed\n"));
    assert_eq!(stderr, "");
    let (code, stdout, stderr) = archive(&storage, &url, &["--older-than", "0s", "--json"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let summary: Value = serde_json::from_str(stdout.lines().last().unwrap()).unwrap();
    assert_eq!(summary["summary"]["matches"], 1, "{stdout}");
    let (code, stdout, _) = archive(&storage, &url, &["--older-than", "0s"]);
    assert!(code == 0 && stdout.starts_with("archived 0 matches in 0 segments"), "{stdout}");

    let process = Process::serve(&storage, &["--archive", &url]);
    let after = [everything(&process.address, &over).await, everything(&process.address, &running).await];
    for (before, after) in before.iter().flatten().zip(after.iter().flatten()) {
        assert_eq!(before, after);
    }
    let listed = Http::of(&process.address).get("/v1/matches", &[]).await.json();
    assert_eq!(listed["matches"].as_array().unwrap().len(), 2, "{listed}");
    // A fork of it can be played on, and nothing can be added to it.
    let client = Client::of(&process.address).await;
    let late = client.submit(&over, 0, "1,1").await.unwrap_err();
    assert!(late.message().contains("over"), "{late}");

    // The feed would have a hole: it is refused from the start, and read on from where it is whole.
    let http = Http::of(&process.address);
    let refused = http.get("/v1/feed?follow=false", &[]).await.refused(410, "CURSOR_TOO_OLD");
    let complete = refused["details"][0]["metadata"]["cursor"].as_str().unwrap().to_owned();
    let start = v1::StreamFeedRequest::default();
    refused_call(client.logs.clone().stream_feed(start).await)
        .is("CURSOR_TOO_OLD", Code::OutOfRange, "metadata `cursor`")
        .has("cursor", &complete);
    for after in [complete, cursor] {
        let whole = http.get(&format!("/v1/feed?follow=false&after={after}"), &[]).await;
        assert_eq!(whole.status, 200, "{}", whole.text());
        assert!(!whole.text().contains(&over.match_id), "{}", whole.text());
    }
    assert_eq!(process.terminate().0, Some(0));
}

#[rstest]
#[tokio::test]
async fn without_its_archive_a_match_is_refused_and_others_are_served(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let Some(storage) = Storage::of(backend).await else { return };
    let (_folder, url) = folder();
    let process = Process::serve(&storage, &[]);
    let client = Client::of(&process.address).await;
    let (over, running) = (finished(&client).await, client.table(4, 4, 2).await);
    assert_eq!(process.terminate().0, Some(0));
    assert_eq!(archive(&storage, &url, &["--older-than", "0s"]).0, 0);

    let process = Process::serve(&storage, &[]);
    let http = Http::of(&process.address);
    for path in ["", "/view", "/events", "/log", "/board.svg"] {
        let target = format!("/v1/matches/{}{path}", over.match_id);
        let error = http.get(&target, &[]).await.refused(501, "MATCH_ARCHIVED");
        assert!(error["message"].as_str().unwrap().contains("--archive"), "{error}");
    }
    let get = v1::GetMatchRequest { match_id: over.match_id.clone() };
    let refused = refused_call(Client::of(&process.address).await.matches.clone().get_match(get).await);
    refused.is("MATCH_ARCHIVED", Code::Unimplemented, "--archive");
    everything(&process.address, &running).await;
    assert_eq!(process.terminate().0, Some(0));

    // The check before an upgrade counts it, or replays it.
    let key_file = storage.key_file();
    let key_file = key_file.to_str().unwrap();
    let check = ["check-rules", "--database", storage.url(), "--key-file", key_file, "--json"];
    let summary = |stdout: String| serde_json::from_str::<Value>(stdout.lines().last().unwrap()).unwrap();
    let (code, stdout, _) = run(&check);
    let counted = summary(stdout);
    assert_eq!((code, &counted["summary"]["archived"]), (0, &1.into()), "{counted}");
    let (code, stdout, stderr) = run(&[&check[..], &["--archive", &url]].concat());
    assert_eq!(code, 0, "{stderr}");
    let replayed = summary(stdout);
    let figures = (&replayed["summary"]["archived"], &replayed["summary"]["matches"]);
    assert_eq!(figures, (&0.into(), &2.into()), "{replayed}");
}

#[tokio::test]
async fn what_the_archiver_cannot_use_is_told_with_its_exit_code() {
    let storage = Storage::here(Backend::Sqlite).await;
    let (folder, url) = folder();
    let now = ["--older-than", "0s"];
    let (code, _, stderr) = archive(&storage, &url, &now);
    assert!(code == 4 && stderr.contains("does not exist"), "{code}: {stderr}");
    let process = Process::serve(&storage, &[]);
    finished(&Client::of(&process.address).await).await;
    let (code, _, stderr) = archive(&storage, &url, &now);
    assert!(code == 4 && stderr.contains("in use"), "{code}: {stderr}");
    assert_eq!(process.terminate().0, Some(0));
    let (code, _, stderr) = archive(&storage, &format!("{url}/missing"), &now);
    assert!(code == 11 && stderr.contains("create the folder"), "{code}: {stderr}");
    let (code, _, stderr) = archive(&storage, "ftp://host/path", &now);
    assert!(code == 2 && stderr.contains("only `file:`"), "{code}: {stderr}");
    let (code, _, stderr) = archive(&storage, &url, &[]);
    assert!(code == 2 && stderr.contains("--older-than"), "{code}: {stderr}");
    let right = std::fs::read(storage.key_file()).unwrap();
    std::fs::write(storage.key_file(), [1; 32]).unwrap();
    let (code, _, stderr) = archive(&storage, &url, &now);
    assert!(code == 5 && stderr.contains("--key-file"), "{code}: {stderr}");
    std::fs::write(storage.key_file(), right).unwrap();
    let (code, stdout, _) = archive(&storage, &url, &["--older-than", "90d"]);
    assert!(code == 0 && stdout.contains("archived 0 matches"), "{code}: {stdout}");
    assert_eq!(archive(&storage, &url, &now).0, 0);
    let missing = format!("file://{}", folder.path().join("missing").display());
    let key_file = storage.key_file();
    let serve = ["serve", "--listen", "127.0.0.1:0", "--database", storage.url(), "--key-file"];
    let (code, _, stderr) = run(&[&serve[..], &[key_file.to_str().unwrap(), "--archive", &missing]].concat());
    assert!(code == 11 && stderr.contains("--archive"), "{code}: {stderr}");
}

/// The names of players are in no segment, so an erasure needs none.
#[tokio::test]
async fn an_archived_match_stays_private_and_its_player_can_be_erased() {
    let storage = Storage::here(Backend::Sqlite).await;
    let (folder, url) = folder();
    let (key, secret) = ApiKey::generate("shop", Role::App).unwrap();
    let (line, bearer) = (key.to_string(), format!("Bearer {secret}"));
    let app = ("authorization", bearer.as_str());
    let process = Process::serve(&storage, &["--api-key", &line]);
    let options = json!({"rows": 4, "cols": 4, "turns": 1});
    let create = json!({"gameId": "angels-and-demons", "visibility": "VISIBILITY_PRIVATE",
        "options": {"angelsAndDemons": options}});
    let created = Http::of(&process.address).post("/v1/matches", &[app], &create).await.json();
    let match_id = created["match"]["matchId"].as_str().unwrap().to_owned();
    let mut tokens = Vec::new();
    for (seat, name) in [(0, "Zuleika"), (1, "Ben")] {
        let (target, claim) =
            (format!("/v1/matches/{match_id}/seats/{seat}:claim"), json!({"player": {"displayName": name}}));
        let claimed = Http::of(&process.address).post(&target, &[app], &claim).await.json();
        tokens.push(claimed["seatToken"].as_str().unwrap().to_owned());
    }
    let table = Table { match_id, tokens: tokens.try_into().unwrap() };
    let client = Client::of(&process.address).await;
    client.turn(&table, "1,1", "3,3").await;
    assert_eq!(process.terminate().0, Some(0));
    assert_eq!(archive(&storage, &url, &["--older-than", "0s"]).0, 0);
    let segments: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(segments.len(), 1);

    // Without the archive, a stranger does not learn that the match exists.
    let process = Process::serve(&storage, &["--api-key", &line]);
    let path = format!("/v1/matches/{}", table.match_id);
    Http::of(&process.address).get(&path, &[]).await.refused(404, "UNKNOWN_MATCH");
    Http::of(&process.address).get(&path, &[app]).await.refused(501, "MATCH_ARCHIVED");
    assert_eq!(process.terminate().0, Some(0));

    let process = Process::serve(&storage, &["--archive", &url, "--api-key", &line]);
    let http = Http::of(&process.address);
    assert!(http.get(&path, &[app]).await.text().contains("Zuleika"));
    let redacted = http.post(&format!("{path}/seats/0:redactPlayer"), &[app], &json!({})).await;
    assert_eq!(redacted.status, 200, "{}", redacted.text());
    assert!(!http.get(&path, &[app]).await.text().contains("Zuleika"));
    assert_eq!(process.terminate().0, Some(0));
}
