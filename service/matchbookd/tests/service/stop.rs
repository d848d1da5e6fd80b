//! The end of the real program: within the shutdown timeout, at once on a second signal, and on its own when
//! the database holds another history.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::stage::{Backend, Client, Process, Storage};

/// Starts a call that never completes, and waits until the service reads its body.
async fn hold(process: &Process) -> TcpStream {
    let mut connection = TcpStream::connect(&process.address).await.unwrap();
    let head = "POST /v1/matches HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\n\
                content-type: application/json\r\ncontent-length: 100\r\n\r\n";
    connection.write_all(head.as_bytes()).await.unwrap();
    let mut response = [0; "HTTP/1.1 100 Continue\r\n\r\n".len()];
    connection.read_exact(&mut response).await.unwrap();
    assert_eq!(&response, b"HTTP/1.1 100 Continue\r\n\r\n");
    connection
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_beyond_the_shutdown_timeout_are_aborted() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = Process::serve(&storage, &["--shutdown-grace", "50ms"]);
    let mut held = hold(&process).await;
    let (code, log) = process.terminate();
    assert_eq!(code, Some(0));
    assert!(log.iter().any(|line| line.contains("exceeded the shutdown timeout")), "{log:?}");
    // Whether by the end of the stream or by a reset is not specified.
    let _ = held.read_to_end(&mut Vec::new()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_signal_stops_at_once() {
    let storage = Storage::here(Backend::Sqlite).await;
    let patient = ["--body-timeout", "1h", "--shutdown-grace", "1h"];
    let mut process = Process::serve(&storage, &patient);
    let mut held = hold(&process).await;
    process.signal("-INT");
    process.wait_for("stopping; repeat the signal");
    process.signal("-TERM");
    let (code, _) = process.wait();
    assert_eq!(code, Some(128 + 15));
    // Whether by the end of the stream or by a reset is not specified.
    let _ = held.read_to_end(&mut Vec::new()).await;
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
