//! The owning app's ids of players: who sets them, who sees them, and what a retry tells about them.

use futures_util::StreamExt;
use play::{Caller, Play, Refusal};
use prost::Message;
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason, Visibility};

use crate::fixture;
use crate::keyed::Keyed;

const ID: &str = "unmistakable|7";

fn player(player_id: Option<&str>) -> Option<proto::Player> {
    Some(proto::Player { player_id: player_id.map(str::to_owned), ..proto::Player::named("Ada") })
}

/// Returns a claim of seat 0 that names a player of this id.
fn identified(match_id: &str, player_id: Option<&str>) -> proto::ClaimSeatRequest {
    proto::ClaimSeatRequest { player: player(player_id), ..fixture::claim(match_id, 0) }
}

/// Returns a request for a match of a game without chance whose seat 0 is claimed for a player of this id.
fn create(player_id: Option<&str>) -> proto::CreateMatchRequest {
    let claim = proto::SeatClaim { seat: Some(0), player: player(player_id), claim_secret: None };
    proto::CreateMatchRequest {
        claim: Some(claim),
        request_id: Some(Uuid::new_v4().to_string()),
        ..fixture::create(3)
    }
}

/// Starts a match of the app in which the player with `ID` has seat 0. Returns its id and the seats.
async fn start(keyed: &Keyed, visibility: Visibility) -> (String, Caller, Caller) {
    let match_id = keyed.create(visibility).await;
    let claimed = keyed.play.claim_seat(&keyed.app, identified(&match_id, Some(ID))).await.unwrap();
    let other = keyed.claim(&keyed.app, &match_id, 1).await.unwrap();
    (match_id, fixture::seat(claimed.seat_token), other)
}

fn tells(message: &impl Message) -> bool {
    message.encode_to_vec().windows(ID.len()).any(|window| window == ID.as_bytes())
}

/// Returns the id of seat 0's player in a match.
fn shown(shown: Option<proto::Match>) -> Option<String> {
    let player = shown.unwrap().seats.into_iter().next().unwrap().player.expect("the player is named");
    assert_eq!(player.display_name, "Ada");
    player.player_id
}

async fn got(play: &Play, caller: &Caller, match_id: &str) -> Option<String> {
    let request = proto::GetMatchRequest { match_id: match_id.to_owned() };
    shown(play.get_match(caller, request).await.unwrap().r#match)
}

async fn listed(play: &Play, caller: &Caller, match_id: &str) -> Option<String> {
    let page = play.list_matches(caller, proto::ListMatchesRequest::default()).await.unwrap();
    shown(page.matches.into_iter().find(|listed| listed.match_id == match_id))
}

/// Returns whether any response that follows the game tells the id.
async fn play_tells(play: &Play, caller: &Caller, match_id: &str) -> bool {
    let match_id = match_id.to_owned();
    let view = proto::GetViewRequest { match_id: match_id.clone(), ..Default::default() };
    let view = play.get_view(caller, view).await.unwrap();
    let events = proto::ListEventsRequest { match_id: match_id.clone(), ..Default::default() };
    let events = play.list_events(caller, events).await.unwrap();
    let export = proto::ExportLogRequest { match_id: match_id.clone() };
    let records: Vec<_> = play.export_log(caller, export).await.unwrap().collect().await;
    let watch =
        proto::WatchMatchRequest { match_id, after_seq: Some(1), include_view: true, ..Default::default() };
    let frames: Vec<_> = play.watch_match(caller, watch).await.unwrap().take(4).collect().await;
    tells(&view)
        || tells(&events)
        || records.iter().any(|record| tells(record.as_ref().unwrap()))
        || frames.iter().any(|frame| tells(frame.as_ref().unwrap()))
}

#[tokio::test]
async fn an_id_is_shown_to_the_owner_auditors_and_admins_alone() {
    let keyed = Keyed::start().await;
    let play = &keyed.play;
    for visibility in [Visibility::Public, Visibility::Private] {
        let (match_id, seat, other) = start(&keyed, visibility).await;
        let public = visibility == Visibility::Public;
        for (caller, knows, sees) in [
            (&keyed.app, true, true),
            (&keyed.audit, true, true),
            (&keyed.admin, true, true),
            (&keyed.other_app, public, false),
            (&Caller::anonymous(), public, false),
            (&seat, true, false),
            (&other, true, false),
        ] {
            if knows {
                assert_eq!(got(play, caller, &match_id).await.is_some(), sees, "{caller:?}");
                assert!(!play_tells(play, caller, &match_id).await, "{caller:?}");
            }
        }
        for caller in [&keyed.app, &keyed.audit, &keyed.admin] {
            assert_eq!(listed(play, caller, &match_id).await.as_deref(), Some(ID));
        }
        if public {
            for caller in [&keyed.other_app, &Caller::anonymous()] {
                assert_eq!(listed(play, caller, &match_id).await, None);
            }
        }
    }
}

#[tokio::test]
async fn calls_on_a_seat_show_the_id_to_the_owners_key_only() {
    let keyed = Keyed::start().await;
    let play = &keyed.play;
    let created = play.create_match(&keyed.app, create(Some(ID))).await.unwrap();
    let match_id = created.r#match.clone().unwrap().match_id;
    assert_eq!(shown(created.r#match).as_deref(), Some(ID));
    let token = created.seat_token;
    let claimed = play.claim_seat(&Caller::anonymous(), fixture::claim(&match_id, 1)).await.unwrap();
    assert_eq!(shown(claimed.r#match), None);
    let rotate = proto::RotateSeatTokenRequest {
        match_id: match_id.clone(),
        seat: Some(0),
        request_id: None,
        claim_secret: None,
    };
    let rotated = play.rotate_seat_token(&fixture::seat(token), rotate.clone()).await.unwrap();
    assert_eq!(shown(rotated.r#match), None);
    let both = keyed.app.clone().with_seat_token(rotated.seat_token);
    let rotated = play.rotate_seat_token(&both, rotate).await.unwrap();
    assert_eq!(shown(rotated.r#match).as_deref(), Some(ID));
    let redact = proto::RedactPlayerRequest { match_id: match_id.clone(), seat: Some(1) };
    let redacted = play.redact_player(&keyed.app, redact).await.unwrap();
    assert_eq!(shown(redacted.r#match).as_deref(), Some(ID));
    let labels = [("a".to_owned(), "1".to_owned())].into();
    let labels = proto::UpdateMatchLabelsRequest { match_id: match_id.clone(), labels, update_mask: None };
    let updated = play.update_match_labels(&keyed.app, labels).await.unwrap();
    assert_eq!(shown(updated.r#match).as_deref(), Some(ID));

    // The rematch keeps the player and the id, also if the seat itself calls.
    let token = rotated.seat_token;
    let seat = fixture::seat(token.clone());
    let resign = proto::ResignRequest { match_id: match_id.clone(), request_id: None };
    play.resign(&seat, resign).await.unwrap();
    let request = proto::CreateRematchRequest {
        match_id,
        request_id: Some(Uuid::new_v4().to_string()),
        claim_secret: Some(fixture::SECRET.to_owned()),
        ..Default::default()
    };
    let rematch = play.create_rematch(&seat, request.clone()).await.unwrap();
    assert!(!tells(&rematch));
    let rematch_id = rematch.r#match.clone().unwrap().match_id;
    let in_seat_1 = async |caller: &Caller| {
        let request = proto::GetMatchRequest { match_id: rematch_id.clone() };
        let shown = play.get_match(caller, request).await.unwrap().r#match.unwrap();
        shown.seats[1].player.clone().unwrap().player_id
    };
    assert_eq!(in_seat_1(&keyed.app).await.as_deref(), Some(ID));
    assert_eq!(in_seat_1(&Caller::anonymous()).await, None);
    assert_eq!(play.create_rematch(&seat, request.clone()).await.unwrap(), rematch);
    let both = keyed.app.clone().with_seat_token(token);
    let repeated = play.create_rematch(&both, request).await.unwrap();
    assert!(tells(&repeated));
    assert_eq!(repeated.seat_token, rematch.seat_token);
}

#[tokio::test]
async fn only_the_owners_key_sets_an_id() {
    let keyed = Keyed::start().await;
    let play = &keyed.play;
    let match_id = keyed.create(Visibility::Public).await;
    let seat = keyed.claim(&keyed.app, &match_id, 1).await.unwrap();
    let refused = async |caller: &Caller, claim: proto::ClaimSeatRequest| {
        let refusal: Refusal = play.claim_seat(caller, claim).await.unwrap_err();
        assert!(!refusal.message.contains(ID), "{}", refusal.message);
        refusal
    };
    for (caller, reason) in [
        (&Caller::anonymous(), ErrorReason::MissingKey),
        (&seat, ErrorReason::MissingKey),
        (&keyed.other_app, ErrorReason::NotAllowed),
        (&keyed.audit, ErrorReason::NotAllowed),
        (&keyed.admin, ErrorReason::NotAllowed),
    ] {
        let refusal = refused(caller, identified(&match_id, Some(ID))).await;
        assert_eq!(refusal.reason, reason, "{caller:?}");
        assert!(refusal.message.contains("player_id"), "{}", refusal.message);
    }
    for id in ["", "a b", "é", &"x".repeat(65)] {
        let refusal = refused(&keyed.app, identified(&match_id, Some(id))).await;
        assert_eq!((refusal.reason, &*refusal.fields[0].field), invalid("player.player_id"), "{id:?}");
        let refusal = play.create_match(&keyed.app, create(Some(id))).await.unwrap_err();
        assert_eq!((refusal.reason, &*refusal.fields[0].field), invalid("claim.player.player_id"));
    }
    let missing = proto::ClaimSeatRequest { player: None, ..fixture::claim(&match_id, 0) };
    let refusal = refused(&keyed.app, missing).await;
    assert_eq!((refusal.reason, &*refusal.fields[0].field), invalid("player.display_name"));
    play.claim_seat(&keyed.app, identified(&match_id, Some(ID))).await.unwrap();
    // One player can hold both seats of a match, and seats of many.
    play.create_match(&keyed.app, create(Some(ID))).await.unwrap();
    play.create_match(&keyed.other_app, create(Some(ID))).await.unwrap();
}

fn invalid(field: &str) -> (ErrorReason, &str) {
    (ErrorReason::InvalidArgument, field)
}

#[tokio::test]
async fn without_api_keys_no_player_has_an_id() {
    let play = fixture::in_memory().await;
    let anonymous = Caller::anonymous();
    let refusal = play.create_match(&anonymous, create(Some(ID))).await.unwrap_err();
    assert_eq!((refusal.reason, &*refusal.fields[0].field), invalid("claim.player.player_id"));
    let created = play.create_match(&anonymous, fixture::create(3)).await.unwrap().r#match.unwrap();
    let claim = identified(&created.match_id, Some(ID));
    let refusal = play.claim_seat(&anonymous, claim).await.unwrap_err();
    assert_eq!((refusal.reason, &*refusal.fields[0].field), invalid("player.player_id"));
}

#[tokio::test]
async fn a_retry_with_another_id_is_another_call() {
    let keyed = Keyed::start().await;
    let play = &keyed.play;
    let match_id = keyed.create(Visibility::Public).await;
    for first in [Some(ID), None] {
        let create = create(first);
        let created = play.create_match(&keyed.app, create.clone()).await.unwrap();
        assert_eq!(play.create_match(&keyed.app, create.clone()).await.unwrap().r#match, created.r#match);
        for other in [Some("other"), Some(ID), None].into_iter().filter(|other| *other != first) {
            let mut retry = create.clone();
            retry.claim.as_mut().unwrap().player = player(other);
            let refusal = play.create_match(&keyed.app, retry).await.unwrap_err();
            assert_eq!(refusal.reason, ErrorReason::RequestIdReused);
        }
    }
    let request_id = Some(Uuid::new_v4().to_string());
    let claim = proto::ClaimSeatRequest { request_id, ..identified(&match_id, Some(ID)) };
    let claimed = play.claim_seat(&keyed.app, claim.clone()).await.unwrap();
    assert_eq!(play.claim_seat(&keyed.app, claim.clone()).await.unwrap().r#match, claimed.r#match);
    for other in [Some("other"), None] {
        let retry = proto::ClaimSeatRequest { player: player(other), ..claim.clone() };
        let refusal = play.claim_seat(&keyed.app, retry).await.unwrap_err();
        assert_eq!(refusal.reason, ErrorReason::RequestIdReused);
    }
    // Nobody can say any more what the id was.
    let redact = proto::RedactPlayerRequest { match_id, seat: Some(0) };
    play.redact_player(&keyed.app, redact).await.unwrap();
    let retried = play.claim_seat(&keyed.app, claim).await.unwrap();
    assert!(!tells(&retried));
}

#[tokio::test]
async fn a_stranger_learns_nothing_of_an_id_from_a_retry() {
    let keyed = Keyed::start().await;
    let play = &keyed.play;
    let request_id = Some(Uuid::new_v4().to_string());
    for player_id in [Some(ID), None] {
        let match_id = keyed.create(Visibility::Public).await;
        let claim =
            proto::ClaimSeatRequest { request_id: request_id.clone(), ..identified(&match_id, player_id) };
        play.claim_seat(&keyed.app, claim.clone()).await.unwrap();
        // Proxies log request ids.
        let stolen = proto::ClaimSeatRequest { player: player(None), ..claim.clone() };
        for stranger in [&Caller::anonymous(), &keyed.other_app] {
            let answer = play.claim_seat(stranger, stolen.clone()).await.unwrap();
            assert!(!tells(&answer) && answer.seat_token.is_empty());
            let guess = proto::ClaimSeatRequest { player: player(Some(ID)), ..claim.clone() };
            let refusal = play.claim_seat(stranger, guess).await.unwrap_err();
            assert!([ErrorReason::MissingKey, ErrorReason::NotAllowed].contains(&refusal.reason));
        }
    }
}

/// A match of a game with chance that is over, in which the player with `ID` had seat 0, and its rematch.
struct Again {
    before: String,
    rematch: String,
    token: String,
}

impl Again {
    async fn of(keyed: &Keyed, visibility: Visibility) -> Self {
        let play = &keyed.play;
        let game_id = "ace-exorcist".to_owned();
        let create =
            proto::CreateMatchRequest { game_id, visibility: Some(visibility.into()), ..Default::default() };
        let before = play.create_match(&keyed.app, create).await.unwrap().r#match.unwrap().match_id;
        let token = play.claim_seat(&keyed.app, identified(&before, Some(ID))).await.unwrap().seat_token;
        let other = keyed.claim(&keyed.app, &before, 1).await.unwrap();
        let resign = proto::ResignRequest { match_id: before.clone(), request_id: None };
        play.resign(&other, resign).await.unwrap();
        let request = proto::CreateRematchRequest { match_id: before.clone(), ..Default::default() };
        let rematch = play.create_rematch(&other, request).await.unwrap().r#match.unwrap().match_id;
        Self { before, rematch, token }
    }

    /// Returns the claim of the reserved seat.
    fn claim(&self, player_id: Option<&str>) -> proto::ClaimSeatRequest {
        proto::ClaimSeatRequest {
            player: player(player_id),
            request_id: Some(Uuid::new_v4().to_string()),
            claim_secret: Some(fixture::SECRET.to_owned()),
            ..fixture::claim(&self.rematch, 1)
        }
    }

    /// Returns whether the directory lists the rematch among the matches of a player.
    async fn is_listed(&self, keyed: &Keyed, player_id: &str) -> bool {
        let request =
            proto::ListMatchesRequest { player_id: Some(player_id.to_owned()), ..Default::default() };
        let page = keyed.play.list_matches(&keyed.app, request).await.unwrap();
        page.matches.iter().any(|listed| listed.match_id == self.rematch)
    }
}

#[tokio::test]
async fn a_claim_proved_by_the_token_of_the_match_before_keeps_the_id() {
    let keyed = Keyed::start().await;
    for visibility in [Visibility::Public, Visibility::Private] {
        let again = Again::of(&keyed, visibility).await;
        let seat = fixture::seat(again.token.clone());
        let claim = again.claim(None);
        let claimed = keyed.play.claim_seat(&seat, claim.clone()).await.unwrap();
        assert!(!tells(&claimed));
        assert!(again.is_listed(&keyed, ID).await, "{visibility:?}");
        // A retry is the same call, from the player and from the app that sends the player's token.
        let both = keyed.app.clone().with_seat_token(again.token.clone());
        let repeated = keyed.play.claim_seat(&seat, claim.clone()).await.unwrap();
        assert_eq!(repeated, claimed);
        let repeated = keyed.play.claim_seat(&both, claim).await.unwrap();
        assert!(tells(&repeated) && repeated.seat_token == claimed.seat_token);
        let player = fixture::seat(claimed.seat_token);
        for caller in [&seat, &player, &keyed.other_app, &Caller::anonymous()] {
            let request = proto::GetMatchRequest { match_id: again.rematch.clone() };
            let got = keyed.play.get_match(caller, request).await;
            assert!(!got.is_ok_and(|got| tells(&got)), "{caller:?}");
        }
    }
}

#[tokio::test]
async fn a_claim_in_a_rematch_has_no_id_to_keep_without_the_players_proof() {
    let keyed = Keyed::start().await;
    let play = &keyed.play;
    // The owner's key without the player's token names the player anew.
    let again = Again::of(&keyed, Visibility::Public).await;
    play.claim_seat(&keyed.app, again.claim(None)).await.unwrap();
    assert!(!again.is_listed(&keyed, ID).await);
    // What the owner sends wins over what the player had.
    let again = Again::of(&keyed, Visibility::Public).await;
    let both = keyed.app.clone().with_seat_token(again.token.clone());
    play.claim_seat(&both, again.claim(Some("other"))).await.unwrap();
    assert!(again.is_listed(&keyed, "other").await && !again.is_listed(&keyed, ID).await);
    // A player cannot choose it, nor does an erased id come back.
    let again = Again::of(&keyed, Visibility::Public).await;
    let seat = fixture::seat(again.token.clone());
    let refusal = play.claim_seat(&seat, again.claim(Some(ID))).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::MissingKey);
    let redact = proto::RedactPlayerRequest { match_id: again.before.clone(), seat: Some(0) };
    play.redact_player(&keyed.app, redact).await.unwrap();
    play.claim_seat(&seat, again.claim(None)).await.unwrap();
    assert!(!again.is_listed(&keyed, ID).await);
}
