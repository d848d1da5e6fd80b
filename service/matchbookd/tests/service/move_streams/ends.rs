//! How a stream of moves ends: by the caller, by the service, by a broken connection, by a request that
//! cannot be read. What was answered is durable, and what was not can be sent again.

use std::time::Duration;

use http::uri::PathAndQuery;
use prost_types::FileDescriptorProto;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::{Code, Request};
use tonic_prost::ProstCodec;
use wire::v1;
use wire::v1::submit_moves_response::Outcome;

use super::{MoveStream, move_of};
use crate::stage::{Backend, Client, CuttingProxy, Process, Stage, Storage, refused};

#[tokio::test]
async fn what_is_under_way_is_answered_after_the_caller_has_ended_its_side() {
    let stage = Stage::with(Storage::here(Backend::Memory).await.config()).await;
    let mut tables = Vec::new();
    for _ in 0..20 {
        tables.push(stage.client.table(4, 4, 2).await);
    }
    let stream = MoveStream::open(&stage.client).await;
    for (call_id, table) in (0_u64..).zip(&tables) {
        stream.send(move_of(table, 0, "1,1", call_id));
    }
    let answers = stream.finish().await.unwrap();
    let mut numbers: Vec<u64> = answers.iter().map(|answer| answer.call_id).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..20).collect::<Vec<_>>());
    assert!(answers.iter().all(|answer| matches!(answer.outcome, Some(Outcome::Submitted(_)))));
    stage.close().await;
}

#[tokio::test]
async fn a_request_that_is_too_large_ends_the_stream_after_the_answers_before_it() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.limits.max_message_bytes = 10_000;
    let stage = Stage::with(config).await;
    let table = stage.client.table(4, 4, 2).await;
    let mut stream = MoveStream::open(&stage.client).await;
    stream.send(move_of(&table, 0, "1,1", 1));
    stream.send(move_of(&table, 1, &"1".repeat(10_001), 2));
    stream.send(move_of(&table, 1, "1,1", 3));
    stream.submitted(1).await;
    let end = refused(stream.answer().await);
    end.is("MESSAGE_TOO_LARGE", Code::ResourceExhausted, "10000 bytes").has("max_bytes", 10_000);
    assert_eq!(stage.client.head_seq(&table.match_id).await, 5, "the move after it was not made");
    stage.close().await;
}

#[tokio::test]
async fn a_message_of_another_type_ends_the_stream() {
    let stage = Stage::with(Storage::here(Backend::Memory).await.config()).await;
    let mut grpc = tonic::client::Grpc::new(stage.connect().await);
    grpc.ready().await.unwrap();
    let path = PathAndQuery::from_static("/matchbook.v1.MatchService/SubmitMoves");
    let (sender, receiver) = tokio::sync::mpsc::unbounded_channel();
    // Its first field is a text, where `call_id` is a number.
    sender.send(FileDescriptorProto { name: Some("x".to_owned()), ..Default::default() }).unwrap();
    let codec = ProstCodec::<FileDescriptorProto, v1::SubmitMovesResponse>::default();
    let requests = Request::new(UnboundedReceiverStream::new(receiver));
    let mut answers = grpc.streaming(requests, path, codec).await.unwrap().into_inner();
    let end = refused(answers.message().await);
    end.is("INVALID_ARGUMENT", Code::InvalidArgument, "could not be read");
    stage.close().await;
}

#[tokio::test]
async fn a_service_that_stops_answers_what_is_under_way_and_ends_the_stream() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = Process::serve(&storage, &["--drain", "0s"]);
    let client = Client::of(&process.address).await;
    let table = client.table(4, 4, 2).await;
    let mut stream = MoveStream::open(&client).await;
    stream.send(move_of(&table, 0, "1,1", 1));
    stream.submitted(1).await;
    let stopped = tokio::task::spawn_blocking(move || process.terminate());
    refused(stream.answer().await).is("SHUTTING_DOWN", Code::Unavailable, "reconnect");
    assert_eq!(stopped.await.unwrap().0, Some(0));
}

#[tokio::test]
async fn a_cut_connection_loses_no_acknowledged_move() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = Process::serve(&storage, &[]);
    let direct = Client::of(&process.address).await;
    let table = direct.table(8, 8, 8).await;
    let proxy = CuttingProxy::before(&process.address, 7).await;
    let mut cuts = 0;
    for turn in 0..8_u64 {
        for seat in 0..2 {
            let square = if seat == 0 { "1,1" } else { "8,8" };
            let request = move_of(&table, seat, square, turn);
            let answered = loop {
                let attempt = async {
                    let client = Client::over(reconnected(&proxy.address).await?);
                    let mut stream = MoveStream::open_with(&client, &[]).await.ok()?;
                    stream.requests.send(request.clone()).ok()?;
                    stream.answer().await.ok().flatten()
                };
                match tokio::time::timeout(Duration::from_secs(10), attempt).await {
                    Ok(Some(answer)) => break answer,
                    _ => cuts += 1,
                }
            };
            let Some(Outcome::Submitted(submitted)) = answered.outcome else { panic!("{answered:?}") };
            let made = submitted.events.first().unwrap();
            let log = direct.events(&table.match_id, Some(&table.tokens[seat]), 500).await;
            assert!(log.contains(made), "an answered move is in the log");
        }
    }
    println!("{cuts} attempts were cut");
    assert!(cuts > 0, "the proxy cut nothing");
    assert_eq!(process.terminate().0, Some(0));
}

/// Returns a connection through the proxy, which may cut it at once.
async fn reconnected(address: &str) -> Option<tonic::transport::Channel> {
    tonic::transport::Endpoint::from_shared(format!("http://{address}")).ok()?.connect().await.ok()
}
