//! Moves that the position or the rules forbid: each is rejected with its reason, its paragraph and a helpful
//! message, changes nothing, and a legal move after it is accepted.

use tonic::Code;
use uuid::Uuid;
use wire::v1::{self};

use crate::stage::{Backend, Stage, refused, sent, submit_request};

#[tokio::test]
async fn an_illegal_space_is_rejected_with_its_paragraph() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(8, 8, 20).await;
    let cases = [
        ("1,2", "AD-4", "white"),
        ("8,7", "AD-4", "white"),
        ("0,0", "G-2", "1 to 8"),
        ("9,9", "G-2", "1 to 8"),
        ("1,4294967295", "G-2", "1 to 8"),
        ("", "G-2", "row,column"),
        ("3", "G-2", "row,column"),
        ("3, 5", "G-2", "row,column"),
        ("03,5", "G-2", "row,column"),
        ("3,5,7", "G-2", "row,column"),
        ("-1,1", "G-2", "row,column"),
        ("e4", "G-2", "row,column"),
        ("٣,٥", "G-2", "row,column"),
    ];
    for (notation, paragraph, fragment) in cases {
        let outcome = stage.client.submit(&table, 0, notation).await;
        refused(outcome).is("ILLEGAL_MOVE", Code::FailedPrecondition, fragment).has("paragraph", paragraph);
        assert_check_move_agrees(&stage, &table, notation, paragraph).await;
    }
    assert_eq!(stage.client.head_seq(&table.match_id).await, 4);
    stage.client.submit(&table, 0, "1,1").await.unwrap();
    stage.close().await;
}

async fn assert_check_move_agrees(
    stage: &Stage,
    table: &crate::stage::Table,
    notation: &str,
    paragraph: &str,
) {
    let request = v1::CheckMoveRequest {
        match_id: table.match_id.clone(),
        input: Some(v1::check_move_request::Input::Notation(notation.to_owned())),
        expected_seq: None,
    };
    let request = sent(request, Some(&table.tokens[0]));
    let answer = stage.client.matches.clone().check_move(request).await.unwrap().into_inner();
    assert!(!answer.legal);
    let refusal = answer.refusal.unwrap();
    assert_eq!((&*refusal.reason, &*refusal.paragraph), ("ILLEGAL_MOVE", paragraph));
    assert!(refusal.metadata.is_empty() && refusal.fields.is_empty(), "{refusal:?}");
}

#[tokio::test]
async fn a_second_choice_in_a_turn_is_rejected() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(8, 8, 20).await;
    stage.client.submit(&table, 0, "1,1").await.unwrap();
    for notation in ["1,1", "2,2", "1,2"] {
        let outcome = stage.client.submit(&table, 0, notation).await;
        refused(outcome).is("NOT_YOUR_TURN", Code::FailedPrecondition, "a choice is final");
    }
    assert_eq!(stage.client.head_seq(&table.match_id).await, 5);
    stage.client.submit(&table, 1, "2,2").await.unwrap();
    stage.client.submit(&table, 0, "2,2").await.unwrap();
    stage.close().await;
}

#[tokio::test]
async fn moves_before_the_start_and_after_the_end_are_rejected() {
    let stage = Stage::on(Backend::Memory).await;
    let match_id = stage.client.create(Default::default()).await;
    let token = stage.client.claim(&match_id, 0, "Ann").await.unwrap();
    let alone = crate::stage::Table { match_id, tokens: [token, String::new()] };
    let outcome = stage.client.submit(&alone, 0, "1,1").await;
    refused(outcome).is("MATCH_NOT_STARTED", Code::FailedPrecondition, "every seat");
    assert_eq!(stage.client.head_seq(&alone.match_id).await, 2);

    let table = stage.client.table(3, 3, 1).await;
    stage.client.turn(&table, "1,1", "3,3").await;
    let head = stage.client.head_seq(&table.match_id).await;
    for seat in [0, 1] {
        let outcome = stage.client.submit(&table, seat, "2,2").await;
        refused(outcome).is("MATCH_OVER", Code::FailedPrecondition, "over");
    }
    assert_eq!(stage.client.head_seq(&table.match_id).await, head);
    stage.close().await;
}

#[tokio::test]
async fn stale_and_unknown_seqs_are_rejected() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(8, 8, 20).await;
    stage.client.turn(&table, "1,1", "2,2").await;
    let mut matches = stage.client.matches.clone();
    let token = Some(table.tokens[0].as_str());
    let expecting = |expected_seq| {
        let mut request = submit_request(&table, "3,3");
        request.expected_seq = Some(expected_seq);
        let mut matches = matches.clone();
        let request = sent(request, token);
        async move { matches.submit_move(request).await }
    };
    for stale in [0, 4, 5, 6] {
        refused(expecting(stale).await).is("STALE_POSITION", Code::Aborted, "changed").has("actual_seq", 7);
    }
    refused(expecting(8).await).is("UNKNOWN_SEQ", Code::OutOfRange, "no event 8").has("actual_seq", 7);
    assert_eq!(stage.client.head_seq(&table.match_id).await, 7);
    // A sealed choice of the other seat does not make the position stale.
    stage.client.submit(&table, 1, "4,4").await.unwrap();
    expecting(7).await.unwrap();
    for outcome in [
        matches.get_view(view_at(&table.match_id, Some(99), None)).await,
        matches.get_view(view_at(&table.match_id, None, Some(99))).await,
    ] {
        refused(outcome).is("UNKNOWN_SEQ", Code::OutOfRange, "no event 99").has("actual_seq", 10);
    }
    stage.close().await;
}

fn view_at(match_id: &str, at_seq: Option<u32>, min_seq: Option<u32>) -> v1::GetViewRequest {
    v1::GetViewRequest { match_id: match_id.to_owned(), at_seq, min_seq, ..Default::default() }
}

#[tokio::test]
async fn a_request_id_reused_for_another_request_is_rejected() {
    let stage = Stage::on(Backend::Sqlite).await;
    let table = stage.client.table(8, 8, 20).await;
    let mut matches = stage.client.matches.clone();
    let token = Some(table.tokens[0].as_str());

    let mut request = submit_request(&table, "1,1");
    matches.submit_move(sent(request.clone(), token)).await.unwrap();
    request.input = Some(v1::submit_move_request::Input::Notation("2,2".to_owned()));
    let outcome = matches.submit_move(sent(request, token)).await;
    refused(outcome).is("REQUEST_ID_REUSED", Code::AlreadyExists, "request_id");
    assert_eq!(stage.client.head_seq(&table.match_id).await, 5);

    let match_id = stage.client.create(Default::default()).await;
    let claim = |seat: u32, name: &str| v1::ClaimSeatRequest {
        match_id: match_id.clone(),
        seat: Some(seat),
        player: Some(v1::Player::named(name)),
        entropy: Vec::new(),
        request_id: Some(Uuid::from_u128(7).to_string()),
        claim_secret: None,
    };
    matches.claim_seat(claim(0, "Ann")).await.unwrap();
    for other in [claim(0, "Ben"), claim(1, "Ann")] {
        refused(matches.claim_seat(other).await).is("REQUEST_ID_REUSED", Code::AlreadyExists, "request_id");
    }
    assert_eq!(stage.client.head_seq(&match_id).await, 2);

    let mut create = crate::stage::create_request(Default::default());
    matches.create_match(create.clone()).await.unwrap();
    create.claim =
        Some(v1::SeatClaim { seat: Some(1), player: Some(v1::Player::named("Ann")), claim_secret: None });
    refused(matches.create_match(create).await).is("REQUEST_ID_REUSED", Code::AlreadyExists, "request_id");
    stage.close().await;
}
