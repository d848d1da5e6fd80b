//! Retries with the same `request_id` take effect once and return the original response: in sequence,
//! concurrently, and after a restart.

use rstest::rstest;
use uuid::Uuid;
use wire::v1::{self};

use crate::stage::{Backend, Stage, Storage, create_request, refused, sent, submit_request};

#[rstest]
#[case::memory(Backend::Memory)]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test]
async fn a_retry_returns_the_original_response(#[case] backend: Backend) {
    let Some(storage) = Storage::of(backend).await else { return };
    let stage = Stage::open(&storage).await;
    let first = Script::new().run(&stage).await;
    let again = first.script.clone().run(&stage).await;
    assert_eq!(again, first);
    stage.close().await;
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test]
async fn a_retry_after_a_restart_returns_the_original_response(#[case] backend: Backend) {
    let Some(storage) = Storage::of(backend).await else { return };
    let stage = Stage::open(&storage).await;
    let first = Script::new().run(&stage).await;
    stage.close().await;
    let stage = Stage::open(&storage).await;
    let again = first.script.clone().run(&stage).await;
    assert_eq!(again, first);
    stage.close().await;
}

/// The request ids of a create, a claim of each seat and a move.
#[derive(Debug, Clone, PartialEq)]
struct Script {
    create: v1::CreateMatchRequest,
    claims: [String; 2],
    submit: String,
}

/// The responses to a script.
#[derive(Debug, PartialEq)]
struct Responses {
    script: Script,
    created: v1::CreateMatchResponse,
    claimed: Vec<v1::ClaimSeatResponse>,
    submitted: v1::SubmitMoveResponse,
    head_seq: u32,
}

impl Script {
    fn new() -> Self {
        let id = || Uuid::new_v4().to_string();
        Self { create: create_request(Default::default()), claims: [id(), id()], submit: id() }
    }

    async fn run(self, stage: &Stage) -> Responses {
        let mut matches = stage.client.matches.clone();
        let created = matches.create_match(self.create.clone()).await.unwrap().into_inner();
        let match_id = created.r#match.as_ref().unwrap().match_id.clone();
        let mut claimed = Vec::new();
        for (seat, request_id) in [0, 1].into_iter().zip(&self.claims) {
            let request = v1::ClaimSeatRequest {
                match_id: match_id.clone(),
                seat: Some(seat),
                player: Some(v1::Player::named("Ann")),
                entropy: vec![7; 64],
                request_id: Some(request_id.clone()),
                claim_secret: Some(format!("secret-{request_id}")),
            };
            claimed.push(matches.claim_seat(request).await.unwrap().into_inner());
        }
        let request = v1::SubmitMoveRequest {
            match_id: match_id.clone(),
            input: Some(v1::submit_move_request::Input::Notation("2,2".to_owned())),
            request_id: Some(self.submit.clone()),
            expected_seq: Some(4),
            ..Default::default()
        };
        let submitted = matches.submit_move(sent(request, Some(&claimed[0].seat_token))).await;
        let head_seq = stage.client.head_seq(&match_id).await;
        Responses { script: self, created, claimed, submitted: submitted.unwrap().into_inner(), head_seq }
    }
}

#[tokio::test]
async fn a_late_retry_returns_the_original_response() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(8, 8, 20).await;
    let token = Some(table.tokens[0].as_str());
    let request = submit_request(&table, "1,1");
    let mut matches = stage.client.matches.clone();
    let first = matches.submit_move(sent(request.clone(), token)).await.unwrap().into_inner();
    stage.client.submit(&table, 1, "8,8").await.unwrap();
    stage.client.turn(&table, "2,2", "3,3").await;
    let again = matches.submit_move(sent(request, token)).await.unwrap().into_inner();
    assert_eq!(again, first);
    stage.close().await;
}

#[rstest]
#[case::memory(Backend::Memory)]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test]
async fn concurrent_retries_take_effect_once(#[case] backend: Backend) {
    let Some(storage) = Storage::of(backend).await else { return };
    let stage = Stage::open(&storage).await;
    let table = stage.client.table(8, 8, 20).await;
    let request = submit_request(&table, "4,4");
    let calls: Vec<_> = (0..16)
        .map(|_| {
            let mut matches = stage.client.matches.clone();
            let request = sent(request.clone(), Some(&table.tokens[1]));
            tokio::spawn(async move { matches.submit_move(request).await.map(tonic::Response::into_inner) })
        })
        .collect();
    let mut responses = Vec::new();
    for call in calls {
        responses.push(call.await.unwrap().unwrap());
    }
    assert!(responses.iter().all(|response| *response == responses[0]));
    assert_eq!(stage.client.head_seq(&table.match_id).await, 5);
    stage.close().await;
}

#[tokio::test]
async fn concurrent_claims_of_a_seat_have_one_winner() {
    let storage = Storage::here(Backend::Sqlite).await;
    let stage = Stage::open(&storage).await;
    let match_id = stage.client.create(Default::default()).await;
    let calls: Vec<_> = (0..16)
        .map(|number| {
            let (client, match_id) = (stage.client.clone(), match_id.clone());
            tokio::spawn(async move { client.claim(&match_id, 0, &format!("Ann {number}")).await })
        })
        .collect();
    let mut winners = 0;
    for call in calls {
        match call.await.unwrap() {
            Ok(_) => winners += 1,
            Err(status) => assert_eq!(refused::<()>(Err(status)).reason, "SEAT_TAKEN"),
        }
    }
    assert_eq!(winners, 1);
    stage.close().await;
}
