//! The end of the real program: bounded in time, at once if it is asked twice, and of its own accord when it must not
//! go on.

use crate::stage::{Backend, Client, Process, Storage, connect, unfinished};

/// A call that never ends by itself, and that the service has let in.
async fn hold(process: &mut Process) -> tokio::task::JoinHandle<tonic::Status> {
    let client = Client::of(&process.address).await;
    let request = wire::v1::GetMatchRequest { match_id: String::new() };
    loop {
        let channel = connect(&process.address).await;
        // It is cut in the end, which is an error; which one is not promised.
        let held = tokio::spawn(async move { unfinished(channel, "GetView").await.unwrap_err() });
        // Only one call may be inside: the next is refused as soon as this one is in. If it came while the other was
        // inside, it was refused itself, and comes again.
        while !held.is_finished() {
            let refused = client.matches.clone().get_match(request.clone()).await.unwrap_err();
            if refused.code() == tonic::Code::ResourceExhausted {
                return held;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_do_not_end_are_cut() {
    let storage = Storage::here(Backend::Sqlite).await;
    let mut process = Process::serve(&storage, &["--max-calls", "1", "--shutdown-grace-ms", "50"]);
    let held = hold(&mut process).await;
    let (code, log) = process.terminate();
    assert_eq!(code, Some(0));
    assert!(log.iter().any(|line| line.contains("exceeded the shutdown timeout")), "{log:?}");
    held.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_signal_does_not_wait() {
    let storage = Storage::here(Backend::Sqlite).await;
    let mut process = Process::serve(&storage, &["--max-calls", "1", "--shutdown-grace-ms", "3600000"]);
    let held = hold(&mut process).await;
    process.signal("-INT");
    process.wait_for("stopping; repeat the signal");
    process.signal("-TERM");
    let (code, _) = process.wait();
    assert_eq!(code, Some(128 + 15));
    held.await.unwrap();
    // Nothing is broken by it.
    assert_eq!(Process::serve(&storage, &[]).terminate().0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn another_history_in_the_database_ends_it() {
    let Some(storage) = Storage::of(Backend::Postgres).await else { return };
    let mut process = Process::serve(&storage, &[]);
    let client = Client::of(&process.address).await;
    let table = client.table(8, 8, 20).await;
    client.submit(&table, 0, "1,1").await.unwrap();
    // As after a fail-over that lost what had been acknowledged.
    storage.execute("DELETE FROM commit_log").await;
    storage
        .execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
        .await;
    // A writer notices at its next commit.
    while client.submit(&table, 1, "2,2").await.is_ok() {}
    let (code, log) = process.wait();
    assert_eq!(code, Some(6), "{log:?}");
    assert!(log.last().unwrap().contains("Start it again"), "{log:?}");
}
