//! The directory: which matches are listed to whom, page by page.

use play::{ApiKey, Caller, KeyRing, Play, Role, Settings};
use wire::v1::{self as proto, ErrorReason, Visibility};

use crate::fixture::{self, Fixture};

async fn listed(play: &Play, caller: &Caller, request: proto::ListMatchesRequest) -> Vec<String> {
    let answer = play.list_matches(caller, request).await.unwrap();
    assert_eq!(answer.next_page_token, "");
    answer.matches.into_iter().map(|listed| listed.match_id).collect()
}

#[tokio::test]
async fn matches_are_found_by_game_status_and_player_newest_first() {
    let play = fixture::in_memory().await;
    let (anonymous, all) = (Caller::anonymous(), proto::ListMatchesRequest::default());
    let first = Fixture::start(&play, 3).await;
    let second = play.create_match(&anonymous, fixture::create(3)).await.unwrap().r#match.unwrap().match_id;
    let magus = proto::CreateMatchRequest { game_id: "ludus-magus".to_owned(), ..Default::default() };
    let third = play.create_match(&anonymous, magus).await.unwrap().r#match.unwrap().match_id;

    assert_eq!(listed(&play, &anonymous, all.clone()).await, [&*third, &*second, &*first.match_id]);
    let of_game = proto::ListMatchesRequest { game_id: Some("ludus-magus".to_owned()), ..all.clone() };
    assert_eq!(listed(&play, &anonymous, of_game).await, [&*third]);
    let running =
        proto::ListMatchesRequest { status: Some(proto::MatchStatus::Running.into()), ..all.clone() };
    assert_eq!(listed(&play, &anonymous, running).await, [&*first.match_id]);
    let of_player = proto::ListMatchesRequest { player: Some("Ada".to_owned()), ..all.clone() };
    assert_eq!(listed(&play, &anonymous, of_player).await, [&*first.match_id]);
    let early = proto::ListMatchesRequest {
        created_before: Some(prost_types::Timestamp { seconds: 0, nanos: 0 }),
        ..all
    };
    assert_eq!(listed(&play, &anonymous, early).await, [""; 0]);
}

#[tokio::test]
async fn pages_do_not_shift_when_matches_are_created_meanwhile() {
    let play = fixture::in_memory().await;
    let anonymous = Caller::anonymous();
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(play.create_match(&anonymous, fixture::create(3)).await.unwrap().r#match.unwrap().match_id);
    }
    ids.reverse();
    let mut seen = Vec::new();
    let mut request = proto::ListMatchesRequest { page_size: 2, ..Default::default() };
    loop {
        let page = play.list_matches(&anonymous, request.clone()).await.unwrap();
        seen.extend(page.matches.into_iter().map(|listed| listed.match_id));
        play.create_match(&anonymous, fixture::create(3)).await.unwrap();
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    assert_eq!(seen, ids);
    request.game_id = Some("ludus-magus".to_owned());
    let refusal = play.list_matches(&anonymous, request).await.unwrap_err();
    assert_eq!(refusal.fields[0].field, "page_token");
}

#[tokio::test]
async fn an_app_also_lists_its_own_matches_and_an_auditor_all() {
    let journal = fixture::open("memory:").await;
    let generated = [("app", Role::App), ("other", Role::App), ("audit", Role::Audit)]
        .map(|(name, role)| ApiKey::generate(name, role).unwrap());
    let [app, other, audit] = generated.clone().map(|(_, secret)| fixture::app(secret));
    let keys = KeyRing::new(generated.map(|(key, _)| key).to_vec()).unwrap();
    let play = fixture::with_settings(journal, Settings { keys, ..Settings::default() }).await;
    let mut ids = Vec::new();
    for visibility in [Visibility::Public, Visibility::Unlisted, Visibility::Private] {
        let create = proto::CreateMatchRequest { visibility: Some(visibility.into()), ..fixture::create(3) };
        ids.push(play.create_match(&app, create).await.unwrap().r#match.unwrap().match_id);
    }
    let all = proto::ListMatchesRequest::default();
    let mine = proto::ListMatchesRequest { mine: true, ..all.clone() };
    let newest_first: Vec<_> = ids.iter().rev().cloned().collect();
    for caller in [&Caller::anonymous(), &other] {
        assert_eq!(listed(&play, caller, all.clone()).await, [&*ids[0]]);
    }
    for caller in [&app, &audit] {
        assert_eq!(listed(&play, caller, all.clone()).await, newest_first);
    }
    assert_eq!(listed(&play, &app, mine.clone()).await, newest_first);
    assert_eq!(listed(&play, &other, mine.clone()).await, [""; 0]);
    let refusal = play.list_matches(&Caller::anonymous(), mine.clone()).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::MissingKey);
    let refusal = play.list_matches(&audit, mine.clone()).await.unwrap_err();
    assert_eq!((refusal.reason, &*refusal.metadata["roles"]), (ErrorReason::NotAllowed, "app,admin"));
    let open = fixture::in_memory().await;
    let refusal = open.list_matches(&Caller::anonymous(), mine).await.unwrap_err();
    assert_eq!((refusal.reason, &*refusal.fields[0].field), (ErrorReason::InvalidArgument, "mine"));
}
