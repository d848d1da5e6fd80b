//! The end of the real program: within the shutdown timeout, at once on a second signal, and on its own when
//! the database holds another history.

use crate::stage::{Backend, Client, Process, Storage, connect, unfinished};

/// Starts a call that never completes, and waits until the service has admitted it.
async fn hold(process: &mut Process) -> tokio::task::JoinHandle<tonic::Status> {
    let client = Client::of(&process.address).await;
    let request = wire::v1::GetMatchRequest { match_id: String::new() };
    loop {
        let channel = connect(&process.address).await;
        // The shutdown aborts the call; which error it gets is not specified.
        let held = tokio::spawn(async move { unfinished(channel, "GetView").await.unwrap_err() });
        // The limit is one call: the next is refused as soon as this one is admitted. If this one arrived
        // while `get_match` was running, it was refused itself and has to be repeated.
        while !held.is_finished() {
            let refused = client.matches.clone().get_match(request.clone()).await.unwrap_err();
            if refused.code() == tonic::Code::Unavailable {
                return held;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_beyond_the_shutdown_timeout_are_aborted() {
    let storage = Storage::here(Backend::Sqlite).await;
    let mut process = Process::serve(&storage, &["--max-calls", "1", "--shutdown-grace-ms", "50"]);
    let held = hold(&mut process).await;
    let (code, log) = process.terminate();
    assert_eq!(code, Some(0));
    assert!(log.iter().any(|line| line.contains("exceeded the shutdown timeout")), "{log:?}");
    held.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_signal_stops_at_once() {
    let storage = Storage::here(Backend::Sqlite).await;
    let mut process = Process::serve(&storage, &["--max-calls", "1", "--shutdown-grace-ms", "3600000"]);
    let held = hold(&mut process).await;
    process.signal("-INT");
    process.wait_for("stopping; repeat the signal");
    process.signal("-TERM");
    let (code, _) = process.wait();
    assert_eq!(code, Some(128 + 15));
    held.await.unwrap();
    // The database remains intact.
    assert_eq!(Process::serve(&storage, &[]).terminate().0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn another_history_in_the_database_stops_the_program() {
    let Some(storage) = Storage::of(Backend::Postgres).await else { return };
    let mut process = Process::serve(&storage, &[]);
    let client = Client::of(&process.address).await;
    let table = client.table(8, 8, 20).await;
    client.submit(&table, 0, "1,1").await.unwrap();
    // As after a failover that lost acknowledged commits.
    storage.execute("DELETE FROM commit_log").await;
    let disconnect = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                      WHERE datname = current_database() AND pid <> pg_backend_pid()";
    storage.execute(disconnect).await;
    // A writer detects the loss at its next commit.
    while client.submit(&table, 1, "2,2").await.is_ok() {}
    let (code, log) = process.wait();
    assert_eq!(code, Some(6), "{log:?}");
    assert!(log.last().unwrap().contains("start it again"), "{log:?}");
}
