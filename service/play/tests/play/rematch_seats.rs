//! The seats of a rematch are reserved for the players of the match before it.

use play::{Caller, Play, Refusal};
use wire::v1::{self as proto, ErrorReason, Visibility};

use crate::fixture;
use crate::keyed::Keyed;

/// A match that is over, with the credentials of its seats.
struct Finished {
    match_id: String,
    seats: [Caller; 2],
}

impl Finished {
    /// Creates a match with this caller, who claims both seats, and ends it.
    async fn of(play: &Play, creator: &Caller, create: proto::CreateMatchRequest) -> Self {
        let match_id = play.create_match(creator, create).await.unwrap().r#match.unwrap().match_id;
        let mut seats = Vec::new();
        for seat in [0, 1] {
            let claimed = play.claim_seat(creator, fixture::claim(&match_id, seat)).await.unwrap();
            seats.push(fixture::seat(claimed.seat_token));
        }
        let resign = proto::ResignRequest { match_id: match_id.clone(), request_id: None };
        play.resign(&seats[0], resign).await.unwrap();
        Self { match_id, seats: seats.try_into().unwrap() }
    }

    async fn rematch(&self, play: &Play, caller: &Caller) -> Result<proto::CreateRematchResponse, Refusal> {
        let request = proto::CreateRematchRequest { match_id: self.match_id.clone(), ..Default::default() };
        play.create_rematch(caller, request).await
    }
}

fn of_game(game_id: &str, visibility: Visibility) -> proto::CreateMatchRequest {
    let visibility = Some(visibility.into());
    proto::CreateMatchRequest { game_id: game_id.to_owned(), visibility, ..Default::default() }
}

async fn claim(
    play: &Play,
    caller: &Caller,
    match_id: &str,
    seat: u32,
) -> Result<proto::ClaimSeatResponse, Refusal> {
    play.claim_seat(caller, fixture::claim(match_id, seat)).await
}

#[tokio::test]
async fn a_stranger_claims_no_seat_of_a_rematch() {
    let play = fixture::in_memory().await;
    let nobody = Caller::anonymous();
    for game in ["ludus-magus", "ace-exorcist"] {
        let finished = Finished::of(&play, &nobody, of_game(game, Visibility::Public)).await;
        let asked = finished.rematch(&play, &finished.seats[0]).await.unwrap();
        let rematch = asked.r#match.unwrap().match_id;
        let free = asked.seat.map(|seat| 1 - seat).unwrap();
        let refusal = claim(&play, &nobody, &rematch, free).await.unwrap_err();
        assert_eq!(refusal.reason, ErrorReason::MissingToken, "{game}");
        assert_eq!(refusal.metadata["rematch_of"], finished.match_id, "{game}");
        assert_eq!(refusal.metadata["seat"], "1", "{game}");
        let other = Finished::of(&play, &nobody, of_game(game, Visibility::Public)).await;
        let refusal = claim(&play, &other.seats[1], &rematch, free).await.unwrap_err();
        assert_eq!(refusal.reason, ErrorReason::BadToken, "{game}");
        // Not the other player's either.
        let refusal = claim(&play, &finished.seats[0], &rematch, free).await.unwrap_err();
        assert_eq!(refusal.reason, ErrorReason::NotAllowed, "{game}");
        let answer = finished.rematch(&play, &finished.seats[1]).await.unwrap();
        assert_eq!(answer.seat, Some(free), "{game}");
    }
}

#[tokio::test]
async fn a_player_claims_the_reserved_seat_with_the_token_of_the_match_before() {
    let play = fixture::in_memory().await;
    let nobody = Caller::anonymous();
    for (game, visibility) in [
        ("ace-exorcist", Visibility::Public),
        ("ace-exorcist", Visibility::Unlisted),
        ("ludus-magus", Visibility::Public),
    ] {
        let finished = Finished::of(&play, &nobody, of_game(game, visibility)).await;
        let asked = finished.rematch(&play, &finished.seats[1]).await.unwrap();
        let rematch = asked.r#match.unwrap().match_id;
        let request = proto::ClaimSeatRequest {
            request_id: Some(uuid::Uuid::new_v4().to_string()),
            claim_secret: Some(fixture::SECRET.to_owned()),
            ..fixture::claim(&rematch, 1)
        };
        let claimed = play.claim_seat(&finished.seats[0], request.clone()).await.unwrap();
        // A retry carries the same token.
        let repeated = play.claim_seat(&finished.seats[0], request).await.unwrap();
        assert_eq!(repeated.seat_token, claimed.seat_token);
        if asked.seat_token.is_empty() {
            claim(&play, &finished.seats[1], &rematch, 0).await.unwrap();
        }
        let view = proto::GetViewRequest { match_id: rematch.clone(), ..Default::default() };
        let view = play.get_view(&fixture::seat(claimed.seat_token), view).await.unwrap().view.unwrap();
        assert_eq!(view.viewer.unwrap().seat, Some(1));
        // Where the seats are taken, everyone hears that.
        let refusal = claim(&play, &nobody, &rematch, 0).await.unwrap_err();
        assert_eq!(refusal.reason, ErrorReason::SeatTaken);
    }
}

#[tokio::test]
async fn a_taken_seat_is_refused_with_the_match_and_the_seat() {
    let play = fixture::in_memory().await;
    let finished =
        Finished::of(&play, &Caller::anonymous(), of_game("ludus-magus", Visibility::Public)).await;
    let first = finished.rematch(&play, &finished.seats[0]).await.unwrap();
    let refusal = finished.rematch(&play, &finished.seats[0]).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::SeatTaken);
    assert_eq!(refusal.metadata["match_id"], first.r#match.unwrap().match_id);
    assert_eq!(refusal.metadata["seat"], "1");
}

#[tokio::test]
async fn a_seat_that_nobody_had_before_is_free_in_the_rematch() {
    let play = fixture::in_memory().await;
    let nobody = Caller::anonymous();
    let create = of_game("ludus-magus", Visibility::Public);
    let match_id = play.create_match(&nobody, create).await.unwrap().r#match.unwrap().match_id;
    let only = fixture::seat(claim(&play, &nobody, &match_id, 0).await.unwrap().seat_token);
    let abort = proto::AbortMatchRequest { match_id: match_id.clone(), request_id: None };
    play.abort_match(&only, abort).await.unwrap();
    let request = proto::CreateRematchRequest { match_id, ..Default::default() };
    let asked = play.create_rematch(&only, request).await.unwrap();
    assert_eq!(asked.seat, Some(1));
    claim(&play, &nobody, &asked.r#match.unwrap().match_id, 0).await.unwrap();
}

#[tokio::test]
async fn the_owner_claims_reserved_seats_and_no_other_key_does() {
    let keyed = Keyed::start().await;
    for visibility in [Visibility::Public, Visibility::Private] {
        let create = of_game("ace-exorcist", visibility);
        let finished = Finished::of(&keyed.play, &keyed.app, create).await;
        let asked = finished.rematch(&keyed.play, &keyed.app).await.unwrap();
        let rematch = asked.r#match.unwrap().match_id;
        let stranger = match visibility {
            Visibility::Private => ErrorReason::UnknownMatch,
            _ => ErrorReason::MissingToken,
        };
        for (caller, expected) in [
            (&Caller::anonymous(), stranger),
            (&keyed.other_app, stranger),
            (&keyed.audit, ErrorReason::MissingToken),
            (&keyed.admin, ErrorReason::MissingToken),
        ] {
            assert_eq!(keyed.claim(caller, &rematch, 0).await.err(), Some(expected), "{visibility:?}");
        }
        // A player needs no key, also in a private match.
        let player = keyed.claim(&finished.seats[1], &rematch, 0).await.unwrap();
        assert_eq!(keyed.claim(&player, &rematch, 1).await.err(), Some(ErrorReason::NotAllowed));
        keyed.claim(&keyed.app, &rematch, 1).await.unwrap();
    }
}
