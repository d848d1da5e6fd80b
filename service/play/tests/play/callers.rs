//! Who may know and do what: API keys, private matches, tokens that were changed.

use futures_util::StreamExt;
use journal::{Journal, JournalConfig};
use play::{ApiKey, Caller, KeyRing, Play, Role, Settings};
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason, Visibility};

use crate::table::{self, Table};

struct Shop {
    play: Play,
    app: Caller,
    other_app: Caller,
    audit: Caller,
}

impl Shop {
    async fn open() -> Self {
        let journal = Journal::open(JournalConfig::new("memory:".parse().unwrap())).await.unwrap();
        let made = [("app", Role::App), ("other", Role::App), ("audit", Role::Audit)]
            .map(|(name, role)| ApiKey::generate(name, role).unwrap());
        let [app, other_app, audit] = made.clone().map(|(_, secret)| Caller::with_token(secret));
        let keys = KeyRing::new(made.map(|(key, _)| key).to_vec()).unwrap();
        let play = table::with_settings(journal, Settings { keys, ..Settings::default() }).await;
        Self { play, app, other_app, audit }
    }

    async fn create(&self, visibility: Visibility) -> String {
        let create = proto::CreateMatchRequest { visibility: Some(visibility.into()), ..table::create(3) };
        self.play.create_match(&self.app, create).await.unwrap().r#match.unwrap().match_id
    }

    async fn claim(&self, caller: &Caller, match_id: &str, seat: proto::Seat) -> Result<Caller, ErrorReason> {
        let claimed = self.play.claim_seat(caller, table::claim(match_id, seat)).await;
        claimed.map(|claimed| Caller::with_token(claimed.seat_token)).map_err(|refusal| refusal.reason)
    }

    async fn look(&self, caller: &Caller, match_id: &str) -> Result<i32, ErrorReason> {
        let request = proto::GetViewRequest { match_id: match_id.to_owned(), ..Default::default() };
        let answer = self.play.get_view(caller, request).await.map_err(|refusal| refusal.reason);
        answer.map(|answer| answer.view.unwrap().viewer)
    }
}

#[tokio::test]
async fn with_keys_only_apps_create_matches() {
    let shop = Shop::open().await;
    for (caller, reason) in [
        (Caller::anonymous(), ErrorReason::MissingKey),
        (Caller::with_token("mbs_whatever"), ErrorReason::MissingKey),
        (Caller::with_token("mbk_of-another-service"), ErrorReason::BadToken),
        (shop.audit.clone(), ErrorReason::MissingKey),
    ] {
        assert_eq!(shop.play.create_match(&caller, table::create(3)).await.unwrap_err().reason, reason);
    }
    shop.play.create_match(&shop.other_app, table::create(3)).await.unwrap();
}

#[tokio::test]
async fn a_private_match_does_not_exist_for_others_whatever_they_bring() {
    let shop = Shop::open().await;
    let match_id = shop.create(Visibility::Private).await;
    let seat = shop.claim(&shop.app, &match_id, proto::Seat::Zero).await.unwrap();
    let nobody = [Caller::anonymous(), Caller::with_token("mbs_of-another-match"), shop.other_app.clone()];
    let missing = Uuid::now_v7().to_string();
    for caller in &nobody {
        assert_eq!(shop.look(caller, &match_id).await, Err(ErrorReason::UnknownMatch));
        assert_eq!(shop.look(caller, &missing).await, Err(ErrorReason::UnknownMatch));
        let claim = shop.claim(caller, &match_id, proto::Seat::One).await;
        assert_eq!(claim.err(), Some(ErrorReason::UnknownMatch));
        let resign = proto::ResignRequest { match_id: match_id.clone(), request_id: None };
        assert_eq!(shop.play.resign(caller, resign).await.unwrap_err().reason, ErrorReason::UnknownMatch);
    }
    assert_eq!(shop.look(&seat, &match_id).await, Ok(proto::Viewer::SeatZero.into()));
    for caller in [&shop.app, &shop.audit] {
        assert_eq!(shop.look(caller, &match_id).await, Ok(proto::Viewer::Spectator.into()));
    }
}

#[tokio::test]
async fn the_owner_of_a_private_match_seats_its_players() {
    let shop = Shop::open().await;
    let match_id = shop.create(Visibility::Private).await;
    let seat = shop.claim(&shop.app, &match_id, proto::Seat::Zero).await.unwrap();
    for caller in [&seat, &shop.audit] {
        let claim = shop.claim(caller, &match_id, proto::Seat::One).await;
        assert_eq!(claim.err(), Some(ErrorReason::NotAllowed));
    }
    shop.claim(&shop.app, &match_id, proto::Seat::One).await.unwrap();
}

#[tokio::test]
async fn without_keys_nothing_can_be_private() {
    let play = table::in_memory().await;
    let create =
        |visibility: i32| proto::CreateMatchRequest { visibility: Some(visibility), ..table::create(3) };
    let private = play.create_match(&Caller::anonymous(), create(Visibility::Private.into())).await;
    assert_eq!(private.unwrap_err().reason, ErrorReason::MissingKey);
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
async fn a_rotated_token_replaces_the_one_before() {
    let play = table::in_memory().await;
    let table = Table::start(&play, 3).await;
    let request = rotate(&table.match_id, proto::Seat::Zero, Some(Uuid::new_v4()));
    let rotated = play.rotate_seat_token(&table.angels, request.clone()).await.unwrap();
    let fresh = Caller::with_token(rotated.seat_token.as_str());
    assert_eq!(table.submit(&play, &table.angels, "1,1").await.unwrap_err().reason, ErrorReason::BadToken);
    table.submit(&play, &fresh, "1,1").await.unwrap();

    // Its answer may have been lost: the same call, with the token that is void now, gets it again.
    assert_eq!(play.rotate_seat_token(&table.angels, request).await.unwrap(), rotated);
    let another = rotate(&table.match_id, proto::Seat::Zero, Some(Uuid::new_v4()));
    let refusal = play.rotate_seat_token(&table.angels, another).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::BadToken);
}

#[tokio::test]
async fn a_watch_with_a_token_that_is_void_sees_nothing_more() {
    let play = table::in_memory().await;
    let table = Table::start(&play, 3).await;
    let watch = |caller: Caller| {
        let request = proto::WatchMatchRequest { match_id: table.match_id.clone(), after_seq: None };
        let play = play.clone();
        async move { play.watch_match(&caller, request).await.unwrap() }
    };
    let (mut stolen, mut public) = (watch(table.angels.clone()).await, watch(Caller::anonymous()).await);
    for frames in [&mut stolen, &mut public] {
        frames.next().await.unwrap().unwrap();
    }
    let request = rotate(&table.match_id, proto::Seat::Zero, None);
    let fresh = play.rotate_seat_token(&table.angels, request).await.unwrap().seat_token;
    table.submit(&play, &Caller::with_token(fresh), "1,1").await.unwrap();
    assert_eq!(stolen.next().await.unwrap().unwrap_err().reason, ErrorReason::BadToken);
    assert!(stolen.next().await.is_none());
    public.next().await.unwrap().unwrap();
}

#[tokio::test]
async fn a_token_is_changed_by_its_seat_or_its_owner() {
    let shop = Shop::open().await;
    let match_id = shop.create(Visibility::Public).await;
    let request = rotate(&match_id, proto::Seat::Zero, None);
    let refusal = shop.play.rotate_seat_token(&shop.app, request.clone()).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::SeatNotClaimed);
    let seat = shop.claim(&Caller::anonymous(), &match_id, proto::Seat::Zero).await.unwrap();
    let other = shop.claim(&Caller::anonymous(), &match_id, proto::Seat::One).await.unwrap();
    for (caller, reason) in [
        (&other, ErrorReason::NotAllowed),
        (&shop.other_app, ErrorReason::NotAllowed),
        (&shop.audit, ErrorReason::NotAllowed),
        (&Caller::anonymous(), ErrorReason::MissingToken),
    ] {
        let refusal = shop.play.rotate_seat_token(caller, request.clone()).await.unwrap_err();
        assert_eq!(refusal.reason, reason);
    }
    let rotated = shop.play.rotate_seat_token(&shop.app, request).await.unwrap();
    assert_eq!(shop.look(&seat, &match_id).await, Err(ErrorReason::BadToken));
    let fresh = Caller::with_token(rotated.seat_token);
    assert_eq!(shop.look(&fresh, &match_id).await, Ok(proto::Viewer::SeatZero.into()));
}
