//! Pages of lists, and the tokens that lead from one to the next.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use play::{Caller, Play, Refusal, ServiceKey, Settings, Signing};
use prost_types::Timestamp;
use wire::v1::{self as proto, ErrorReason};

use crate::fixture::{self, Fixture};

/// Follows the pages of a list from the first to the last.
async fn pages<T>(mut list: impl AsyncFnMut(String) -> (Vec<T>, String)) -> Vec<Vec<T>> {
    let (mut pages, mut token) = (Vec::new(), String::new());
    loop {
        let (items, next) = list(token).await;
        pages.push(items);
        if next.is_empty() {
            return pages;
        }
        token = next;
    }
}

fn assert_bad_page_token<T: std::fmt::Debug>(outcome: Result<T, Refusal>) {
    let refusal = outcome.unwrap_err();
    assert_eq!((refusal.reason, &*refusal.fields[0].field), (ErrorReason::InvalidArgument, "page_token"));
}

#[tokio::test]
async fn pages_of_games_and_keys_make_up_the_list() {
    let signing = Signing::default();
    let retired = [1, 2].map(|n| {
        let until = Timestamp { seconds: i64::from(n) * 1000, nanos: 0 };
        ServiceKey::from_bytes([n; 32]).retired(signing.clone(), until)
    });
    let signing = Signing { retired: retired.to_vec(), ..signing };
    let settings = Settings { signing, ..Settings::default() };
    let play = fixture::with_settings(fixture::open("memory:").await, settings).await;

    let all = play.list_games(&proto::ListGamesRequest::default()).unwrap();
    assert_eq!((all.games.len(), &*all.next_page_token), (4, ""));
    let games = pages(async |page_token| {
        let page = play.list_games(&proto::ListGamesRequest { page_size: 3, page_token }).unwrap();
        (page.games, page.next_page_token)
    });
    let games = games.await;
    assert_eq!((games.len(), games.concat()), (2, all.games));

    let all = play.list_keys(&proto::ListKeysRequest::default()).unwrap();
    assert_eq!((all.keys.len(), &*all.next_page_token), (3, ""));
    let keys = pages(async |page_token| {
        let page = play.list_keys(&proto::ListKeysRequest { page_size: 1, page_token }).unwrap();
        (page.keys, page.next_page_token)
    });
    let keys = keys.await;
    assert_eq!((keys.len(), keys.concat()), (3, all.keys));
}

#[tokio::test]
async fn pages_of_events_continue_after_the_seq_of_the_first() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 3).await;
    fixture.play_turn(&play).await;
    let all = fixture.events(&play).await;
    assert_eq!(all.len(), 7);
    for (after_seq, page_size, lengths) in
        [(0, 3, &[3, 3, 1][..]), (2, 2, &[2, 2, 1]), (0, 7, &[7]), (7, 1, &[0])]
    {
        let request = proto::ListEventsRequest {
            match_id: fixture.match_id.clone(),
            after_seq,
            page_size,
            ..Default::default()
        };
        let pages = pages(async |page_token| {
            let request = proto::ListEventsRequest { page_token, ..request.clone() };
            let page = play.list_events(&Caller::anonymous(), request).await.unwrap();
            (page.events, page.next_page_token)
        });
        let pages = pages.await;
        assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), lengths);
        assert_eq!(pages.concat(), all[after_seq as usize..]);
    }
}

/// A list of nothing, where a watch is refused: what comes next is known by the events that come, not by the
/// seq to start after, and `min_seq` asks for the refusal.
#[tokio::test]
async fn no_events_follow_a_seq_that_the_match_has_not_reached() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 3).await;
    let list = async |after_seq, min_seq| {
        let match_id = fixture.match_id.clone();
        let request = proto::ListEventsRequest { match_id, after_seq, min_seq, ..Default::default() };
        play.list_events(&Caller::anonymous(), request).await
    };
    for after_seq in [5, u32::MAX] {
        let page = list(after_seq, None).await.unwrap();
        assert_eq!((page.events.len(), &*page.next_page_token, page.head_seq), (0, "", 4));
        let refusal = list(after_seq, Some(after_seq)).await.unwrap_err();
        assert_eq!((refusal.reason, &*refusal.metadata["actual_seq"]), (ErrorReason::UnknownSeq, "4"));
    }
}

/// Another replica may know more of a match that runs. Nothing follows the end of one that is over.
#[tokio::test]
async fn only_a_match_that_runs_may_be_asked_again_for_a_seq_to_come() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 1).await;
    let refusal = async || {
        let request = proto::SignHeadRequest { match_id: fixture.match_id.clone(), min_seq: Some(99) };
        let refusal = play.sign_head(&Caller::anonymous(), request).await.unwrap_err();
        assert_eq!(refusal.reason, ErrorReason::UnknownSeq);
        refusal
    };
    assert!(refusal().await.retry_after.is_some());
    fixture.play_turn(&play).await;
    let over = refusal().await;
    assert!(over.retry_after.is_none() && over.message.contains("use a seq up to that"), "{}", over.message);
}

fn moves_of(fixture: &Fixture, page_size: u32) -> proto::ListLegalMovesRequest {
    proto::ListLegalMovesRequest { match_id: fixture.match_id.clone(), page_size, ..Default::default() }
}

#[tokio::test]
async fn pages_of_legal_moves_have_the_moves_of_one_position() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 3).await;
    let all = play.list_legal_moves(&fixture.angels, moves_of(&fixture, 0)).await.unwrap();
    assert_eq!((all.total_size, &*all.next_page_token), (u32::try_from(all.moves.len()).ok(), ""));
    assert!(all.complete);
    let listed = pages(async |page_token| {
        let request = proto::ListLegalMovesRequest { page_token, ..moves_of(&fixture, 3) };
        let page = play.list_legal_moves(&fixture.angels, request).await.unwrap();
        assert_eq!((page.total_size, page.seq, page.complete), (all.total_size, 4, false));
        (page.moves, page.next_page_token)
    });
    let listed = listed.await;
    assert_eq!((listed.len(), listed.concat()), (all.moves.len().div_ceil(3), all.moves));
}

#[tokio::test]
async fn a_list_of_moves_ends_when_the_position_changes() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 3).await;
    let first = play.list_legal_moves(&fixture.angels, moves_of(&fixture, 3)).await.unwrap();
    let rest = proto::ListLegalMovesRequest { page_token: first.next_page_token, ..moves_of(&fixture, 3) };
    // The other seat's sealed choice does not change it.
    fixture.submit(&play, &fixture.demons, "3,3").await.unwrap();
    let second = play.list_legal_moves(&fixture.angels, rest.clone()).await.unwrap();
    assert_eq!(second.moves[0].index, 3);
    fixture.submit(&play, &fixture.angels, "1,1").await.unwrap();
    let refusal = play.list_legal_moves(&fixture.angels, rest).await.unwrap_err();
    assert_eq!((refusal.reason, &*refusal.metadata["actual_seq"]), (ErrorReason::StalePosition, "7"));
}

#[tokio::test]
async fn a_list_of_moves_ends_with_the_seats_own_choice() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 3).await;
    let first = play.list_legal_moves(&fixture.angels, moves_of(&fixture, 3)).await.unwrap();
    let rest = proto::ListLegalMovesRequest { page_token: first.next_page_token, ..moves_of(&fixture, 3) };
    fixture.submit(&play, &fixture.angels, "1,1").await.unwrap();
    let refusal = play.list_legal_moves(&fixture.angels, rest).await.unwrap_err();
    assert_eq!((refusal.reason, &*refusal.metadata["actual_seq"]), (ErrorReason::StalePosition, "5"));
}

#[tokio::test]
async fn a_token_is_refused_with_other_fields() {
    let play = fixture::in_memory().await;
    let (one, other) = (Fixture::start(&play, 3).await, Fixture::start(&play, 3).await);
    let anonymous = Caller::anonymous();
    let events =
        proto::ListEventsRequest { match_id: one.match_id.clone(), page_size: 2, ..Default::default() };
    let page = play.list_events(&anonymous, events.clone()).await.unwrap();
    let rest = proto::ListEventsRequest { page_token: page.next_page_token, page_size: 500, ..events };
    assert_eq!(play.list_events(&anonymous, rest.clone()).await.unwrap().events.len(), 2);
    for wrong in [
        proto::ListEventsRequest { after_seq: 1, ..rest.clone() },
        proto::ListEventsRequest { min_seq: Some(1), ..rest.clone() },
        proto::ListEventsRequest { match_id: other.match_id.clone(), ..rest.clone() },
    ] {
        assert_bad_page_token(play.list_events(&anonymous, wrong).await);
    }

    let page = play.list_legal_moves(&one.angels, moves_of(&one, 2)).await.unwrap();
    let rest = proto::ListLegalMovesRequest { page_token: page.next_page_token, ..moves_of(&one, 0) };
    assert_bad_page_token(play.list_legal_moves(&one.demons, rest.clone()).await);
    let of_other = proto::ListLegalMovesRequest { match_id: other.match_id.clone(), ..rest.clone() };
    assert_bad_page_token(play.list_legal_moves(&other.angels, of_other).await);
    // Naming the seat of the token changes nothing.
    let named = proto::ListLegalMovesRequest { seat: Some(0), ..rest };
    play.list_legal_moves(&one.angels, named).await.unwrap();

    let games = play.list_games(&proto::ListGamesRequest { page_size: 1, ..Default::default() }).unwrap();
    let request = proto::ListKeysRequest { page_token: games.next_page_token, ..Default::default() };
    assert_bad_page_token(play.list_keys(&request));
}

#[tokio::test]
async fn hand_made_tokens_are_refused_by_every_list() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 3).await;
    let index = |bytes: &[u8]| format!("mbp_{}", URL_SAFE_NO_PAD.encode([&[0; 16], bytes].concat()));
    let id = uuid::Uuid::parse_str(&fixture.match_id).unwrap();
    for hand_made in [index(&[0, 0, 0, 1]), index(&[0; 8]), index(id.as_bytes()), "2".to_owned()] {
        refused_by_every_list(&play, &fixture, &hand_made).await;
    }
}

async fn refused_by_every_list(play: &Play, fixture: &Fixture, token: &str) {
    let page_token = token.to_owned();
    assert_bad_page_token(play.list_games(&proto::ListGamesRequest { page_size: 1, page_token }));
    let page_token = token.to_owned();
    assert_bad_page_token(play.list_keys(&proto::ListKeysRequest { page_size: 1, page_token }));
    let request = proto::ListMatchesRequest { page_token: token.to_owned(), ..Default::default() };
    assert_bad_page_token(play.list_matches(&Caller::anonymous(), request).await);
    let request = proto::ListEventsRequest {
        match_id: fixture.match_id.clone(),
        page_token: token.to_owned(),
        ..Default::default()
    };
    assert_bad_page_token(play.list_events(&Caller::anonymous(), request).await);
    let request = proto::ListLegalMovesRequest { page_token: token.to_owned(), ..moves_of(fixture, 1) };
    assert_bad_page_token(play.list_legal_moves(&fixture.angels, request).await);
}
