//! Labels and external ids: whose notes they are, who sees them, and what a retry does.

use std::collections::HashMap;

use journal::{Shards, migrate};
use play::{Caller, Play, Refusal};
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason, Visibility};

use crate::fixture;
use crate::keyed::Keyed;
use crate::replicas::Database;

fn labels(pairs: &[(&str, &str)]) -> HashMap<String, String> {
    pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
}

/// Returns a request for a match with both notes.
fn noted(external_id: &str) -> proto::CreateMatchRequest {
    proto::CreateMatchRequest {
        labels: labels(&[("tenant", "acme")]),
        external_id: Some(external_id.to_owned()),
        ..fixture::create(3)
    }
}

async fn create(
    play: &Play,
    caller: &Caller,
    request: proto::CreateMatchRequest,
) -> Result<proto::Match, Refusal> {
    play.create_match(caller, request).await.map(|answer| answer.r#match.unwrap())
}

async fn get(play: &Play, caller: &Caller, match_id: &str) -> proto::Match {
    let request = proto::GetMatchRequest { match_id: match_id.to_owned() };
    play.get_match(caller, request).await.unwrap().r#match.unwrap()
}

async fn update(
    play: &Play,
    caller: &Caller,
    match_id: &str,
    pairs: &[(&str, &str)],
) -> Result<proto::Match, Refusal> {
    let update_mask = Some(prost_types::FieldMask { paths: vec!["labels".to_owned()] });
    let match_id = match_id.to_owned();
    let request = proto::UpdateMatchLabelsRequest { match_id, labels: labels(pairs), update_mask };
    play.update_match_labels(caller, request).await.map(|answer| answer.r#match.unwrap())
}

/// Returns the labels and the external id of a listed match, or `None` if it is not listed.
async fn listed(play: &Play, caller: &Caller, match_id: &str) -> Option<proto::Match> {
    let page = play.list_matches(caller, proto::ListMatchesRequest::default()).await.unwrap();
    page.matches.into_iter().find(|listed| listed.match_id == match_id)
}

#[tokio::test]
async fn notes_are_shown_to_the_owner_auditors_and_admins_alone() {
    let keyed = Keyed::start().await;
    let play = &keyed.play;
    let created = create(play, &keyed.app, noted("game 1")).await.unwrap();
    let has_notes = |shown: &proto::Match| {
        let notes = (shown.labels.get("tenant").map(String::as_str), shown.external_id.as_deref());
        assert!(notes == (Some("acme"), Some("game 1")) || notes == (None, None), "{notes:?}");
        notes.0.is_some()
    };
    assert!(has_notes(&created));
    let match_id = created.match_id;
    let seat = keyed.claim(&keyed.app, &match_id, 0).await.unwrap();
    // Only some responses have notes, but none has another's.
    let claimed = play.claim_seat(&keyed.other_app, fixture::claim(&match_id, 1)).await.unwrap();
    assert!(!has_notes(&claimed.r#match.unwrap()));
    for (caller, sees) in [
        (&keyed.app, true),
        (&keyed.audit, true),
        (&keyed.admin, true),
        (&keyed.other_app, false),
        (&seat, false),
        (&Caller::anonymous(), false),
    ] {
        assert_eq!(has_notes(&get(play, caller, &match_id).await), sees, "{caller:?}");
        assert_eq!(has_notes(&listed(play, caller, &match_id).await.unwrap()), sees, "{caller:?}");
    }
}

#[tokio::test]
async fn the_owner_alone_replaces_labels() {
    let keyed = Keyed::start().await;
    let play = &keyed.play;
    for visibility in [Visibility::Public, Visibility::Private] {
        let match_id = keyed.create(visibility).await;
        let seat = keyed.claim(&keyed.app, &match_id, 0).await.unwrap();
        let shown = update(play, &keyed.app, &match_id, &[("a", "1"), ("b", "2")]).await.unwrap();
        assert_eq!(shown.labels, labels(&[("a", "1"), ("b", "2")]));
        update(play, &keyed.app, &match_id, &[("b", "3")]).await.unwrap();
        assert_eq!(get(play, &keyed.audit, &match_id).await.labels, labels(&[("b", "3")]));
        let hidden = visibility == Visibility::Private;
        let unknown = |otherwise| if hidden { ErrorReason::UnknownMatch } else { otherwise };
        for (caller, reason) in [
            (&keyed.audit, ErrorReason::NotAllowed),
            (&keyed.admin, ErrorReason::NotAllowed),
            (&keyed.other_app, unknown(ErrorReason::NotAllowed)),
            (&seat, ErrorReason::MissingKey),
            (&Caller::anonymous(), unknown(ErrorReason::MissingKey)),
        ] {
            let refusal = update(play, caller, &match_id, &[]).await.unwrap_err();
            assert_eq!(refusal.reason, reason, "{caller:?}");
        }
        let refusal = update(play, &keyed.app, &match_id, &[("A", "1")]).await.unwrap_err();
        assert_eq!((refusal.reason, &*refusal.fields[0].field), (ErrorReason::InvalidArgument, "labels.A"));
        assert_eq!(get(play, &keyed.app, &match_id).await.labels, labels(&[("b", "3")]));
        update(play, &keyed.app, &match_id, &[]).await.unwrap();
        assert!(get(play, &keyed.app, &match_id).await.labels.is_empty());
    }
}

#[tokio::test]
async fn an_external_id_is_taken_once_per_owner() {
    let keyed = Keyed::start().await;
    let play = &keyed.play;
    let first = create(play, &keyed.app, noted("game 1")).await.unwrap();
    for request_id in [None, Some(Uuid::new_v4().to_string())] {
        let again = proto::CreateMatchRequest { request_id, ..noted("game 1") };
        let refusal = create(play, &keyed.app, again).await.unwrap_err();
        assert_eq!(refusal.reason, ErrorReason::ExternalIdTaken);
        assert_eq!(refusal.metadata["match_id"], first.match_id);
    }
    let others = create(play, &keyed.other_app, noted("game 1")).await.unwrap();
    assert_ne!(others.match_id, first.match_id);
    create(play, &keyed.app, noted("game 2")).await.unwrap();
}

#[tokio::test]
async fn a_retry_names_the_same_notes() {
    let keyed = Keyed::start().await;
    let play = &keyed.play;
    let request_id = Some(Uuid::new_v4().to_string());
    let request = proto::CreateMatchRequest { request_id, ..noted("game 1") };
    let first = create(play, &keyed.app, request.clone()).await.unwrap();
    // What happened to the labels since makes no difference.
    update(play, &keyed.app, &first.match_id, &[("tenant", "other")]).await.unwrap();
    assert_eq!(create(play, &keyed.app, request.clone()).await.unwrap(), first);
    for other in [
        proto::CreateMatchRequest { labels: labels(&[("tenant", "other")]), ..request.clone() },
        proto::CreateMatchRequest { labels: HashMap::new(), ..request.clone() },
        proto::CreateMatchRequest { external_id: Some("game 2".to_owned()), ..request.clone() },
        proto::CreateMatchRequest { external_id: None, ..request.clone() },
    ] {
        let refusal = create(play, &keyed.app, other).await.unwrap_err();
        assert_eq!(refusal.reason, ErrorReason::RequestIdReused);
    }
}

#[tokio::test]
async fn rematches_and_the_owners_forks_inherit_labels_but_no_external_id() {
    let keyed = Keyed::start().await;
    let play = &keyed.play;
    let request = proto::CreateMatchRequest { game_id: "ludus-magus".to_owned(), ..noted("game 1") };
    let request = proto::CreateMatchRequest { options: None, ..request };
    let match_id = create(play, &keyed.app, request).await.unwrap().match_id;
    let seat = keyed.claim(&keyed.app, &match_id, 0).await.unwrap();
    keyed.claim(&keyed.app, &match_id, 1).await.unwrap();
    update(play, &keyed.app, &match_id, &[("tenant", "new")]).await.unwrap();
    let fork = async |caller: &Caller| {
        let request = proto::ForkMatchRequest { match_id: match_id.clone(), ..Default::default() };
        play.fork_match(caller, request).await.unwrap().r#match.unwrap().match_id
    };
    let notes = async |match_id: &str| {
        let shown = get(play, &keyed.admin, match_id).await;
        (shown.labels, shown.external_id)
    };
    let inherited = (labels(&[("tenant", "new")]), None);
    // A seat's fork belongs to the parent's owner.
    for caller in [&keyed.app, &seat] {
        assert_eq!(notes(&fork(caller).await).await, inherited);
    }
    for caller in [&keyed.other_app, &keyed.admin] {
        assert_eq!(notes(&fork(caller).await).await, (HashMap::new(), None), "{caller:?}");
    }
    let resign = proto::ResignRequest { match_id: match_id.clone(), request_id: None };
    play.resign(&seat, resign).await.unwrap();
    let request = proto::CreateRematchRequest { match_id: match_id.clone(), ..Default::default() };
    let rematch = play.create_rematch(&seat, request).await.unwrap().r#match.unwrap();
    assert!(rematch.labels.is_empty(), "the seat may not see them");
    assert_eq!(notes(&rematch.match_id).await, inherited);
}

#[tokio::test]
async fn without_api_keys_nobody_can_note_anything() {
    let play = fixture::in_memory().await;
    let anonymous = Caller::anonymous();
    let labelled = proto::CreateMatchRequest { external_id: None, ..noted("x") };
    let named = proto::CreateMatchRequest { labels: HashMap::new(), ..noted("x") };
    for (request, field) in [(labelled, "labels"), (named, "external_id")] {
        let refusal = create(&play, &anonymous, request).await.unwrap_err();
        assert_eq!((refusal.reason, &*refusal.fields[0].field), (ErrorReason::InvalidArgument, field));
    }
    let match_id = create(&play, &anonymous, fixture::create(3)).await.unwrap().match_id;
    let refusal = update(&play, &anonymous, &match_id, &[("a", "b")]).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::MissingKey);
}

#[tokio::test]
async fn every_answer_with_a_match_has_its_notes_for_those_who_see_them() {
    let keyed = Keyed::start().await;
    let play = &keyed.play;
    let match_id = create(play, &keyed.app, noted("game 1")).await.unwrap().match_id;
    let own = |shown: Option<proto::Match>| {
        let shown = shown.unwrap();
        assert_eq!(shown.labels, labels(&[("tenant", "acme")]));
        shown
    };
    let claimed = play.claim_seat(&keyed.app, fixture::claim(&match_id, 0)).await.unwrap();
    assert_eq!(own(claimed.r#match).external_id.as_deref(), Some("game 1"));
    let stranger = play.claim_seat(&keyed.other_app, fixture::claim(&match_id, 1)).await.unwrap();
    let shown = stranger.r#match.unwrap();
    assert!(shown.labels.is_empty() && shown.external_id.is_none());
    let rotate =
        proto::RotateSeatTokenRequest { match_id: match_id.clone(), seat: Some(0), ..Default::default() };
    let seat = fixture::seat(play.rotate_seat_token(&keyed.app, rotate.clone()).await.unwrap().seat_token);
    own(play.rotate_seat_token(&keyed.app, rotate).await.unwrap().r#match);
    let redact = proto::RedactPlayerRequest { match_id: match_id.clone(), seat: Some(0) };
    for caller in [&keyed.app, &keyed.admin, &keyed.app] {
        own(play.redact_player(caller, redact.clone()).await.unwrap().r#match);
    }
    let resign = proto::ResignRequest { match_id: match_id.clone(), request_id: None };
    let stale = play.resign(&seat, resign.clone()).await.unwrap_err();
    assert_eq!(stale.reason, ErrorReason::BadToken);
    play.resign(&fixture::seat(stranger.seat_token), resign).await.unwrap();

    let fork = proto::ForkMatchRequest {
        match_id: match_id.clone(),
        request_id: Some(Uuid::new_v4().to_string()),
        ..Default::default()
    };
    for _ in 0..2 {
        let forked = own(play.fork_match(&keyed.app, fork.clone()).await.unwrap().r#match);
        assert_eq!(forked.external_id, None);
    }
    let foreign = play.fork_match(&keyed.other_app, fork).await.unwrap().r#match.unwrap();
    assert!(foreign.labels.is_empty());
    let rematch = proto::CreateRematchRequest { match_id, ..Default::default() };
    for _ in 0..2 {
        own(play.create_rematch(&keyed.app, rematch.clone()).await.unwrap().r#match);
    }
}

/// An external id decides the shard, so calls with one request id may lead to different ones.
#[tokio::test]
async fn a_request_id_is_used_once_in_all_shards() {
    let Some(database) = Database::create().await else { return };
    migrate(&database.url().parse().unwrap(), Shards::new(16), None).await.unwrap();
    let keyed = Keyed::on(fixture::open(&database.url()).await).await;
    let request_id = Some(Uuid::new_v4().to_string());
    let with = |external_id: Option<String>| proto::CreateMatchRequest {
        request_id: request_id.clone(),
        external_id,
        ..fixture::create(3)
    };
    let first = with(Some("game 0".to_owned()));
    let created = create(&keyed.play, &keyed.app, first.clone()).await.unwrap();
    for other in (1..20).map(|n| Some(format!("game {n}"))).chain([None]) {
        let refusal = create(&keyed.play, &keyed.app, with(other)).await.unwrap_err();
        assert_eq!(refusal.reason, ErrorReason::RequestIdReused);
    }
    assert_eq!(create(&keyed.play, &keyed.app, first).await.unwrap(), created);
    // The external id is the other key.
    let request_id = Some(Uuid::new_v4().to_string());
    let again = proto::CreateMatchRequest { request_id, ..with(Some("game 0".to_owned())) };
    let refusal = create(&keyed.play, &keyed.app, again).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::ExternalIdTaken);
}
