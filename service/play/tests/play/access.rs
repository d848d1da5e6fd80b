//! Who may know and do what: API keys, private matches, replaced tokens.

use futures_util::StreamExt;
use play::{ApiKey, Caller, KeyRing, Play, Role, Settings};
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason, Visibility};

use crate::fixture::{self, Fixture};

/// A service with API keys.
struct Keyed {
    play: Play,
    app: Caller,
    other_app: Caller,
    audit: Caller,
}

impl Keyed {
    async fn start() -> Self {
        let journal = fixture::open("memory:").await;
        let generated = [("app", Role::App), ("other", Role::App), ("audit", Role::Audit)]
            .map(|(name, role)| ApiKey::generate(name, role).unwrap());
        let [app, other_app, audit] = generated.clone().map(|(_, secret)| Caller::with_token(secret));
        let keys = KeyRing::new(generated.map(|(key, _)| key).to_vec()).unwrap();
        let play = fixture::with_settings(journal, Settings { keys, ..Settings::default() }).await;
        Self { play, app, other_app, audit }
    }

    async fn create(&self, visibility: Visibility) -> String {
        let create = proto::CreateMatchRequest { visibility: Some(visibility.into()), ..fixture::create(3) };
        self.play.create_match(&self.app, create).await.unwrap().r#match.unwrap().match_id
    }

    async fn claim(&self, caller: &Caller, match_id: &str, seat: proto::Seat) -> Result<Caller, ErrorReason> {
        let claimed = self.play.claim_seat(caller, fixture::claim(match_id, seat)).await;
        claimed.map(|claimed| Caller::with_token(claimed.seat_token)).map_err(|refusal| refusal.reason)
    }

    async fn viewer(&self, caller: &Caller, match_id: &str) -> Result<i32, ErrorReason> {
        let request = proto::GetViewRequest { match_id: match_id.to_owned(), ..Default::default() };
        let answer = self.play.get_view(caller, request).await.map_err(|refusal| refusal.reason);
        answer.map(|answer| answer.view.unwrap().viewer)
    }
}

#[tokio::test]
async fn with_api_keys_only_apps_create_matches() {
    let keyed = Keyed::start().await;
    for (caller, reason) in [
        (Caller::anonymous(), ErrorReason::MissingKey),
        (Caller::with_token("mbs_whatever"), ErrorReason::MissingKey),
        (Caller::with_token("mbk_of-another-service"), ErrorReason::BadToken),
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
    let seat = keyed.claim(&keyed.app, &match_id, proto::Seat::Zero).await.unwrap();
    let outsiders =
        [Caller::anonymous(), Caller::with_token("mbs_of-another-match"), keyed.other_app.clone()];
    let missing = Uuid::now_v7().to_string();
    for caller in &outsiders {
        assert_eq!(keyed.viewer(caller, &match_id).await, Err(ErrorReason::UnknownMatch));
        assert_eq!(keyed.viewer(caller, &missing).await, Err(ErrorReason::UnknownMatch));
        let claim = keyed.claim(caller, &match_id, proto::Seat::One).await;
        assert_eq!(claim.err(), Some(ErrorReason::UnknownMatch));
        let resign = proto::ResignRequest { match_id: match_id.clone(), request_id: None };
        assert_eq!(keyed.play.resign(caller, resign).await.unwrap_err().reason, ErrorReason::UnknownMatch);
    }
    assert_eq!(keyed.viewer(&seat, &match_id).await, Ok(proto::Viewer::SeatZero.into()));
    for caller in [&keyed.app, &keyed.audit] {
        assert_eq!(keyed.viewer(caller, &match_id).await, Ok(proto::Viewer::Spectator.into()));
    }
}

#[tokio::test]
async fn only_the_owner_of_a_private_match_claims_its_seats() {
    let keyed = Keyed::start().await;
    let match_id = keyed.create(Visibility::Private).await;
    let seat = keyed.claim(&keyed.app, &match_id, proto::Seat::Zero).await.unwrap();
    for caller in [&seat, &keyed.audit] {
        let claim = keyed.claim(caller, &match_id, proto::Seat::One).await;
        assert_eq!(claim.err(), Some(ErrorReason::NotAllowed));
    }
    keyed.claim(&keyed.app, &match_id, proto::Seat::One).await.unwrap();
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

fn rotate(match_id: &str, seat: proto::Seat, request_id: Option<Uuid>) -> proto::RotateSeatTokenRequest {
    proto::RotateSeatTokenRequest {
        match_id: match_id.to_owned(),
        seat: seat.into(),
        request_id: request_id.map(|id| id.to_string()),
    }
}

#[tokio::test]
async fn rotating_a_token_invalidates_the_previous_one() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 3).await;
    let request = rotate(&fixture.match_id, proto::Seat::Zero, Some(Uuid::new_v4()));
    let rotated = play.rotate_seat_token(&fixture.angels, request.clone()).await.unwrap();
    let fresh = Caller::with_token(rotated.seat_token.as_str());
    assert_eq!(
        fixture.submit(&play, &fixture.angels, "1,1").await.unwrap_err().reason,
        ErrorReason::BadToken
    );
    fixture.submit(&play, &fresh, "1,1").await.unwrap();

    // A retry with the now invalid token returns the original response, which may have been lost.
    assert_eq!(play.rotate_seat_token(&fixture.angels, request).await.unwrap(), rotated);
    let another = rotate(&fixture.match_id, proto::Seat::Zero, Some(Uuid::new_v4()));
    let refusal = play.rotate_seat_token(&fixture.angels, another).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::BadToken);
}

#[tokio::test]
async fn a_watch_ends_when_its_token_is_replaced() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 3).await;
    let watch = |caller: Caller| {
        let request = proto::WatchMatchRequest { match_id: fixture.match_id.clone(), after_seq: None };
        let play = play.clone();
        async move { play.watch_match(&caller, request).await.unwrap() }
    };
    let (mut stolen, mut public) = (watch(fixture.angels.clone()).await, watch(Caller::anonymous()).await);
    for frames in [&mut stolen, &mut public] {
        frames.next().await.unwrap().unwrap();
    }
    let request = rotate(&fixture.match_id, proto::Seat::Zero, None);
    let fresh = play.rotate_seat_token(&fixture.angels, request).await.unwrap().seat_token;
    fixture.submit(&play, &Caller::with_token(fresh), "1,1").await.unwrap();
    assert_eq!(stolen.next().await.unwrap().unwrap_err().reason, ErrorReason::BadToken);
    assert!(stolen.next().await.is_none());
    public.next().await.unwrap().unwrap();
}

#[tokio::test]
async fn a_token_is_rotated_by_its_seat_or_the_owner_only() {
    let keyed = Keyed::start().await;
    let match_id = keyed.create(Visibility::Public).await;
    let request = rotate(&match_id, proto::Seat::Zero, None);
    let refusal = keyed.play.rotate_seat_token(&keyed.app, request.clone()).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::SeatNotClaimed);
    let seat = keyed.claim(&Caller::anonymous(), &match_id, proto::Seat::Zero).await.unwrap();
    let other = keyed.claim(&Caller::anonymous(), &match_id, proto::Seat::One).await.unwrap();
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
    let fresh = Caller::with_token(rotated.seat_token);
    assert_eq!(keyed.viewer(&fresh, &match_id).await, Ok(proto::Viewer::SeatZero.into()));
}
