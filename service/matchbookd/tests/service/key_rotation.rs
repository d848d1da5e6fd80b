//! `matchbookd key rotate` on a database with matches: what remains valid, and who is locked out.

use std::fs;
use std::path::PathBuf;

use audit::{PublicKey, SignedNote};
use rstest::rstest;
use serde_json::Value;
use uuid::Uuid;
use wire::v1::{self};

use crate::stage::{Backend, Client, Process, Storage, run, sent};

/// Runs `key rotate` on this storage; returns the exit code, stdout and stderr.
fn rotate(storage: &Storage, more: &[&str]) -> (i32, String, String) {
    let key_file = storage.key_file();
    let start = ["key", "rotate", "--database", storage.url(), "--key-file", key_file.to_str().unwrap()];
    run(&[&start, more].concat())
}

/// Runs `key rotate`, asserts that it succeeds, and returns its JSON output.
fn rotate_ok(storage: &Storage, more: &[&str]) -> Value {
    let (code, stdout, stderr) = rotate(storage, &[more, &["--json"]].concat());
    assert_eq!((code, stderr.as_str()), (0, ""));
    serde_json::from_str(&stdout).unwrap()
}

fn retired_file(storage: &Storage) -> PathBuf {
    storage.key_file().with_file_name("retired.txt")
}

async fn signed_head(client: &Client, match_id: &str) -> SignedNote {
    let request = v1::SignHeadRequest { match_id: match_id.to_owned(), min_seq: None };
    client.logs.clone().sign_head(request).await.unwrap().into_inner().head.unwrap().note.parse().unwrap()
}

async fn keys_of(client: &Client) -> Vec<v1::SigningKey> {
    client.logs.clone().list_keys(v1::ListKeysRequest::default()).await.unwrap().into_inner().keys
}

fn claim(match_id: &str, request_id: Uuid) -> v1::ClaimSeatRequest {
    v1::ClaimSeatRequest {
        match_id: match_id.to_owned(),
        seat: Some(0),
        player: Some(v1::Player::named("Ann")),
        entropy: Vec::new(),
        request_id: Some(request_id.to_string()),
        claim_secret: Some(format!("secret-{request_id}")),
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn old_notes_and_tokens_remain_valid(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let Some(storage) = Storage::of(backend).await else { return };
    let process = Process::serve(&storage, &[]);
    let client = Client::of(&process.address).await;
    let table = client.table(3, 3, 4).await;
    client.turn(&table, "1,1", "3,3").await;
    let old_note = signed_head(&client, &table.match_id).await;
    let old_key: PublicKey = keys_of(&client).await[0].public_key.parse().unwrap();
    assert!(old_note.is_signed_by(&old_key));
    assert_eq!(process.terminate().0, Some(0));

    let old_bytes = fs::read(storage.key_file()).unwrap();
    let file = retired_file(&storage);
    let flags = ["--retired-keys-file", file.to_str().unwrap()];
    let first = rotate_ok(&storage, &flags);
    let new_key: PublicKey = first["publicKey"].as_str().unwrap().parse().unwrap();
    let kept = PathBuf::from(first["kept"].as_str().unwrap());
    assert_eq!(fs::read(kept).unwrap(), old_bytes);
    assert_ne!(fs::read(storage.key_file()).unwrap(), old_bytes);
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("{}\n", first["retired"].as_str().unwrap()));

    let process = Process::serve(&storage, &flags);
    let client = Client::of(&process.address).await;
    client.turn(&table, "2,2", "1,3").await;
    let new_note = signed_head(&client, &table.match_id).await;
    assert!(new_note.is_signed_by(&new_key) && !new_note.is_signed_by(&old_key));
    let listed = keys_of(&client).await;
    let names: Vec<PublicKey> = listed.iter().map(|key| key.public_key.parse().unwrap()).collect();
    assert_eq!(names, [new_key, old_key.clone()]);
    assert!(listed[1].until_time.is_some() && listed[0].from_time == listed[1].until_time);
    assert!(old_note.is_signed_by(&names[1]), "the listed retired key does not verify the old note");
    assert_eq!(process.terminate().0, Some(0));

    // The second rotation records when the key that it retires came into use.
    let second = rotate_ok(&storage, &flags);
    let line = second["retired"].as_str().unwrap();
    let until = first["retired"].as_str().unwrap().rsplit_once(' ').unwrap().1;
    assert_eq!(line.split(' ').nth(1), Some(until), "{line}");
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 2);
}

#[tokio::test]
async fn the_old_key_is_rejected_at_startup() {
    let storage = Storage::here(Backend::Sqlite).await;
    assert_eq!(Process::serve(&storage, &[]).terminate().0, Some(0));
    let first = rotate_ok(&storage, &[]);
    assert_eq!(first["retiredKeysFile"], Value::Null);
    let kept = first["kept"].as_str().unwrap();
    let arguments = ["--listen", "127.0.0.1:0", "--database", storage.url(), "--key-file", kept];
    let (code, _, stderr) = run(&arguments);
    assert_eq!(code, 5);
    assert!(stderr.contains("not the key of this database"), "{stderr}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retry_from_before_the_rotation_cannot_return_its_token() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = Process::serve(&storage, &[]);
    let client = Client::of(&process.address).await;
    let id = client.create(Default::default()).await;
    let request_id = Uuid::new_v4();
    let claimed = client.matches.clone().claim_seat(claim(&id, request_id)).await.unwrap().into_inner();
    assert_eq!(process.terminate().0, Some(0));
    rotate_ok(&storage, &[]);

    let process = Process::serve(&storage, &[]);
    let client = Client::of(&process.address).await;
    // The secret makes another token under the new key, so the service cannot tell that it is the right one.
    let second = client.matches.clone().claim_seat(claim(&id, request_id)).await.unwrap().into_inner();
    assert_eq!(second, v1::ClaimSeatResponse { seat_token: String::new(), ..claimed.clone() });
    // The holder of the token can exchange it for a new one.
    let rotate = |request_id: Option<Uuid>| v1::RotateSeatTokenRequest {
        match_id: id.clone(),
        seat: Some(0),
        request_id: request_id.map(|id| id.to_string()),
        claim_secret: request_id.map(|id| format!("secret-{id}")),
    };
    let request = sent(rotate(Some(Uuid::new_v4())), Some(&claimed.seat_token));
    let next = client.matches.clone().rotate_seat_token(request).await.unwrap().into_inner();
    assert_ne!(next.seat_token, claimed.seat_token);
    // Retries after the rotation return the same token again.
    let request_id = Some(Uuid::new_v4());
    let mut answers = Vec::new();
    for _ in 0..2 {
        let request = sent(rotate(request_id), Some(&next.seat_token));
        answers
            .push(client.matches.clone().rotate_seat_token(request).await.unwrap().into_inner().seat_token);
    }
    assert_eq!(answers[0], answers[1]);
    assert!(answers[0].starts_with("mbs_"));
}

#[tokio::test(flavor = "multi_thread")]
async fn running_replicas_block_the_rotation_or_are_fenced() {
    let Some(storage) = Storage::of(Backend::Postgres).await else { return };
    let mut process = Process::serve(&storage, &[]);
    let client = Client::of(&process.address).await;
    let table = client.table(3, 3, 4).await;
    let old = fs::read(storage.key_file()).unwrap();
    let (code, stdout, stderr) = rotate(&storage, &[]);
    assert_eq!((code, stdout.as_str()), (10, ""));
    assert!(stderr.contains("2 open writers") && stderr.contains("--fence"), "{stderr}");
    assert_eq!(fs::read(storage.key_file()).unwrap(), old, "a rejected rotation changed the key file");
    client.turn(&table, "1,1", "3,3").await;

    rotate_ok(&storage, &["--fence"]);
    // The fenced replica stops; until then it can write nothing.
    let outcome = client.submit(&table, 0, "2,2").await;
    assert!(outcome.is_err(), "{outcome:?}");
    let (code, log) = process.wait();
    assert_eq!(code, Some(6), "{log:?}");

    let process = Process::serve(&storage, &[]);
    let client = Client::of(&process.address).await;
    assert_eq!(client.head_seq(&table.match_id).await, 7);
    client.turn(&table, "2,2", "1,3").await;
    assert_eq!(process.terminate().0, Some(0));
    // A stopped replica does not block the rotation.
    rotate_ok(&storage, &[]);
}

#[tokio::test]
async fn an_interrupted_rotation_resumes() {
    let storage = Storage::here(Backend::Sqlite).await;
    assert_eq!(Process::serve(&storage, &[]).terminate().0, Some(0));
    let file = retired_file(&storage);
    let flags = ["--retired-keys-file", file.to_str().unwrap()];
    let first = rotate_ok(&storage, &flags);
    // Restore the state after the database was bound to the new key and before the files were moved.
    let next = storage.key_file().with_file_name("matchbook.key.next");
    fs::rename(storage.key_file(), &next).unwrap();
    fs::rename(first["kept"].as_str().unwrap(), storage.key_file()).unwrap();
    let new = fs::read(&next).unwrap();
    let key_file = storage.key_file();
    let start = ["--listen", "127.0.0.1:0", "--database", storage.url(), "--key-file"];
    let (code, _, stderr) = run(&[&start[..], &[key_file.to_str().unwrap()]].concat());
    assert_eq!(code, 5);
    assert!(stderr.contains("was interrupted; run it again"), "{stderr}");

    let second = rotate_ok(&storage, &flags);
    assert_eq!(fs::read(storage.key_file()).unwrap(), new);
    assert!(!next.exists());
    assert_eq!((&second["retired"], &second["kept"]), (&first["retired"], &first["kept"]));
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 1, "the retired key is listed once");
    assert_eq!(Process::serve(&storage, &flags).terminate().0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn rotations_within_one_second_keep_every_key() {
    let storage = Storage::here(Backend::Sqlite).await;
    assert_eq!(Process::serve(&storage, &[]).terminate().0, Some(0));
    let file = retired_file(&storage);
    let flags = ["--retired-keys-file", file.to_str().unwrap()];
    let mut keys = vec![fs::read(storage.key_file()).unwrap()];
    let mut kept = Vec::new();
    // Far more than fit into different seconds.
    for _ in 0..8 {
        kept.push(PathBuf::from(rotate_ok(&storage, &flags)["kept"].as_str().unwrap()));
        keys.push(fs::read(storage.key_file()).unwrap());
    }
    for (kept, key) in kept.iter().zip(&keys) {
        assert_eq!(&fs::read(kept).unwrap(), key, "{}", kept.display());
    }
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 8);
    let process = Process::serve(&storage, &flags);
    let client = Client::of(&process.address).await;
    assert_eq!(keys_of(&client).await.len(), 9);
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test]
async fn a_file_of_retired_keys_that_cannot_be_written_is_refused_before_anything_changes() {
    let storage = Storage::here(Backend::Sqlite).await;
    assert_eq!(Process::serve(&storage, &[]).terminate().0, Some(0));
    let (code, _, stderr) = rotate(&storage, &["--retired-keys-file", "/no/such/folder/retired"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("--retired-keys-file: /no/such/folder/retired cannot be written"), "{stderr}");
    assert!(stderr.contains("changed nothing"), "{stderr}");
    assert_eq!(Process::serve(&storage, &[]).terminate().0, Some(0));
}

#[tokio::test]
async fn a_database_belongs_to_a_service_name() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = Process::serve(&storage, &["--service-name", "play.example"]);
    assert_eq!(process.terminate().0, Some(0));
    let old_key = fs::read(storage.key_file()).unwrap();

    let key_file = storage.key_file();
    let start = ["--listen", "127.0.0.1:0", "--database", storage.url(), "--key-file"];
    let (code, _, stderr) = run(&[&start[..], &[key_file.to_str().unwrap()]].concat());
    assert_eq!(code, 5);
    assert!(stderr.contains("start with --service-name play.example"), "{stderr}");
    let (code, _, stderr) = rotate(&storage, &["--service-name", "shop.example"]);
    assert_eq!(code, 5);
    assert!(stderr.contains("belongs to the service play.example") && stderr.contains("nothing was changed"));
    assert_eq!(fs::read(&key_file).unwrap(), old_key);

    // Without a name, the old key is retired under the database's.
    let first = rotate_ok(&storage, &[]);
    assert_eq!(first["serviceName"], "play.example");
    assert!(first["retired"].as_str().unwrap().starts_with("play.example+"), "{first}");
    let second = rotate_ok(&storage, &["--service-name", "play.example", "--rename-to", "shop.example"]);
    assert!(second["retired"].as_str().unwrap().starts_with("play.example+"), "{second}");
    assert!(second["publicKey"].as_str().unwrap().starts_with("shop.example+"), "{second}");
    assert_eq!(Process::serve(&storage, &["--service-name", "shop.example"]).terminate().0, Some(0));
}

#[tokio::test]
async fn an_interrupted_renaming_retires_the_key_under_its_old_name() {
    let storage = Storage::here(Backend::Sqlite).await;
    assert_eq!(Process::serve(&storage, &["--service-name", "old.example"]).terminate().0, Some(0));
    let first = rotate_ok(&storage, &["--rename-to", "new.example"]);
    // Restore the state after the database was bound to the new key and before the files were moved.
    fs::rename(storage.key_file(), storage.key_file().with_file_name("matchbook.key.next")).unwrap();
    fs::rename(first["kept"].as_str().unwrap(), storage.key_file()).unwrap();
    let second = rotate_ok(&storage, &[]);
    assert!(second["retired"].as_str().unwrap().starts_with("old.example+"), "{second}");
    assert_eq!(second["publicKey"], first["publicKey"]);
}

#[tokio::test]
async fn a_rotation_without_a_bound_database_and_its_key_is_rejected() {
    let storage = Storage::here(Backend::Sqlite).await;
    let (code, _, stderr) = rotate(&storage, &[]);
    assert_eq!(code, 4, "{stderr}");
    assert!(!storage.key_file().with_file_name("matchbook.db").exists(), "the command created a database");
    assert_eq!(run(&["migrate", "--database", storage.url()]).0, 0);
    let (code, _, stderr) = rotate(&storage, &[]);
    assert_eq!(code, 5);
    assert!(stderr.contains("no service key yet"), "{stderr}");

    let process = Process::serve(&storage, &[]);
    let (code, _, stderr) = rotate(&storage, &["--fence"]);
    assert_eq!(code, 4);
    assert!(stderr.contains("in use by another process"), "{stderr}");
    assert_eq!(process.terminate().0, Some(0));

    let right = fs::read(storage.key_file()).unwrap();
    for (bytes, fragment) in [(vec![1; 32], "bound to another key"), (vec![1; 31], "exactly 32")] {
        fs::write(storage.key_file(), bytes).unwrap();
        let (code, _, stderr) = rotate(&storage, &[]);
        assert_eq!(code, 5);
        assert!(stderr.contains(fragment), "{stderr}");
    }
    fs::remove_file(storage.key_file()).unwrap();
    let (code, _, stderr) = rotate(&storage, &[]);
    assert_eq!(code, 5);
    assert!(stderr.contains("does not exist"), "{stderr}");
    assert!(!storage.key_file().exists());
    fs::write(storage.key_file(), right).unwrap();
    assert_eq!(Process::serve(&storage, &[]).terminate().0, Some(0));
}
