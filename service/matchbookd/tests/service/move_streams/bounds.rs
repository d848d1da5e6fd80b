//! What a stream of moves is limited by: rates, permits and its own room, each move as a call.

use std::time::Duration;

use futures_util::FutureExt;
use tonic::Code;
use wire::v1;
use wire::v1::submit_moves_response::Outcome;

use super::lines::{Lines, line_of};
use super::{MoveStream, move_of};
use crate::rate_limits::behind_a_proxy;
use crate::stage::{Backend, Client, Stage, Storage, refused};

/// An address that is not exempt from limits.
const REMOTE: [(&str, &str); 1] = [("x-forwarded-for", "192.0.2.7")];

#[tokio::test]
async fn each_move_counts_for_the_rate_of_its_seat() {
    const BURST: u64 = 3;
    let storage = Storage::here(Backend::Memory).await;
    let mut config = behind_a_proxy(&storage).await;
    config.limits.calls_per_second_per_caller = 1;
    config.limits.call_burst_per_caller = 3;
    let stage = Stage::with(config).await;
    let table = stage.client.table(4, 4, 8).await;
    let mut stream = MoveStream::open_with(&stage.client, &REMOTE).await.unwrap();
    stream.send(move_of(&table, 0, "1,1", 1));
    stream.submitted(1).await;
    let mut call_id = 2;
    let refusal = loop {
        stream.send(move_of(&table, 0, "1,1", call_id));
        let refusal = stream.refusal(call_id).await;
        match refusal.reason.as_str() {
            "NOT_YOUR_TURN" => call_id += 1,
            _ => break refusal,
        }
    };
    assert!(call_id > BURST, "{call_id}");
    assert_eq!(refusal.reason, "RATE_LIMITED");
    assert_eq!(refusal.metadata["calls_per_second"], "1");
    let wait: Duration = refusal.retry_delay.expect("it says when to retry").try_into().unwrap();
    assert!(!wait.is_zero() && wait <= Duration::from_secs(1));
    // The other seat has a rate of its own, on the same stream.
    stream.send(move_of(&table, 1, "1,1", 1_000));
    stream.submitted(1_000).await;
    stage.close().await;
}

#[tokio::test]
async fn streams_of_one_caller_are_limited_as_watches_are() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = behind_a_proxy(&storage).await;
    config.limits.max_watches_per_caller = 1;
    let stage = Stage::with(config).await;
    let first = MoveStream::open_with(&stage.client, &REMOTE).await.unwrap();
    let refusal = refused(MoveStream::open_with(&stage.client, &REMOTE).await);
    refusal.is("TOO_MANY_STREAMS", Code::ResourceExhausted, "close one first");
    assert_eq!(first.finish().await.unwrap(), []);
    while MoveStream::open_with(&stage.client, &REMOTE).await.is_err() {
        tokio::task::yield_now().await;
    }
    stage.close().await;
}

#[tokio::test]
async fn a_stream_may_be_silent_for_longer_than_a_body() {
    const BODY_TIMEOUT: Duration = Duration::from_millis(100);
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.limits.body_timeout = BODY_TIMEOUT;
    let stage = Stage::with(config).await;
    let [grpc, rest] = [stage.client.table(4, 4, 2).await, stage.client.table(4, 4, 2).await];
    let mut stream = MoveStream::open(&stage.client).await;
    let mut lines = Lines::open(&stage.address).await;
    let line = line_of(&rest, 0, "1,1", 1);
    let (start, end) = line.split_at(20);
    lines.send(start);
    tokio::time::sleep(3 * BODY_TIMEOUT).await;
    lines.send(end);
    assert!(lines.line().await.unwrap()["submitted"].is_object());
    stream.send(move_of(&grpc, 0, "1,1", 1));
    stream.submitted(1).await;
    stage.close().await;
}

#[tokio::test]
async fn a_caller_that_takes_no_answers_gets_no_further_moves_made_and_holds_up_nobody() {
    const UNDER_WAY: usize = 4;
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.limits.max_calls_per_connection = u32::try_from(UNDER_WAY).unwrap();
    let stage = Stage::with(config).await;
    let opponent = Client::over(stage.connect().await);
    let mut tables = Vec::new();
    for _ in 0..3 * UNDER_WAY {
        tables.push(stage.client.table(4, 4, 2).await);
    }
    // The answers are not even asked for: the call's response is never polled.
    let (sender, receiver) = super::requests();
    for (call_id, table) in (0_u64..).zip(&tables) {
        sender.send(move_of(table, 0, "1,1", call_id)).unwrap();
    }
    let mut streams = Client::over(stage.connect().await);
    let mut call = Box::pin(streams.matches.submit_moves(receiver));
    assert!((&mut call).now_or_never().is_none());
    let answers = call.await.unwrap();
    // The opponents of all matches play on, whether the first seat's move was made or waits.
    for table in &tables {
        opponent.submit(table, 1, "4,4").await.unwrap();
    }
    let mut answers = answers.into_inner();
    let mut answered = 0;
    while answered < tables.len() {
        let answer: v1::SubmitMovesResponse = answers.message().await.unwrap().unwrap();
        assert!(matches!(answer.outcome, Some(Outcome::Submitted(_))));
        answered += 1;
    }
    drop(sender);
    assert_eq!(answers.message().await.unwrap(), None);
    stage.close().await;
}
