//! A service whose role may only append to the log and read it: everything works as for the owner, and its
//! password does not permit rewriting a match.

use std::process::Command;

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::stage::{Client, Cluster, Http, Needed, Process, Storage, needed, run};
use crate::whole_match::play_to_the_end;

/// Statements that a thief of the service's password might try.
const FORBIDDEN: [&str; 12] = [
    "UPDATE event SET public = ''",
    "DELETE FROM event",
    "TRUNCATE event",
    "DROP TABLE event",
    "DELETE FROM match",
    "UPDATE service_key SET fingerprint = decode(repeat('00', 32), 'hex')",
    "ALTER TABLE event DISABLE TRIGGER ALL",
    "DROP TRIGGER event_is_append_only ON event",
    "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    "SET session_replication_role = replica",
    "CREATE TABLE mine (a integer)",
    "UPDATE _sqlx_migrations SET checksum = ''",
];

/// Creates a database that its owner migrates, and returns storage that connects as the serving role.
async fn served_by_appending_role(cluster: &Cluster) -> Storage {
    for role in ["matchbook_owner", "matchbook_service"] {
        cluster.execute("postgres", &format!("CREATE ROLE {role} LOGIN")).await;
    }
    cluster.execute("postgres", "CREATE DATABASE matchbook OWNER matchbook_owner").await;
    let as_role = |role: &str| cluster.url("matchbook").replace("//matchbook@", &format!("//{role}@"));
    let owner = as_role("matchbook_owner");
    let (code, stdout, stderr) = run(&["migrate", "--database", &owner, "--grant-to", "matchbook_service"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("matchbook_service may serve the database"), "{stdout}");
    Storage::at(&as_role("matchbook_service"))
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_works_for_a_role_that_can_only_append() {
    let Some(cluster) = Cluster::start(&[]).await else { return };
    let storage = served_by_appending_role(&cluster).await;
    let process = Process::serve(&storage, &["--migrations", "require"]);
    let client = Client::of(&process.address).await;
    for seed in 1..=2 {
        play_to_the_end(&client, seed).await;
    }
    if let (Some(grpcurl), Some(curl)) = (needed(Needed::Grpcurl), needed(Needed::Curl)) {
        for (script, variable, program) in
            [("grpcurl/walk.sh", "GRPCURL", &grpcurl), ("curl/walk.sh", "CURL", &curl)]
        {
            let mut walk = Command::new("bash");
            walk.arg(format!("{}/../../clients/{script}", env!("CARGO_MANIFEST_DIR")));
            let output =
                walk.env("MATCHBOOK_SERVER", &process.address).env(variable, program).output().unwrap();
            assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
    assert_eq!(Http::of(&process.address).get("/readyz", &[]).await.status, 200);
    // A restart finds its key, and has to close the writers of the killed process.
    process.kill();
    let process = Process::serve(&storage, &["--migrations", "require"]);
    play_to_the_end(&Client::of(&process.address).await, 3).await;
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test]
async fn a_role_that_can_only_append_can_rewrite_nothing() {
    let Some(cluster) = Cluster::start(&[]).await else { return };
    let storage = served_by_appending_role(&cluster).await;
    let process = Process::serve(&storage, &["--migrations", "require"]);
    play_to_the_end(&Client::of(&process.address).await, 1).await;
    let mut thief = PgConnection::connect(storage.url()).await.unwrap();
    for statement in FORBIDDEN {
        let refused = thief.execute(AssertSqlSafe(statement)).await.unwrap_err().to_string();
        assert!(
            refused.contains("permission denied") || refused.contains("must be owner"),
            "{statement}: {refused}"
        );
    }
    // A rotation of the service key changes nothing.
    process.kill();
    let old_key = std::fs::read(storage.key_file()).unwrap();
    let key_file = storage.key_file();
    let rotate = ["key", "rotate", "--fence", "--database", storage.url(), "--key-file"];
    let (code, _, stderr) = run(&[&rotate[..], &[key_file.to_str().unwrap()]].concat());
    assert_eq!(code, 4, "{stderr}");
    assert!(stderr.contains("nothing was changed: this role may not update"), "{stderr}");
    assert_eq!(std::fs::read(&key_file).unwrap(), old_key);
    // A migration without the rights fails with the database's error.
    cluster.execute("matchbook", "DELETE FROM _sqlx_migrations WHERE version = 1").await;
    let (code, _, stderr) = run(&["migrate", "--database", storage.url()]);
    assert_eq!(code, 4, "{stderr}");
    assert!(stderr.contains("permission denied") || stderr.contains("must be owner"), "{stderr}");
}

#[tokio::test]
async fn a_grant_to_an_unknown_role_fails() {
    let Some(cluster) = Cluster::start(&[]).await else { return };
    let url = cluster.url("postgres");
    let (code, _, stderr) = run(&["migrate", "--database", &url, "--grant-to", "no\"body"]);
    assert_eq!(code, 4);
    assert!(stderr.contains("role \"no\"body\" does not exist"), "{stderr}");
}

#[test]
fn a_grant_that_the_database_does_not_know_creates_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("m.db");
    for url in ["memory:".to_owned(), format!("sqlite://{}", file.display())] {
        let (code, stdout, stderr) = run(&["migrate", "--database", &url, "--grant-to", "ann"]);
        assert_eq!((code, stdout.as_str()), (4, ""), "{stderr}");
        assert!(stderr.contains("only Postgres has roles; omit --grant-to"), "{stderr}");
    }
    assert!(!file.exists());
}
