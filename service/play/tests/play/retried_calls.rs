//! A retried call returns the original response and changes nothing.

use event::MatchId;
use play::{Caller, Capacity};
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason};

use crate::fixture::{self, Fixture};

fn initial_claim(seat: u32) -> proto::SeatClaim {
    let claim_secret = Some(fixture::SECRET.to_owned());
    proto::SeatClaim { seat: Some(seat), player: Some(proto::Player::named("Ada")), claim_secret }
}

#[tokio::test]
async fn a_retried_create_returns_the_same_match_and_token() {
    let play = fixture::in_memory().await;
    let request = proto::CreateMatchRequest {
        request_id: Some(Uuid::new_v4().to_string()),
        claim: Some(initial_claim(1)),
        ..fixture::create(3)
    };
    let first = play.create_match(&Caller::anonymous(), request.clone()).await.unwrap();
    assert!(first.seat_token.starts_with("mbs_"));

    // Also after the match has continued.
    let match_id = first.r#match.as_ref().unwrap().match_id.clone();
    play.claim_seat(&Caller::anonymous(), fixture::claim(&match_id, 0)).await.unwrap();
    assert_eq!(play.create_match(&Caller::anonymous(), request.clone()).await.unwrap(), first);

    for other in [
        proto::CreateMatchRequest { claim: None, ..request.clone() },
        proto::CreateMatchRequest { options: None, ..request.clone() },
    ] {
        let refusal = play.create_match(&Caller::anonymous(), other).await.unwrap_err();
        assert_eq!(refusal.reason, ErrorReason::RequestIdReused);
    }
}

#[tokio::test]
async fn a_request_decides_the_bucket_of_its_match() {
    let bucket = async |request_id: Option<&str>| {
        // Another service, so that each call creates a match of its own.
        let play = fixture::in_memory().await;
        let request_id = request_id.map(str::to_owned);
        let create = proto::CreateMatchRequest { request_id, ..fixture::create(3) };
        let created = play.create_match(&Caller::anonymous(), create).await.unwrap().r#match.unwrap();
        MatchId(Uuid::parse_str(&created.match_id).unwrap()).bucket().number()
    };
    // Computed with Python's hashlib from docs/scale.md: shards will be found by it, so it never changes.
    let fixed = "0192f0c1-2b3a-7c4d-8e5f-60718293a4b5";
    assert_eq!((bucket(Some(fixed)).await, bucket(Some(fixed)).await), (499, 499));
    let random = [bucket(None).await, bucket(None).await, bucket(None).await];
    assert!(random.iter().any(|other| *other != 499));
}

#[tokio::test]
async fn calls_are_recognized_from_the_log_after_a_restart() {
    let journal = fixture::open("memory:").await;
    let play = fixture::on(journal.clone(), Capacity::default()).await;
    let (anonymous, id) = (Caller::anonymous(), || Some(Uuid::new_v4().to_string()));
    let create =
        proto::CreateMatchRequest { request_id: id(), claim: Some(initial_claim(0)), ..fixture::create(3) };
    let created = play.create_match(&anonymous, create.clone()).await.unwrap();
    let match_id = created.r#match.as_ref().unwrap().match_id.clone();
    // One id may be used for one create and one call on a match.
    let claim = proto::ClaimSeatRequest {
        request_id: create.request_id.clone(),
        claim_secret: Some(fixture::SECRET.to_owned()),
        ..fixture::claim(&match_id, 1)
    };
    let claimed = play.claim_seat(&anonymous, claim.clone()).await.unwrap();
    let angels = fixture::seat(created.seat_token.as_str());
    let submit = fixture::submit(&match_id, "2,2", Some(Uuid::new_v4()));
    let submitted = play.submit_move(&angels, submit.clone()).await.unwrap();

    let later = fixture::on(journal, Capacity::default()).await;
    assert_eq!(later.create_match(&anonymous, create).await.unwrap(), created);
    assert_eq!(later.claim_seat(&anonymous, claim).await.unwrap(), claimed);
    assert_eq!(later.submit_move(&angels, submit).await.unwrap(), submitted);
}

#[tokio::test]
async fn calls_other_than_moves_are_recognized_after_a_restart() {
    let journal = fixture::open("memory:").await;
    let play = fixture::on(journal.clone(), Capacity::default()).await;
    let id = || Some(Uuid::new_v4().to_string());
    let fixture = Fixture::start(&play, 3).await;
    let match_id = || fixture.match_id.clone();
    let kind = proto::ProposalKind::Draw.into();
    let offer = proto::MakeProposalRequest { match_id: match_id(), kind, request_id: id() };
    let offered = play.make_proposal(&fixture.angels, offer.clone()).await.unwrap();
    let accept = Some(false);
    let decline = proto::AnswerProposalRequest { match_id: match_id(), kind, accept, request_id: id() };
    let declined = play.answer_proposal(&fixture.demons, decline.clone()).await.unwrap();
    let rotate = |request_id| proto::RotateSeatTokenRequest {
        match_id: match_id(),
        seat: Some(0),
        request_id,
        claim_secret: Some(fixture::SECRET.to_owned()),
    };
    let (first, second) = (rotate(id()), rotate(id()));
    let rotated = play.rotate_seat_token(&fixture.angels, first.clone()).await.unwrap();
    let between = fixture::seat(rotated.seat_token.as_str());
    let again = play.rotate_seat_token(&between, second.clone()).await.unwrap();
    let angels = fixture::seat(again.seat_token.as_str());
    let resign = proto::ResignRequest { match_id: match_id(), request_id: id() };
    let resigned = play.resign(&fixture.demons, resign.clone()).await.unwrap();
    let fork = proto::ForkMatchRequest { match_id: match_id(), request_id: id(), ..Default::default() };
    let forked = play.fork_match(&angels, fork.clone()).await.unwrap();
    let rematch = proto::CreateRematchRequest {
        match_id: match_id(),
        request_id: id(),
        claim_secret: Some(fixture::SECRET.to_owned()),
        rules_version: None,
    };
    let rematched = play.create_rematch(&angels, rematch.clone()).await.unwrap();

    let later = fixture::on(journal, Capacity::default()).await;
    assert_eq!(later.make_proposal(&angels, offer).await.unwrap(), offered);
    assert_eq!(later.answer_proposal(&fixture.demons, decline).await.unwrap(), declined);
    // It comes with its original token, which is invalid by now.
    assert_eq!(later.rotate_seat_token(&between, second).await.unwrap(), again);
    // The first rotation's token is invalid as well, so that nobody gets it again.
    let without_token = proto::RotateSeatTokenResponse { seat_token: String::new(), ..rotated };
    for caller in [&fixture.angels, &angels] {
        assert_eq!(later.rotate_seat_token(caller, first.clone()).await.unwrap(), without_token);
    }
    assert_eq!(later.resign(&fixture.demons, resign).await.unwrap(), resigned);
    assert_eq!(later.fork_match(&angels, fork).await.unwrap(), forked);
    assert_eq!(later.create_rematch(&angels, rematch).await.unwrap(), rematched);
}

#[tokio::test]
async fn a_retried_claim_returns_the_same_token() {
    let play = fixture::in_memory().await;
    let created = play.create_match(&Caller::anonymous(), fixture::create(3)).await.unwrap();
    let match_id = created.r#match.unwrap().match_id;
    let claim = proto::ClaimSeatRequest {
        request_id: Some(Uuid::new_v4().to_string()),
        claim_secret: Some(fixture::SECRET.to_owned()),
        entropy: b"dice".to_vec(),
        ..fixture::claim(&match_id, 0)
    };
    let first = play.claim_seat(&Caller::anonymous(), claim.clone()).await.unwrap();
    assert_eq!(play.claim_seat(&Caller::anonymous(), claim.clone()).await.unwrap(), first);

    for other in [
        proto::ClaimSeatRequest { player: Some(proto::Player::named("Eve")), ..claim.clone() },
        proto::ClaimSeatRequest { entropy: Vec::new(), ..claim.clone() },
        proto::ClaimSeatRequest { seat: Some(1), ..claim.clone() },
    ] {
        let refusal = play.claim_seat(&Caller::anonymous(), other).await.unwrap_err();
        assert_eq!(refusal.reason, ErrorReason::RequestIdReused);
    }
    let new_call = proto::ClaimSeatRequest { request_id: None, ..claim };
    let refusal = play.claim_seat(&Caller::anonymous(), new_call).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::SeatTaken);
}

#[tokio::test]
async fn a_retried_move_returns_the_original_response_even_much_later() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 9).await;
    let request = fixture::submit(&fixture.match_id, "1,1", Some(Uuid::new_v4()));
    fixture.submit(&play, &fixture.demons, "4,4").await.unwrap();
    let first = play.submit_move(&fixture.angels, request.clone()).await.unwrap();
    assert_eq!(first.events.len(), 2, "expected the choice and the reveal");
    for _ in 0..5 {
        fixture.play_turn(&play).await;
    }
    let before = fixture.events(&play).await;
    assert_eq!(play.submit_move(&fixture.angels, request.clone()).await.unwrap(), first);
    assert_eq!(fixture.events(&play).await, before);

    let typed = wire::games::angels_and_demons::v1::Move { row: 1, col: 1 };
    let same_move_typed = proto::SubmitMoveRequest {
        input: Some(proto::submit_move_request::Input::Move(proto::Move {
            game: Some(proto::r#move::Game::AngelsAndDemons(typed)),
        })),
        ..request.clone()
    };
    assert_eq!(play.submit_move(&fixture.angels, same_move_typed).await.unwrap(), first);

    let other = proto::SubmitMoveRequest {
        input: Some(proto::submit_move_request::Input::Notation("2,2".to_owned())),
        ..request.clone()
    };
    let refusal = play.submit_move(&fixture.angels, other).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::RequestIdReused);

    // The same id of another caller is another id.
    assert!(play.submit_move(&fixture.demons, request).await.is_ok());
}

#[tokio::test]
async fn the_last_move_of_a_match_can_be_retried_after_the_end() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 1).await;
    fixture.submit(&play, &fixture.angels, "1,1").await.unwrap();
    let request = fixture::submit(&fixture.match_id, "4,4", Some(Uuid::new_v4()));
    let first = play.submit_move(&fixture.demons, request.clone()).await.unwrap();
    assert_eq!(first.events.len(), 3, "expected the choice, the reveal and the end");
    assert_eq!(play.submit_move(&fixture.demons, request).await.unwrap(), first);
}
