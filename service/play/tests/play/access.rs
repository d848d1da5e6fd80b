//! Who may know and do what: API keys, private matches, replaced tokens.

use futures_util::StreamExt;
use play::Caller;
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason, Visibility};

use crate::fixture::{self, Fixture};
use crate::keyed::Keyed;

#[tokio::test]
async fn with_api_keys_only_apps_create_matches() {
    let keyed = Keyed::start().await;
    for (caller, reason) in [
        (Caller::anonymous(), ErrorReason::MissingKey),
        (fixture::seat("mbs_whatever"), ErrorReason::MissingKey),
        (fixture::app("mbk_of-another-service"), ErrorReason::BadToken),
        (keyed.audit.clone(), ErrorReason::NotAllowed),
    ] {
        assert_eq!(keyed.play.create_match(&caller, fixture::create(3)).await.unwrap_err().reason, reason);
    }
    keyed.play.create_match(&keyed.other_app, fixture::create(3)).await.unwrap();
}

#[tokio::test]
async fn a_private_match_does_not_exist_for_others_whatever_their_credential() {
    let keyed = Keyed::start().await;
    let match_id = keyed.create(Visibility::Private).await;
    let seat = keyed.claim(&keyed.app, &match_id, 0).await.unwrap();
    let outsiders = [Caller::anonymous(), fixture::seat("mbs_of-another-match"), keyed.other_app.clone()];
    let missing = Uuid::now_v7().to_string();
    for caller in &outsiders {
        assert_eq!(keyed.viewer(caller, &match_id).await, Err(ErrorReason::UnknownMatch));
        assert_eq!(keyed.viewer(caller, &missing).await, Err(ErrorReason::UnknownMatch));
        let claim = keyed.claim(caller, &match_id, 1).await;
        assert_eq!(claim.err(), Some(ErrorReason::UnknownMatch));
        let resign = proto::ResignRequest { match_id: match_id.clone(), request_id: None };
        assert_eq!(keyed.play.resign(caller, resign).await.unwrap_err().reason, ErrorReason::UnknownMatch);
    }
    assert_eq!(keyed.viewer(&seat, &match_id).await, Ok(proto::Viewer::in_seat(0)));
    for caller in [&keyed.app, &keyed.audit] {
        assert_eq!(keyed.viewer(caller, &match_id).await, Ok(proto::Viewer::spectator()));
    }
}

#[tokio::test]
async fn only_the_owner_of_a_private_match_claims_its_seats() {
    let keyed = Keyed::start().await;
    let match_id = keyed.create(Visibility::Private).await;
    let seat = keyed.claim(&keyed.app, &match_id, 0).await.unwrap();
    for caller in [&seat, &keyed.audit] {
        let claim = keyed.claim(caller, &match_id, 1).await;
        assert_eq!(claim.err(), Some(ErrorReason::NotAllowed));
    }
    keyed.claim(&keyed.app, &match_id, 1).await.unwrap();
}

#[tokio::test]
async fn without_api_keys_no_match_is_private() {
    let play = fixture::in_memory().await;
    let create =
        |visibility: i32| proto::CreateMatchRequest { visibility: Some(visibility), ..fixture::create(3) };
    let private = play.create_match(&Caller::anonymous(), create(Visibility::Private.into())).await;
    let refusal = private.unwrap_err();
    assert_eq!((refusal.reason, &*refusal.fields[0].field), (ErrorReason::InvalidArgument, "visibility"));
    for unknown in [0, 4] {
        let refusal = play.create_match(&Caller::anonymous(), create(unknown)).await.unwrap_err();
        assert_eq!(refusal.fields[0].field, "visibility");
    }
    play.create_match(&Caller::anonymous(), create(Visibility::Unlisted.into())).await.unwrap();
}

fn rotate(match_id: &str, seat: u32, request_id: Option<Uuid>) -> proto::RotateSeatTokenRequest {
    proto::RotateSeatTokenRequest {
        match_id: match_id.to_owned(),
        seat: Some(seat),
        request_id: request_id.map(|id| id.to_string()),
        claim_secret: None,
    }
}

#[tokio::test]
async fn rotating_a_token_invalidates_the_previous_one() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 3).await;
    let request = rotate(&fixture.match_id, 0, Some(Uuid::new_v4()));
    let rotated = play.rotate_seat_token(&fixture.angels, request).await.unwrap();
    let fresh = fixture::seat(rotated.seat_token.as_str());
    assert_eq!(
        fixture.submit(&play, &fixture.angels, "1,1").await.unwrap_err().reason,
        ErrorReason::BadToken
    );
    fixture.submit(&play, &fresh, "1,1").await.unwrap();

    // Any other call with the now invalid token is refused.
    let another = rotate(&fixture.match_id, 0, Some(Uuid::new_v4()));
    let refusal = play.rotate_seat_token(&fixture.angels, another).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::BadToken);
}

#[tokio::test]
async fn a_watch_ends_when_its_token_is_replaced() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 3).await;
    let watch = |caller: Caller| {
        let request = proto::WatchMatchRequest {
            match_id: fixture.match_id.clone(),
            after_seq: None,
            include_view: false,
            after_hash: None,
        };
        let play = play.clone();
        async move { play.watch_match(&caller, request).await.unwrap() }
    };
    let (mut stolen, mut public) = (watch(fixture.angels.clone()).await, watch(Caller::anonymous()).await);
    for frames in [&mut stolen, &mut public] {
        frames.next().await.unwrap().unwrap();
    }
    let request = rotate(&fixture.match_id, 0, None);
    let fresh = play.rotate_seat_token(&fixture.angels, request).await.unwrap().seat_token;
    fixture.submit(&play, &fixture::seat(fresh), "1,1").await.unwrap();
    assert_eq!(stolen.next().await.unwrap().unwrap_err().reason, ErrorReason::BadToken);
    assert!(stolen.next().await.is_none());
    public.next().await.unwrap().unwrap();
}

#[tokio::test]
async fn a_token_is_rotated_by_its_seat_or_the_owner_only() {
    let keyed = Keyed::start().await;
    let match_id = keyed.create(Visibility::Public).await;
    let request = rotate(&match_id, 0, None);
    let refusal = keyed.play.rotate_seat_token(&keyed.app, request.clone()).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::SeatNotClaimed);
    let seat = keyed.claim(&Caller::anonymous(), &match_id, 0).await.unwrap();
    let other = keyed.claim(&Caller::anonymous(), &match_id, 1).await.unwrap();
    for (caller, reason) in [
        (&other, ErrorReason::NotAllowed),
        (&keyed.other_app, ErrorReason::NotAllowed),
        (&keyed.audit, ErrorReason::NotAllowed),
        (&Caller::anonymous(), ErrorReason::MissingToken),
    ] {
        let refusal = keyed.play.rotate_seat_token(caller, request.clone()).await.unwrap_err();
        assert_eq!(refusal.reason, reason);
    }
    let rotated = keyed.play.rotate_seat_token(&keyed.app, request).await.unwrap();
    assert_eq!(keyed.viewer(&seat, &match_id).await, Err(ErrorReason::BadToken));
    let fresh = fixture::seat(rotated.seat_token);
    assert_eq!(keyed.viewer(&fresh, &match_id).await, Ok(proto::Viewer::in_seat(0)));
}

#[tokio::test]
async fn a_key_and_a_seats_token_together_permit_what_either_permits() {
    let keyed = Keyed::start().await;
    let match_id = keyed.create(Visibility::Private).await;
    let token = fixture::claim(&match_id, 0);
    let token = keyed.play.claim_seat(&keyed.app, token).await.unwrap().seat_token;
    let both = |app: &Caller| app.clone().with_seat_token(token.as_str());

    // The caller sees as the seat, with any key.
    for app in [&keyed.app, &keyed.other_app, &keyed.audit] {
        assert_eq!(keyed.viewer(&both(app), &match_id).await, Ok(proto::Viewer::in_seat(0)));
    }
    // It owns as the app: only the owner claims a seat of its private match.
    let claim = keyed.claim(&both(&keyed.other_app), &match_id, 1).await;
    assert_eq!(claim.err(), Some(ErrorReason::NotAllowed));
    keyed.claim(&both(&keyed.app), &match_id, 1).await.unwrap();
    let rotate = rotate(&match_id, 1, None);
    let refusal = keyed.play.rotate_seat_token(&both(&keyed.other_app), rotate.clone()).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::NotAllowed);
    keyed.play.rotate_seat_token(&both(&keyed.app), rotate).await.unwrap();
    let resign = proto::ResignRequest { match_id: match_id.clone(), request_id: None };
    keyed.play.resign(&both(&keyed.other_app), resign).await.unwrap();
}

#[tokio::test]
async fn a_valid_key_does_not_excuse_another_credential_that_is_not() {
    let keyed = Keyed::start().await;
    let match_id = keyed.create(Visibility::Private).await;
    let wrong = |app: &Caller| app.clone().with_seat_token("mbs_of-another-match");
    for app in [&keyed.app, &keyed.audit] {
        assert_eq!(keyed.viewer(&wrong(app), &match_id).await, Err(ErrorReason::BadToken));
    }
    // A key that may not know of the match learns nothing more with a token.
    let other = wrong(&keyed.other_app);
    assert_eq!(keyed.viewer(&other, &match_id).await, Err(ErrorReason::UnknownMatch));

    let claimed = keyed.play.claim_seat(&keyed.app, fixture::claim(&match_id, 0)).await;
    let seat = fixture::seat(claimed.unwrap().seat_token).with_key("mbk_of-another-service");
    assert_eq!(keyed.viewer(&seat, &match_id).await, Err(ErrorReason::BadToken));
}

#[tokio::test]
async fn a_fork_belongs_to_the_key_that_makes_it_and_without_one_to_the_parents_owner() {
    let keyed = Keyed::start().await;
    let match_id = keyed.create(Visibility::Public).await;
    let claim = fixture::claim(&match_id, 0);
    let token = keyed.play.claim_seat(&Caller::anonymous(), claim).await.unwrap().seat_token;
    keyed.claim(&Caller::anonymous(), &match_id, 1).await.unwrap();
    let resign = proto::ResignRequest { match_id: match_id.clone(), request_id: None };
    keyed.play.resign(&fixture::seat(token.as_str()), resign).await.unwrap();
    let fork = async |caller: Caller| {
        let visibility = Some(Visibility::Private.into());
        let request = proto::ForkMatchRequest {
            match_id: match_id.clone(),
            at_seq: Some(4),
            visibility,
            ..Default::default()
        };
        keyed.play.fork_match(&caller, request).await.unwrap().r#match.unwrap().match_id
    };
    let with = |app: &Caller| app.clone().with_seat_token(token.as_str());
    for (caller, owner, stranger) in [
        (fixture::seat(token.as_str()), &keyed.app, &keyed.other_app),
        (with(&keyed.other_app), &keyed.other_app, &keyed.app),
        (with(&keyed.audit), &keyed.app, &keyed.other_app),
    ] {
        let forked = fork(caller).await;
        assert_eq!(keyed.viewer(owner, &forked).await, Ok(proto::Viewer::spectator()));
        assert_eq!(keyed.viewer(stranger, &forked).await, Err(ErrorReason::UnknownMatch));
    }
}
