//! Whose legal moves a caller may list: those of any seat, unless the game has secrets (G-6).

use play::{Caller, Play, Refusal};
use wire::v1::{self as proto, ErrorReason};

use crate::fixture::{self, Fixture};

async fn start(play: &Play, game_id: &str) -> Fixture {
    let game_id = game_id.to_owned();
    Fixture::start_with(play, proto::CreateMatchRequest { game_id, ..Default::default() }).await
}

async fn list(
    play: &Play,
    caller: &Caller,
    fixture: &Fixture,
    seat: Option<u32>,
) -> Result<proto::ListLegalMovesResponse, Refusal> {
    let match_id = fixture.match_id.clone();
    let request = proto::ListLegalMovesRequest { match_id, seat, ..Default::default() };
    play.list_legal_moves(caller, request).await
}

#[tokio::test]
async fn without_secrets_anyone_lists_the_moves_of_a_named_seat() {
    let play = fixture::in_memory().await;
    let fixture = start(&play, "ludus-magus").await;
    let own = list(&play, &fixture.angels, &fixture, None).await.unwrap().moves;
    assert!(!own.is_empty());
    for caller in [&fixture.angels, &fixture.demons, &Caller::anonymous()] {
        assert_eq!(list(&play, caller, &fixture, Some(0)).await.unwrap().moves, own);
    }
    let unnamed = list(&play, &Caller::anonymous(), &fixture, None).await.unwrap_err();
    assert_eq!((unnamed.reason, &*unnamed.fields[0].field), (ErrorReason::InvalidArgument, "seat"));
}

#[tokio::test]
async fn with_secrets_a_seat_lists_its_own_moves_only() {
    let play = fixture::in_memory().await;
    let fixture = start(&play, "ace-exorcist").await;
    for (own, caller) in [(0, &fixture.angels), (1, &fixture.demons)] {
        list(&play, caller, &fixture, Some(own)).await.unwrap();
        let refusal = list(&play, caller, &fixture, Some(1 - own)).await.unwrap_err();
        assert_eq!(refusal.reason, ErrorReason::NotAllowed);
    }
    for seat in [None, Some(0), Some(1)] {
        let stranger = list(&play, &Caller::anonymous(), &fixture, seat).await.unwrap_err();
        assert_eq!(stranger.reason, ErrorReason::MissingToken);
    }
}
