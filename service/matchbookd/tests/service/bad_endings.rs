//! Draws, aborts, forks and token rotations at the wrong time, and an internal error.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use event::{MatchId, RecordTime};
use journal::Journal;
use play::{ApiKey, Environment, KeyRing, Role, SystemEnvironment};
use serde_json::json;
use tonic::Code;
use wire::v1::{self};

use crate::stage::{Backend, Http, Stage, Storage, create_request, refused, sent};

#[tokio::test]
async fn draw_calls_at_the_wrong_time_are_rejected() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(8, 8, 20).await;
    let mut matches = stage.client.matches.clone();
    let [angels, demons] = [0, 1].map(|seat: usize| Some(table.tokens[seat].as_str()));
    let kind = v1::ProposalKind::Draw.into();
    let answer = |accept| v1::AnswerProposalRequest {
        match_id: table.match_id.clone(),
        kind,
        accept: Some(accept),
        request_id: None,
    };
    for accept in [true, false] {
        let rejection = refused(matches.answer_proposal(sent(answer(accept), angels)).await);
        rejection
            .is("NO_PROPOSAL", Code::FailedPrecondition, "is not proposing a draw")
            .has("paragraph", "G-4");
    }

    let offer = v1::MakeProposalRequest { match_id: table.match_id.clone(), kind, request_id: None };
    matches.make_proposal(sent(offer.clone(), demons)).await.unwrap();
    for (token, advice) in [(angels, "accept or decline it"), (demons, "move before proposing again")] {
        let rejection = refused(matches.make_proposal(sent(offer.clone(), token)).await);
        rejection.is("ALREADY_PROPOSED", Code::FailedPrecondition, advice).has("paragraph", "G-4");
    }

    for kind in [0, 99] {
        let make = v1::MakeProposalRequest { kind, ..offer.clone() };
        let rejection = refused(matches.make_proposal(sent(make, demons)).await);
        rejection.is("INVALID_ARGUMENT", Code::InvalidArgument, "PROPOSAL_KIND_DRAW").at("kind");
        let answer = v1::AnswerProposalRequest { kind, ..answer(true) };
        let rejection = refused(matches.answer_proposal(sent(answer, angels)).await);
        rejection.is("INVALID_ARGUMENT", Code::InvalidArgument, "PROPOSAL_KIND_DRAW").at("kind");
    }
    let no_answer = v1::AnswerProposalRequest { accept: None, ..answer(true) };
    let rejection = refused(matches.answer_proposal(sent(no_answer, angels)).await);
    rejection.is("INVALID_ARGUMENT", Code::InvalidArgument, "true or false").at("accept");
    stage.close().await;
}

#[tokio::test]
async fn an_abort_after_the_first_move_is_rejected() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(8, 8, 20).await;
    stage.client.submit(&table, 0, "1,1").await.unwrap();
    let abort = v1::AbortMatchRequest { match_id: table.match_id.clone(), request_id: None };
    let rejection =
        refused(stage.client.matches.clone().abort_match(sent(abort, Some(&table.tokens[1]))).await);
    rejection.is("TOO_LATE_TO_ABORT", Code::FailedPrecondition, "resign instead").has("paragraph", "G-4");
    stage.close().await;
}

#[tokio::test]
async fn positions_that_cannot_be_played_on_are_not_forkable() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(8, 8, 20).await;
    let fork =
        |at_seq| v1::ForkMatchRequest { match_id: table.match_id.clone(), at_seq, ..Default::default() };
    let mut matches = stage.client.matches.clone();
    let rejection = refused(matches.fork_match(fork(None)).await);
    rejection.is("NOT_FORKABLE", Code::FailedPrecondition, "once it is over");
    let rejection = refused(matches.fork_match(fork(Some(99))).await);
    rejection.is("NOT_FORKABLE", Code::FailedPrecondition, "once it is over");

    let resign = v1::ResignRequest { match_id: table.match_id.clone(), request_id: None };
    matches.resign(sent(resign, Some(&table.tokens[0]))).await.unwrap();
    let rejection = refused(matches.fork_match(fork(Some(5))).await);
    rejection.is("NOT_FORKABLE", Code::FailedPrecondition, "is at_seq 4");
    let rejection = refused(matches.fork_match(fork(Some(99))).await);
    rejection.is("UNKNOWN_SEQ", Code::OutOfRange, "99").has("actual_seq", 5);
    stage.close().await;
}

#[tokio::test]
async fn a_seat_cannot_rotate_the_token_of_another_seat() {
    let stage = Stage::on(Backend::Memory).await;
    let match_id = stage.client.create(Default::default()).await;
    let token = stage.client.claim(&match_id, 0, "Ann").await.unwrap();
    let rotate = |seat: Option<u32>| v1::RotateSeatTokenRequest {
        match_id: match_id.clone(),
        seat,
        request_id: None,
        claim_secret: None,
    };
    let mut matches = stage.client.matches.clone();
    let rejection = refused(matches.rotate_seat_token(sent(rotate(Some(1)), Some(&token))).await);
    rejection.is("NOT_ALLOWED", Code::PermissionDenied, "the seat itself");
    for no_seat in [None, Some(2), Some(u32::MAX)] {
        let rejection = refused(matches.rotate_seat_token(sent(rotate(no_seat), Some(&token))).await);
        rejection
            .is("INVALID_ARGUMENT", Code::InvalidArgument, "0 to 1, since the match has 2 seats")
            .at("seat");
    }
    stage.close().await;
}

#[tokio::test]
async fn an_unclaimed_seat_has_no_token_to_rotate() {
    let storage = Storage::here(Backend::Memory).await;
    let (key, secret) = ApiKey::generate("shop", Role::App).unwrap();
    let mut config = storage.config();
    config.api_keys = KeyRing::new(vec![key]).unwrap();
    let stage = Stage::with(config).await;
    let mut matches = stage.client.matches.clone();
    let create = create_request(Default::default());
    let created = matches.create_match(sent(create, Some(&secret))).await.unwrap().into_inner();
    let match_id = created.r#match.unwrap().match_id;
    let seat = Some(1);
    let rotate = v1::RotateSeatTokenRequest { match_id, seat, request_id: None, claim_secret: None };
    let rejection = refused(matches.rotate_seat_token(sent(rotate, Some(&secret))).await);
    rejection.is("SEAT_NOT_CLAIMED", Code::FailedPrecondition, "not claimed");
    stage.close().await;
}

/// The system's time and randomness; drawing a secret panics while the flag is set.
struct FailingRandomness(Arc<AtomicBool>);

impl Environment for FailingRandomness {
    fn now(&self, journal: &Journal) -> RecordTime {
        SystemEnvironment.now(journal)
    }

    fn secret(&self) -> [u8; 32] {
        assert!(!self.0.load(Ordering::SeqCst), "SECRET-OF-A-STATE");
        SystemEnvironment.secret()
    }

    fn new_match_id(&self) -> MatchId {
        SystemEnvironment.new_match_id()
    }
}

#[tokio::test]
async fn an_internal_error_reveals_nothing_and_breaks_nothing() {
    let storage = Storage::here(Backend::Memory).await;
    let fails = Arc::new(AtomicBool::new(false));
    let stage = Stage::within(storage.config(), FailingRandomness(Arc::clone(&fails))).await;
    let table = stage.client.table(8, 8, 20).await;
    fails.store(true, Ordering::SeqCst);
    let rejection = refused(stage.client.submit(&table, 0, "1,1").await);
    assert!(!format!("{rejection:?}").contains("SECRET-OF-A-STATE"));
    rejection.is("INTERNAL", Code::Internal, "the service's log");
    let target = format!("/v1/matches/{}/moves", table.match_id);
    let answer = Http::of(&stage.address)
        .post(&target, &[("matchbook-seat-token", &table.tokens[0])], &json!({"notation": "1,1"}))
        .await;
    assert!(!answer.refused(500, "INTERNAL").to_string().contains("SECRET-OF-A-STATE"));
    fails.store(false, Ordering::SeqCst);
    stage.client.submit(&table, 0, "1,1").await.unwrap();
    stage.close().await;
}
