//! Before a turn resolves, only the seat itself knows its choice (AD-5): two matches that differ only in the
//! choice look identical to everybody else, byte for byte, on every RPC.

use std::fmt::Debug;

use prost::Message;
use rstest::rstest;
use tokio_stream::StreamExt;
use wire::v1::event::Kind;
use wire::v1::watch_match_response::Frame;
use wire::v1::{self};

use crate::stage::{Backend, Stage, Storage, Table, sent, submit_request};

#[rstest]
#[case::memory(Backend::Memory)]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test]
async fn a_sealed_choice_is_invisible_to_others(#[case] backend: Backend) {
    let Some(storage) = Storage::of(backend).await else { return };
    let stage = Stage::open(&storage).await;
    // The first and the last black space: their notations and numbers differ in length.
    let one = observations_after(&stage, "1,1").await;
    let other = observations_after(&stage, "26,26").await;
    for (one, other) in one.iter().zip(&other) {
        assert_eq!(one, other);
        assert_eq!(one.size, other.size, "{}", one.rpc);
    }
    assert_eq!(one.len(), other.len());
    stage.close().await;
}

/// A response with everything masked that may differ between any two matches.
#[derive(Debug, PartialEq)]
struct Observation {
    rpc: &'static str,
    response: String,
    size: usize,
}

/// Plays a turn, seals the choice of seat 0, and returns what everybody else observes.
async fn observations_after(stage: &Stage, choice: &str) -> Vec<Observation> {
    let table = stage.client.table(26, 26, 20).await;
    stage.client.turn(&table, "5,5", "6,6").await;
    let mut watches = Vec::new();
    for token in [None, Some(table.tokens[1].as_str())] {
        watches.push(stage.client.watch(&table.match_id, None, token).await.unwrap());
        watches.push(stage.client.watch_with_views(&table.match_id, None, token).await.unwrap());
    }
    stage.client.submit(&table, 0, choice).await.unwrap();

    let mut observations = Vec::new();
    for token in [None, Some(table.tokens[1].as_str())] {
        observations.extend(observations_as(stage, &table, token).await);
    }
    for mut frames in watches {
        for _ in 0..2 {
            let mut frame = frames.next().await.unwrap().unwrap();
            mask_frame(&mut frame);
            observations.push(observe("WatchMatch", &frame));
        }
    }
    observations
}

async fn observations_as(stage: &Stage, table: &Table, token: Option<&str>) -> Vec<Observation> {
    let mut matches = stage.client.matches.clone();
    let match_id = table.match_id.clone();
    let mut observations = Vec::new();

    let mut view = stage.client.view(table, token).await;
    view.match_id.clear();
    observations.push(observe("GetView", &view));
    for mut event in stage.client.events(&match_id, token, 500).await {
        mask(&mut event);
        observations.push(observe("ListEvents", &event));
    }
    let request = v1::GetMatchRequest { match_id: match_id.clone() };
    let mut shown = matches.get_match(sent(request, token)).await.unwrap().into_inner().r#match.unwrap();
    assert_eq!(shown.head_hash().len(), 32);
    assert_eq!(shown.seed_commitment().len(), 32);
    shown.match_id.clear();
    (shown.head_hash, shown.seed_commitment) = (None, None);
    (shown.create_time, shown.start_time) = (None, None);
    observations.push(observe("GetMatch", &shown));

    for seat in [0, 1] {
        let request = v1::ListLegalMovesRequest {
            match_id: match_id.clone(),
            seat: Some(seat),
            page_size: 10_000,
            ..Default::default()
        };
        observations.push(outcome("ListLegalMoves", matches.list_legal_moves(sent(request, token)).await));
        let request = v1::GetViewRequest {
            match_id: match_id.clone(),
            viewer: Some(v1::Viewer::in_seat(seat)),
            ..Default::default()
        };
        let response = matches.get_view(sent(request, token)).await.map(|response| {
            response.map(|mut response| {
                response.view.as_mut().unwrap().match_id.clear();
                response
            })
        });
        observations.push(outcome("GetView of a seat", response));
    }
    let request = v1::GetViewRequest {
        match_id: match_id.clone(),
        viewer: Some(v1::Viewer::open()),
        ..Default::default()
    };
    observations.push(outcome("GetView open", matches.get_view(sent(request, token)).await));
    for notation in ["1,1", "26,26", "1,2", "nonsense"] {
        let request = v1::CheckMoveRequest {
            match_id: match_id.clone(),
            input: Some(v1::check_move_request::Input::Notation(notation.to_owned())),
            expected_seq: None,
        };
        observations.push(outcome("CheckMove", matches.check_move(sent(request, token)).await));
    }
    let request = v1::GetChoicesRequest { match_id: match_id.clone(), ..Default::default() };
    observations.push(outcome("GetChoices", matches.get_choices(sent(request, token)).await));
    for strategy in [v1::Strategy::Random, v1::Strategy::Greedy] {
        let strategy = strategy.into();
        let request = v1::SuggestMoveRequest { match_id: match_id.clone(), strategy, seed: Some(1) };
        observations.push(outcome("SuggestMove", matches.suggest_move(sent(request, token)).await));
    }
    let request = submit_request(table, "1,2");
    observations.push(outcome("SubmitMove refused", matches.submit_move(sent(request, token)).await));
    observations
}

fn observe<M: Message + Debug>(rpc: &'static str, message: &M) -> Observation {
    Observation { rpc, response: format!("{message:?}"), size: message.encoded_len() }
}

fn outcome<M: Message + Debug>(
    rpc: &'static str,
    outcome: Result<tonic::Response<M>, tonic::Status>,
) -> Observation {
    match outcome {
        Ok(response) => observe(rpc, response.get_ref()),
        Err(status) => {
            let response = format!("{:?} {} {:?}", status.code(), status.message(), status.details());
            Observation { rpc, size: response.len(), response }
        }
    }
}

/// Removes what differs between any two matches, after checking its length.
fn mask(event: &mut v1::Event) {
    assert_eq!(std::mem::take(&mut event.hash).len(), 32);
    event.record_time = None;
    match event.kind.as_mut().unwrap() {
        Kind::MatchCreated(created) => {
            assert_eq!(std::mem::take(&mut created.seed_commitment).len(), 32);
        }
        Kind::MoveSealed(sealed) => assert_eq!(std::mem::take(&mut sealed.commitment).len(), 32),
        _ => {}
    }
}

fn mask_frame(frame: &mut v1::WatchMatchResponse) {
    frame.server_time = None;
    if let Some(view) = &mut frame.view {
        view.match_id.clear();
    }
    match frame.frame.as_mut().unwrap() {
        Frame::Start(start) => {
            assert!(frame.view.is_some());
            assert_eq!(start.after_hash.len(), 32);
            start.after_hash.clear();
        }
        Frame::Event(event) => mask(event),
        Frame::Heartbeat(_) => panic!("no heartbeat is due"),
    }
}

#[tokio::test]
async fn a_seat_sees_its_own_sealed_choice() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(8, 8, 20).await;
    stage.client.submit(&table, 0, "3,5").await.unwrap();
    let own = stage.client.events(&table.match_id, Some(&table.tokens[0]), 500).await;
    let Some(Kind::MoveSealed(sealed)) = &own.last().unwrap().kind else { panic!("no seal: {own:?}") };
    assert_eq!(sealed.notation, "3,5");
    assert!(sealed.r#move.is_some());
    for token in [None, Some(table.tokens[1].as_str())] {
        let seen = stage.client.events(&table.match_id, token, 500).await;
        let Some(Kind::MoveSealed(sealed)) = &seen.last().unwrap().kind else { panic!("no seal: {seen:?}") };
        assert_eq!((sealed.notation.as_str(), &sealed.r#move), ("", &None));
    }
    stage.close().await;
}

#[tokio::test]
async fn equal_choices_have_different_commitments() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(8, 8, 20).await;
    stage.client.turn(&table, "3,5", "3,5").await;
    stage.client.turn(&table, "3,5", "3,5").await;
    let events = stage.client.events(&table.match_id, None, 500).await;
    let mut commitments: Vec<Vec<u8>> = events
        .into_iter()
        .filter_map(|event| match event.kind? {
            Kind::MoveSealed(sealed) => Some(sealed.commitment),
            _ => None,
        })
        .collect();
    assert_eq!(commitments.len(), 4);
    commitments.sort();
    commitments.dedup();
    assert_eq!(commitments.len(), 4, "without a salt, a commitment could be guessed");
    stage.close().await;
}
