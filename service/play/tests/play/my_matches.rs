//! Lists of an owner's matches by labels, external ids, players' ids and turns: what they find, and whom they
//! refuse.

use play::{Caller, Play};
use wire::v1::{self as proto, ErrorReason, Visibility};

use crate::fixture;
use crate::keyed::Keyed;

fn all() -> proto::ListMatchesRequest {
    proto::ListMatchesRequest::default()
}

fn labelled(labels: &[&str]) -> proto::ListMatchesRequest {
    let labels = labels.iter().map(|&label| label.to_owned()).collect();
    proto::ListMatchesRequest { labels, ..all() }
}

fn seat_to_act(seat: u32) -> proto::ListMatchesRequest {
    proto::ListMatchesRequest { seat_to_act: Some(seat), ..all() }
}

/// Returns requests of every kind that only an owner can make, each with the field that makes it so.
fn of_owner() -> [(&'static str, proto::ListMatchesRequest); 5] {
    [
        ("mine", proto::ListMatchesRequest { mine: true, ..all() }),
        ("labels", labelled(&["stage=final"])),
        ("external_id", proto::ListMatchesRequest { external_id: Some("g-1".to_owned()), ..all() }),
        ("player_id", proto::ListMatchesRequest { player_id: Some("p-1".to_owned()), ..all() }),
        ("seat_to_act", seat_to_act(0)),
    ]
}

async fn listed(play: &Play, caller: &Caller, request: proto::ListMatchesRequest) -> Vec<String> {
    let answer = play.list_matches(caller, request).await.unwrap();
    assert_eq!(answer.next_page_token, "");
    answer.matches.into_iter().map(|listed| listed.match_id).collect()
}

async fn create(play: &Play, caller: &Caller, labels: &[(&str, &str)], external_id: Option<&str>) -> String {
    let request = proto::CreateMatchRequest {
        game_id: "ludus-magus".to_owned(),
        labels: labels.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect(),
        external_id: external_id.map(str::to_owned),
        visibility: Some(Visibility::Private.into()),
        ..Default::default()
    };
    play.create_match(caller, request).await.unwrap().r#match.unwrap().match_id
}

#[tokio::test]
async fn matches_are_found_by_labels_and_external_id_among_the_owners_own() {
    let keyed = Keyed::start().await;
    let play = &keyed.play;
    let first = create(play, &keyed.app, &[("stage", "final"), ("tenant", "a=b")], Some("g-1")).await;
    let second = create(play, &keyed.app, &[("stage", "final")], None).await;
    let others = create(play, &keyed.other_app, &[("stage", "final")], Some("g-1")).await;
    let found = async |caller: &Caller, request| listed(play, caller, request).await;
    assert_eq!(found(&keyed.app, labelled(&["stage=final"])).await, [&*second, &*first]);
    assert_eq!(found(&keyed.app, labelled(&["tenant=a=b", "stage=final"])).await, [&*first]);
    assert_eq!(found(&keyed.app, labelled(&["stage=semifinal"])).await, [""; 0]);
    assert_eq!(found(&keyed.other_app, labelled(&["stage=final"])).await, [&*others]);
    let [_, _, (_, external), ..] = of_owner();
    assert_eq!(found(&keyed.app, external.clone()).await, [&*first]);
    assert_eq!(found(&keyed.other_app, external.clone()).await, [&*others]);
    // An admin owns what it creates, and finds only that by an owner's notes.
    assert_eq!(found(&keyed.admin, external).await, [""; 0]);
    let relabel = proto::UpdateMatchLabelsRequest {
        match_id: second.clone(),
        update_mask: Some(prost_types::FieldMask { paths: vec!["labels".to_owned()] }),
        ..Default::default()
    };
    play.update_match_labels(&keyed.app, relabel).await.unwrap();
    assert_eq!(found(&keyed.app, labelled(&["stage=final"])).await, [&*first]);
}

#[tokio::test]
async fn turns_follow_moves_proposals_takebacks_and_the_end() {
    let keyed = Keyed::start().await;
    let play = &keyed.play;
    let match_id = create(play, &keyed.app, &[], None).await;
    let turn = async || {
        let mut to_act = Vec::new();
        for seat in 0..8 {
            if !listed(play, &keyed.app, seat_to_act(seat)).await.is_empty() {
                to_act.push(seat);
            }
        }
        let view = proto::GetViewRequest { match_id: match_id.clone(), ..Default::default() };
        let view = play.get_view(&keyed.app, view).await.unwrap().view.unwrap();
        assert_eq!(to_act, view.to_act);
        to_act
    };
    assert_eq!(turn().await, [0; 0]);
    let white = keyed.claim(&keyed.app, &match_id, 0).await.unwrap();
    assert_eq!(turn().await, [0; 0]);
    let black = keyed.claim(&keyed.app, &match_id, 1).await.unwrap();
    assert_eq!(turn().await, [0]);
    play.submit_move(&white, fixture::submit(&match_id, "a1-a2", None)).await.unwrap();
    assert_eq!(turn().await, [1]);
    for (kind, after) in [(proto::ProposalKind::Draw, 1), (proto::ProposalKind::Takeback, 0)] {
        let ask =
            proto::MakeProposalRequest { match_id: match_id.clone(), kind: kind.into(), request_id: None };
        play.make_proposal(&white, ask).await.unwrap();
        assert_eq!(turn().await, [1]);
        let answer = proto::AnswerProposalRequest {
            match_id: match_id.clone(),
            kind: kind.into(),
            accept: Some(kind == proto::ProposalKind::Takeback),
            request_id: None,
        };
        play.answer_proposal(&black, answer).await.unwrap();
        assert_eq!(turn().await, [after]);
    }
    let rotate =
        proto::RotateSeatTokenRequest { match_id: match_id.clone(), seat: Some(1), ..Default::default() };
    play.rotate_seat_token(&black, rotate).await.unwrap();
    assert_eq!(turn().await, [0]);
    play.resign(&white, proto::ResignRequest { match_id: match_id.clone(), request_id: None }).await.unwrap();
    assert_eq!(turn().await, [0; 0]);
}

#[tokio::test]
async fn in_a_simultaneous_turn_a_seat_that_has_chosen_is_not_to_act() {
    let keyed = Keyed::start().await;
    let play = &keyed.play;
    let match_id = keyed.create(Visibility::Private).await;
    let mut seats = Vec::new();
    for seat in 0..2 {
        seats.push(keyed.claim(&keyed.app, &match_id, seat).await.unwrap());
    }
    let to_act = async || {
        let found = async |seat| listed(play, &keyed.app, seat_to_act(seat)).await.len();
        (found(0).await, found(1).await)
    };
    assert_eq!(to_act().await, (1, 1));
    play.submit_move(&seats[0], fixture::submit(&match_id, "1,1", None)).await.unwrap();
    assert_eq!(to_act().await, (0, 1));
    play.submit_move(&seats[1], fixture::submit(&match_id, "2,2", None)).await.unwrap();
    assert_eq!(to_act().await, (1, 1));
}

#[tokio::test]
async fn an_owners_filters_need_the_owners_key() {
    let keyed = Keyed::start().await;
    let open = fixture::in_memory().await;
    let match_id = create(&keyed.play, &keyed.app, &[("stage", "final")], Some("g-1")).await;
    let seat = keyed.claim(&keyed.app, &match_id, 0).await.unwrap();
    for (field, request) in of_owner() {
        for caller in [&Caller::anonymous(), &seat] {
            let refusal = keyed.play.list_matches(caller, request.clone()).await.unwrap_err();
            assert_eq!(refusal.reason, ErrorReason::MissingKey, "{field}");
            assert!(refusal.message.contains(field), "{}", refusal.message);
        }
        let refusal = keyed.play.list_matches(&keyed.audit, request.clone()).await.unwrap_err();
        assert_eq!((refusal.reason, &*refusal.metadata["roles"]), (ErrorReason::NotAllowed, "app,admin"));
        let refusal = open.list_matches(&Caller::anonymous(), request).await.unwrap_err();
        assert_eq!((refusal.reason, &*refusal.fields[0].field), (ErrorReason::InvalidArgument, field));
    }
}

#[tokio::test]
async fn a_filter_that_no_match_can_pass_is_refused() {
    let keyed = Keyed::start().await;
    let text = |length: usize| Some("x".repeat(length));
    let over = Some(proto::MatchStatus::Over.into());
    let with_id = proto::ListMatchesRequest { player_id: text(4), player_to_act: true, ..all() };
    for (field, request) in [
        ("labels[0]", labelled(&["stage"])),
        ("labels[0]", labelled(&["Stage=final"])),
        ("labels[1]", labelled(&["stage=1", "stage=2"])),
        ("labels[1]", labelled(&["stage=1", "stage=1"])),
        ("labels", labelled(&["a=1", "b=1", "c=1", "d=1", "e=1"])),
        ("external_id", proto::ListMatchesRequest { external_id: text(0), ..all() }),
        ("external_id", proto::ListMatchesRequest { external_id: text(129), ..all() }),
        ("player_id", proto::ListMatchesRequest { player_id: text(0), ..all() }),
        ("player_id", proto::ListMatchesRequest { player_id: text(65), ..all() }),
        ("player_id", proto::ListMatchesRequest { player_to_act: true, ..all() }),
        ("seat_to_act", seat_to_act(8)),
        ("seat_to_act", proto::ListMatchesRequest { seat_to_act: Some(0), ..with_id.clone() }),
        ("status", proto::ListMatchesRequest { status: over, ..seat_to_act(0) }),
        ("status", proto::ListMatchesRequest { status: over, ..with_id.clone() }),
    ] {
        let refusal = keyed.play.list_matches(&keyed.app, request.clone()).await.unwrap_err();
        assert_eq!(refusal.reason, ErrorReason::InvalidArgument, "{request:?}");
        assert_eq!(refusal.fields[0].field, field, "{request:?}");
    }
    assert_eq!(listed(&keyed.play, &keyed.app, with_id).await, [""; 0]);
}

#[tokio::test]
async fn a_page_token_is_valid_for_its_filter_and_owner_alone() {
    let keyed = Keyed::start().await;
    for _ in 0..3 {
        create(&keyed.play, &keyed.app, &[("stage", "final")], None).await;
    }
    let request = proto::ListMatchesRequest { page_size: 2, ..labelled(&["stage=final"]) };
    let first = keyed.play.list_matches(&keyed.app, request.clone()).await.unwrap();
    assert_eq!(first.matches.len(), 2);
    let next = proto::ListMatchesRequest { page_token: first.next_page_token, ..request };
    assert_eq!(listed(&keyed.play, &keyed.app, next.clone()).await.len(), 1);
    // It is refused to another app, which would otherwise take an empty page for the end of its own list.
    let refusal = keyed.play.list_matches(&keyed.other_app, next.clone()).await.unwrap_err();
    assert_eq!((refusal.reason, &*refusal.fields[0].field), (ErrorReason::InvalidArgument, "page_token"));
    let everything = proto::ListMatchesRequest { page_size: 2, ..Default::default() };
    let first = keyed.play.list_matches(&keyed.audit, everything.clone()).await.unwrap();
    let next_of_all = proto::ListMatchesRequest { page_token: first.next_page_token, ..everything };
    for caller in [&keyed.app, &keyed.admin, &play::Caller::anonymous()] {
        let refusal = keyed.play.list_matches(caller, next_of_all.clone()).await.unwrap_err();
        assert_eq!(refusal.fields[0].field, "page_token");
    }
    let other = proto::ListMatchesRequest { labels: vec!["stage=semifinal".to_owned()], ..next };
    let refusal = keyed.play.list_matches(&keyed.app, other).await.unwrap_err();
    assert_eq!(refusal.fields[0].field, "page_token");
}
