//! A service that may add to the log and read it, and nothing more: everything works for it as it does for an owner, and
//! whoever has its password can't rewrite what was played.

use std::process::Command;

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::stage::{Client, Cluster, Http, Needed, Process, Storage, needed, run};
use crate::whole_match::play_to_the_end;

/// What a thief of the service's password might try.
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

/// A database whose owner has migrated it, and the URL of the role that serves it.
async fn served_by_another(cluster: &Cluster) -> Storage {
    for role in ["matchbook_owner", "matchbook_service"] {
        cluster.execute("postgres", &format!("CREATE ROLE {role} LOGIN")).await;
    }
    cluster.execute("postgres", "CREATE DATABASE matchbook OWNER matchbook_owner").await;
    let as_role = |role: &str| cluster.url("matchbook").replace("//matchbook@", &format!("//{role}@"));
    let owner = as_role("matchbook_owner");
    let (code, said, complaint) = run(&["migrate", "--database", &owner, "--grant-to", "matchbook_service"]);
    assert_eq!(code, 0, "{complaint}");
    assert!(said.contains("matchbook_service may serve the database"), "{said}");
    Storage::at(&as_role("matchbook_service"))
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_works_for_a_role_that_can_only_add() {
    let Some(cluster) = Cluster::start(&[]).await else { return };
    let storage = served_by_another(&cluster).await;
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
            let walked =
                walk.env("MATCHBOOK_SERVER", &process.address).env(variable, program).output().unwrap();
            assert!(walked.status.success(), "{script}: {}", String::from_utf8_lossy(&walked.stderr));
        }
    }
    assert_eq!(Http::of(&process.address).get("/readyz", &[]).await.status, 200);
    // A start after the first finds its key, and writers to close.
    process.kill();
    let process = Process::serve(&storage, &["--migrations", "require"]);
    play_to_the_end(&Client::of(&process.address).await, 3).await;
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test]
async fn its_password_rewrites_nothing() {
    let Some(cluster) = Cluster::start(&[]).await else { return };
    let storage = served_by_another(&cluster).await;
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
    // What it may not migrate it says so of, and leaves as it is.
    cluster.execute("matchbook", "DELETE FROM _sqlx_migrations WHERE version = 1").await;
    let (code, _, complaint) = run(&["migrate", "--database", storage.url()]);
    assert_eq!(code, 4, "{complaint}");
    assert!(complaint.contains("permission denied") || complaint.contains("must be owner"), "{complaint}");
}

#[tokio::test]
async fn a_role_that_does_not_exist_is_given_nothing() {
    let Some(cluster) = Cluster::start(&[]).await else { return };
    let url = cluster.url("postgres");
    let (code, _, complaint) = run(&["migrate", "--database", &url, "--grant-to", "no\"body"]);
    assert_eq!(code, 4);
    assert!(complaint.contains("role \"no\"body\" does not exist"), "{complaint}");
    let (code, _, complaint) = run(&["migrate", "--database", "memory:", "--grant-to", "ann"]);
    assert_eq!(code, 4);
    assert!(complaint.contains("only Postgres has roles"), "{complaint}");
}
