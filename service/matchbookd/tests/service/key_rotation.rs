//! `matchbookd key rotate`: another service key for a database that has matches, what goes on working, and who is kept out.

use std::fs;
use std::path::PathBuf;

use audit::{PublicKey, SignedNote};
use rstest::rstest;
use serde_json::Value;
use uuid::Uuid;
use wire::v1::{self, Seat};

use crate::stage::{Backend, Client, Process, Storage, refused, run, sent};

/// Runs the command on this storage.
fn rotate(storage: &Storage, more: &[&str]) -> (i32, String, String) {
    let key_file = storage.key_file();
    let start = ["key", "rotate", "--database", storage.url(), "--key-file", key_file.to_str().unwrap()];
    run(&[&start, more].concat())
}

/// The same with success, and what it tells.
fn rotated(storage: &Storage, more: &[&str]) -> Value {
    let (code, said, complaint) = rotate(storage, &[more, &["--json"]].concat());
    assert_eq!((code, complaint.as_str()), (0, ""));
    serde_json::from_str(&said).unwrap()
}

fn retired_file(storage: &Storage) -> PathBuf {
    storage.key_file().with_file_name("retired.txt")
}

async fn signed_head(client: &Client, match_id: &str) -> SignedNote {
    let request = v1::SignHeadRequest { match_id: match_id.to_owned(), min_seq: None };
    client.logs.clone().sign_head(request).await.unwrap().into_inner().head.unwrap().note.parse().unwrap()
}

async fn keys(client: &Client) -> Vec<v1::SigningKey> {
    client.logs.clone().list_keys(v1::ListKeysRequest {}).await.unwrap().into_inner().keys
}

fn claim(match_id: &str, request_id: Uuid) -> v1::ClaimSeatRequest {
    v1::ClaimSeatRequest {
        match_id: match_id.to_owned(),
        seat: Seat::Zero.into(),
        player_name: "Ann".to_owned(),
        entropy: Vec::new(),
        request_id: Some(request_id.to_string()),
    }
}

#[rstest]
#[tokio::test]
async fn old_notes_and_tokens_stay_good(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let Some(storage) = Storage::of(backend).await else { return };
    let process = Process::serve(&storage, &[]);
    let client = Client::of(&process.address).await;
    let table = client.table(3, 3, 4).await;
    client.turn(&table, "1,1", "3,3").await;
    let old_note = signed_head(&client, &table.match_id).await;
    let old_key: PublicKey = keys(&client).await[0].public_key.parse().unwrap();
    assert!(old_note.is_signed_by(&old_key));
    assert_eq!(process.terminate().0, Some(0));

    let old_bytes = fs::read(storage.key_file()).unwrap();
    let file = retired_file(&storage);
    let flags = ["--retired-keys-file", file.to_str().unwrap()];
    let told = rotated(&storage, &flags);
    let new_key: PublicKey = told["publicKey"].as_str().unwrap().parse().unwrap();
    let kept = PathBuf::from(told["kept"].as_str().unwrap());
    assert_eq!(fs::read(kept).unwrap(), old_bytes);
    assert_ne!(fs::read(storage.key_file()).unwrap(), old_bytes);
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("{}\n", told["retired"].as_str().unwrap()));

    let process = Process::serve(&storage, &flags);
    let client = Client::of(&process.address).await;
    client.turn(&table, "2,2", "1,3").await;
    let new_note = signed_head(&client, &table.match_id).await;
    assert!(new_note.is_signed_by(&new_key) && !new_note.is_signed_by(&old_key));
    let listed = keys(&client).await;
    let names: Vec<PublicKey> = listed.iter().map(|key| key.public_key.parse().unwrap()).collect();
    assert_eq!(names, [new_key, old_key.clone()]);
    assert!(listed[1].until_time.is_some() && listed[0].from_time == listed[1].until_time);
    assert!(old_note.is_signed_by(&names[1]), "what was signed before is checked by the key that is listed");
    assert_eq!(process.terminate().0, Some(0));

    // A second change knows from when on its key was in use.
    let again = rotated(&storage, &flags);
    let line = again["retired"].as_str().unwrap();
    let until = told["retired"].as_str().unwrap().rsplit_once(' ').unwrap().1;
    assert_eq!(line.split(' ').nth(1), Some(until), "{line}");
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 2);
}

#[tokio::test]
async fn the_old_key_opens_nothing_any_more() {
    let storage = Storage::here(Backend::Sqlite).await;
    assert_eq!(Process::serve(&storage, &[]).terminate().0, Some(0));
    let told = rotated(&storage, &[]);
    assert_eq!(told["retiredKeysFile"], Value::Null);
    let kept = told["kept"].as_str().unwrap();
    let arguments = ["--listen", "127.0.0.1:0", "--database", storage.url(), "--key-file", kept];
    let (code, _, complaint) = run(&arguments);
    assert_eq!(code, 5);
    assert!(complaint.contains("not the key of this database"), "{complaint}");
}

#[tokio::test]
async fn a_call_from_before_is_told_that_its_token_can_t_be_made_again() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = Process::serve(&storage, &[]);
    let client = Client::of(&process.address).await;
    let id = client.create(Default::default()).await;
    let request_id = Uuid::new_v4();
    let claimed = client.matches.clone().claim_seat(claim(&id, request_id)).await.unwrap().into_inner();
    assert_eq!(process.terminate().0, Some(0));
    rotated(&storage, &[]);

    let process = Process::serve(&storage, &[]);
    let client = Client::of(&process.address).await;
    let again = refused(client.matches.clone().claim_seat(claim(&id, request_id)).await);
    again.is("request_id_reused", tonic::Code::AlreadyExists, "the service key was replaced");
    // Whoever has the token gets a new one with it.
    let rotate = |request_id: Option<Uuid>| v1::RotateSeatTokenRequest {
        match_id: id.clone(),
        seat: Seat::Zero.into(),
        request_id: request_id.map(|id| id.to_string()),
    };
    let request = sent(rotate(Some(Uuid::new_v4())), Some(&claimed.seat_token));
    let next = client.matches.clone().rotate_seat_token(request).await.unwrap().into_inner();
    assert_ne!(next.seat_token, claimed.seat_token);
    // And from there on repeated calls are answered as ever.
    let request_id = Some(Uuid::new_v4());
    let mut answers = Vec::new();
    for _ in 0..2 {
        let request = sent(rotate(request_id), Some(&next.seat_token));
        answers
            .push(client.matches.clone().rotate_seat_token(request).await.unwrap().into_inner().seat_token);
    }
    assert_eq!(answers[0], answers[1]);
}

#[tokio::test]
async fn replicas_that_serve_are_in_the_way_or_fenced() {
    let Some(storage) = Storage::of(Backend::Postgres).await else { return };
    let mut process = Process::serve(&storage, &[]);
    let client = Client::of(&process.address).await;
    let table = client.table(3, 3, 4).await;
    let old = fs::read(storage.key_file()).unwrap();
    let (code, said, complaint) = rotate(&storage, &[]);
    assert_eq!((code, said.as_str()), (10, ""));
    assert!(complaint.contains("2 writers") && complaint.contains("--fence"), "{complaint}");
    assert_eq!(fs::read(storage.key_file()).unwrap(), old, "nothing has happened");
    client.turn(&table, "1,1", "3,3").await;

    rotated(&storage, &["--fence"]);
    // The old replica ends by itself; whatever it still answers, it can write nothing.
    let moved = client.submit(&table, 0, "2,2").await;
    assert!(moved.is_err(), "{moved:?}");
    let (code, log) = process.wait();
    assert_eq!(code, Some(6), "{log:?}");

    let process = Process::serve(&storage, &[]);
    let client = Client::of(&process.address).await;
    assert_eq!(client.head_seq(&table.match_id).await, 7);
    client.turn(&table, "2,2", "1,3").await;
    assert_eq!(process.terminate().0, Some(0));
    // A stopped one is not in the way.
    rotated(&storage, &[]);
}

#[tokio::test]
async fn an_interrupted_change_goes_on() {
    let storage = Storage::here(Backend::Sqlite).await;
    assert_eq!(Process::serve(&storage, &[]).terminate().0, Some(0));
    let file = retired_file(&storage);
    let flags = ["--retired-keys-file", file.to_str().unwrap()];
    let told = rotated(&storage, &flags);
    // As it lies after the database was bound and before the files were moved.
    let next = storage.key_file().with_file_name("matchbook.key.next");
    fs::rename(storage.key_file(), &next).unwrap();
    fs::rename(told["kept"].as_str().unwrap(), storage.key_file()).unwrap();
    let new = fs::read(&next).unwrap();
    let key_file = storage.key_file();
    let start = ["--listen", "127.0.0.1:0", "--database", storage.url(), "--key-file"];
    let (code, _, complaint) = run(&[&start[..], &[key_file.to_str().unwrap()]].concat());
    assert_eq!(code, 5);
    assert!(complaint.contains("was interrupted; run it again"), "{complaint}");

    let again = rotated(&storage, &flags);
    assert_eq!(fs::read(storage.key_file()).unwrap(), new);
    assert!(!next.exists());
    assert_eq!((&again["retired"], &again["kept"]), (&told["retired"], &told["kept"]));
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 1, "the line is there once");
    assert_eq!(Process::serve(&storage, &flags).terminate().0, Some(0));
}

#[tokio::test]
async fn what_can_t_be_changed() {
    let storage = Storage::here(Backend::Sqlite).await;
    let (code, _, complaint) = rotate(&storage, &[]);
    assert_eq!(code, 4, "{complaint}");
    assert!(!storage.key_file().with_file_name("matchbook.db").exists(), "no database is made");
    assert_eq!(run(&["migrate", "--database", storage.url()]).0, 0);
    let (code, _, complaint) = rotate(&storage, &[]);
    assert_eq!(code, 5);
    assert!(complaint.contains("no service key yet"), "{complaint}");

    let process = Process::serve(&storage, &[]);
    let (code, _, complaint) = rotate(&storage, &["--fence"]);
    assert_eq!(code, 4);
    assert!(complaint.contains("in use by another process"), "{complaint}");
    assert_eq!(process.terminate().0, Some(0));

    let right = fs::read(storage.key_file()).unwrap();
    for (bytes, piece) in [(vec![1; 32], "bound to another key"), (vec![1; 31], "exactly 32")] {
        fs::write(storage.key_file(), bytes).unwrap();
        let (code, _, complaint) = rotate(&storage, &[]);
        assert_eq!(code, 5);
        assert!(complaint.contains(piece), "{complaint}");
    }
    fs::remove_file(storage.key_file()).unwrap();
    let (code, _, complaint) = rotate(&storage, &[]);
    assert_eq!(code, 5);
    assert!(complaint.contains("does not exist"), "{complaint}");
    assert!(!storage.key_file().exists());
    fs::write(storage.key_file(), right).unwrap();
    assert_eq!(Process::serve(&storage, &[]).terminate().0, Some(0));
}
