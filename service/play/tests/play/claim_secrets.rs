//! Who gets a seat's token again: only a caller that proves the secret of the first call. A `request_id`
//! proves nothing.

use play::{ApiKey, Caller, KeyRing, Play, Role, Settings};
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason, Visibility};

use crate::fixture::{self, Fixture, SECRET};

/// Secrets of retries that do not prove the first call's.
fn other_secrets() -> [Option<String>; 2] {
    [None, Some(format!("{SECRET}."))]
}

fn id() -> Option<String> {
    Some(Uuid::new_v4().to_string())
}

async fn open_match(play: &Play) -> String {
    let created = play.create_match(&Caller::anonymous(), fixture::create(3)).await.unwrap();
    created.r#match.unwrap().match_id
}

#[tokio::test]
async fn a_retried_claim_returns_the_token_only_for_its_secret() {
    let play = fixture::in_memory().await;
    let match_id = open_match(&play).await;
    let secret = Some(SECRET.to_owned());
    let claim =
        proto::ClaimSeatRequest { request_id: id(), claim_secret: secret, ..fixture::claim(&match_id, 0) };
    let first = play.claim_seat(&Caller::anonymous(), claim.clone()).await.unwrap();
    assert!(first.seat_token.starts_with("mbs_"));
    for claim_secret in other_secrets() {
        let retry = proto::ClaimSeatRequest { claim_secret, ..claim.clone() };
        let without_token = proto::ClaimSeatResponse { seat_token: String::new(), ..first.clone() };
        assert_eq!(play.claim_seat(&Caller::anonymous(), retry).await.unwrap(), without_token);
    }
    assert_eq!(play.claim_seat(&Caller::anonymous(), claim).await.unwrap(), first);
}

#[tokio::test]
async fn a_retried_create_returns_the_token_only_for_its_secret() {
    let play = fixture::in_memory().await;
    let request_id = id();
    let create = |claim_secret| proto::CreateMatchRequest {
        request_id: request_id.clone(),
        claim: Some(proto::SeatClaim {
            seat: Some(0),
            player: Some(proto::Player::named("Ada")),
            claim_secret,
        }),
        ..fixture::create(3)
    };
    let caller = Caller::anonymous();
    let first = play.create_match(&caller, create(Some(SECRET.to_owned()))).await.unwrap();
    for other in other_secrets() {
        let without_token = proto::CreateMatchResponse { seat_token: String::new(), ..first.clone() };
        assert_eq!(play.create_match(&caller, create(other)).await.unwrap(), without_token);
    }
    assert_eq!(play.create_match(&caller, create(Some(SECRET.to_owned()))).await.unwrap(), first);
}

#[tokio::test]
async fn a_retried_rematch_returns_the_token_only_for_its_secret() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 3).await;
    let resign = proto::ResignRequest { match_id: fixture.match_id.clone(), request_id: None };
    play.resign(&fixture.angels, resign).await.unwrap();
    let request_id = id();
    let rematch = |claim_secret| proto::CreateRematchRequest {
        rules_version: None,
        match_id: fixture.match_id.clone(),
        request_id: request_id.clone(),
        claim_secret,
    };
    let first = play.create_rematch(&fixture.angels, rematch(Some(SECRET.to_owned()))).await.unwrap();
    for other in other_secrets() {
        let without_token = proto::CreateRematchResponse { seat_token: String::new(), ..first.clone() };
        assert_eq!(play.create_rematch(&fixture.angels, rematch(other)).await.unwrap(), without_token);
    }
    let again = play.create_rematch(&fixture.angels, rematch(Some(SECRET.to_owned()))).await.unwrap();
    assert_eq!(again, first);
}

fn rotate(
    match_id: &str,
    request_id: Option<&String>,
    secret: Option<&str>,
) -> proto::RotateSeatTokenRequest {
    proto::RotateSeatTokenRequest {
        match_id: match_id.to_owned(),
        seat: Some(0),
        request_id: request_id.cloned(),
        claim_secret: secret.map(str::to_owned),
    }
}

/// A seat cannot make the log longer at will, and its owner can still help a player who lost the token.
#[tokio::test]
async fn a_seat_is_rotated_64_times_and_16_times_more_by_the_owner() {
    let (key, secret) = ApiKey::generate("shop", Role::App).unwrap();
    let settings = Settings { keys: KeyRing::new(vec![key]).unwrap(), ..Settings::default() };
    let play = fixture::with_settings(fixture::open("memory:").await, settings).await;
    let owner = fixture::app(secret);
    let match_id = play.create_match(&owner, fixture::create(3)).await.unwrap().r#match.unwrap().match_id;
    let claimed = play.claim_seat(&owner, fixture::claim(&match_id, 0)).await.unwrap();
    let other = play.claim_seat(&owner, fixture::claim(&match_id, 1)).await.unwrap();
    let mut token = claimed.seat_token;
    for _ in 0..64 {
        let seat = fixture::seat(token);
        token = play.rotate_seat_token(&seat, rotate(&match_id, None, None)).await.unwrap().seat_token;
    }
    let refused = async |caller: &Caller, limit: &str| {
        let refusal = play.rotate_seat_token(caller, rotate(&match_id, None, None)).await.unwrap_err();
        assert_eq!(
            (refusal.reason, refusal.metadata["limit"].as_str()),
            (ErrorReason::TooManyRotations, limit)
        );
    };
    refused(&fixture::seat(token.as_str()), "64").await;
    for _ in 64..80 {
        token = play.rotate_seat_token(&owner, rotate(&match_id, None, None)).await.unwrap().seat_token;
    }
    refused(&owner, "80").await;
    refused(&fixture::seat(token.as_str()), "64").await;
    let retry = proto::RotateSeatTokenRequest { seat: Some(1), ..rotate(&match_id, None, None) };
    play.rotate_seat_token(&fixture::seat(other.seat_token), retry)
        .await
        .expect("each seat has its own limit");
}

#[tokio::test]
async fn a_retried_rotation_with_another_seats_token_is_refused_despite_its_secret() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 3).await;
    let request_id = id();
    let request = || rotate(&fixture.match_id, request_id.as_ref(), Some(SECRET));
    let rotated = play.rotate_seat_token(&fixture.angels, request()).await.unwrap();
    let refusal = play.rotate_seat_token(&fixture.demons, request()).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::NotAllowed);
    assert_eq!(play.rotate_seat_token(&fixture.angels, request()).await.unwrap(), rotated);
}

#[tokio::test]
async fn a_rotation_is_retried_with_its_secret_or_with_a_valid_credential() {
    let (key, secret) = ApiKey::generate("shop", Role::App).unwrap();
    let settings = Settings { keys: KeyRing::new(vec![key]).unwrap(), ..Settings::default() };
    let play = fixture::with_settings(fixture::open("memory:").await, settings).await;
    let owner = fixture::app(secret);
    for (visibility, invalid) in
        [(Visibility::Public, ErrorReason::BadToken), (Visibility::Private, ErrorReason::UnknownMatch)]
    {
        let create = proto::CreateMatchRequest { visibility: Some(visibility.into()), ..fixture::create(3) };
        let match_id = play.create_match(&owner, create).await.unwrap().r#match.unwrap().match_id;
        let claimed = play.claim_seat(&owner, fixture::claim(&match_id, 0)).await.unwrap();
        let old = fixture::seat(claimed.seat_token);

        let request_id = id();
        let request = |secret: Option<&str>| rotate(&match_id, request_id.as_ref(), secret);
        let rotated = play.rotate_seat_token(&old, request(Some(SECRET))).await.unwrap();
        let fresh = fixture::seat(rotated.seat_token.as_str());
        // With the secret, whatever the credential: the response may have been lost.
        for caller in [&old, &fresh, &owner, &Caller::anonymous()] {
            assert_eq!(play.rotate_seat_token(caller, request(Some(SECRET))).await.unwrap(), rotated);
        }
        // Without it, as any call with the credential.
        let without_token = proto::RotateSeatTokenResponse { seat_token: String::new(), ..rotated };
        for other in other_secrets() {
            for caller in [&fresh, &owner] {
                let retried = play.rotate_seat_token(caller, request(other.as_deref())).await.unwrap();
                assert_eq!(retried, without_token);
            }
            let refusal = play.rotate_seat_token(&old, request(other.as_deref())).await.unwrap_err();
            assert_eq!(refusal.reason, invalid);
        }
    }
}

#[tokio::test]
async fn a_token_that_was_replaced_is_not_returned_again() {
    let play = fixture::in_memory().await;
    let match_id = open_match(&play).await;
    let secret = Some(SECRET.to_owned());
    let claim =
        proto::ClaimSeatRequest { request_id: id(), claim_secret: secret, ..fixture::claim(&match_id, 0) };
    let claimed = play.claim_seat(&Caller::anonymous(), claim.clone()).await.unwrap();
    let seat = fixture::seat(claimed.seat_token.as_str());
    // The same secret makes another token.
    let rotated =
        play.rotate_seat_token(&seat, rotate(&match_id, id().as_ref(), Some(SECRET))).await.unwrap();
    assert_ne!(rotated.seat_token, claimed.seat_token);
    let retried = play.claim_seat(&Caller::anonymous(), claim).await.unwrap();
    assert_eq!(retried, proto::ClaimSeatResponse { seat_token: String::new(), ..claimed });
}

#[tokio::test]
async fn without_a_secret_equal_calls_get_different_tokens() {
    let play = fixture::in_memory().await;
    let (match_id, request_id) = (open_match(&play).await, id());
    let claim =
        |seat| proto::ClaimSeatRequest { request_id: request_id.clone(), ..fixture::claim(&match_id, seat) };
    let claimed = play.claim_seat(&Caller::anonymous(), claim(0)).await.unwrap();
    let seat = fixture::seat(claimed.seat_token.as_str());
    let tokens = [
        claimed.seat_token,
        play.rotate_seat_token(&seat, rotate(&match_id, None, None)).await.unwrap().seat_token,
    ];
    assert!(tokens.iter().all(|token| token.starts_with("mbs_")) && tokens[0] != tokens[1]);
    let retried = play.claim_seat(&Caller::anonymous(), claim(0)).await.unwrap();
    assert_eq!(retried.seat_token, "");
}

#[tokio::test]
async fn a_malformed_secret_is_refused_by_name_and_not_repeated() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 3).await;
    let anonymous = Caller::anonymous();
    let match_id = || fixture.match_id.clone();
    for malformed in ["", "tooshort-secret", &"s".repeat(129), "0123456789 12345", "0123456789abcd\u{e9}"] {
        let claim_secret = Some(malformed.to_owned());
        let claim = proto::ClaimSeatRequest {
            claim_secret: claim_secret.clone(),
            ..fixture::claim(&fixture.match_id, 0)
        };
        let rotate = rotate(&fixture.match_id, None, Some(malformed));
        let rematch = proto::CreateRematchRequest {
            rules_version: None,
            match_id: match_id(),
            request_id: None,
            claim_secret: claim_secret.clone(),
        };
        let create = proto::CreateMatchRequest {
            claim: Some(proto::SeatClaim {
                seat: Some(0),
                player: Some(proto::Player::named("Ada")),
                claim_secret,
            }),
            ..fixture::create(3)
        };
        for (field, refusal) in [
            ("claim_secret", play.claim_seat(&anonymous, claim).await.unwrap_err()),
            ("claim_secret", play.rotate_seat_token(&fixture.angels, rotate).await.unwrap_err()),
            ("claim_secret", play.create_rematch(&fixture.angels, rematch).await.unwrap_err()),
            ("claim.claim_secret", play.create_match(&anonymous, create).await.unwrap_err()),
        ] {
            assert_eq!(refusal.reason, ErrorReason::InvalidArgument);
            assert_eq!(refusal.fields[0].field, field);
            let repeated = !malformed.is_empty() && format!("{refusal:?}").contains(malformed);
            assert!(!repeated, "{refusal:?}");
        }
    }
}
