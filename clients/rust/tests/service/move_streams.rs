//! Moves over one stream, which may break.

use futures_util::future::join_all;
use matchbook_client::v1::submit_move_request::Input;
use matchbook_client::v1::{ErrorReason, MoveAnswer, SubmitMoveRequest};
use matchbook_client::{Client, Error, SeatClient, request_id};

use crate::proxy::Proxy;
use crate::stage::Service;

/// Returns a move of the first seat of a match of Angels and Demons.
fn first_move(seat: &SeatClient, notation: &str) -> SubmitMoveRequest {
    SubmitMoveRequest {
        match_id: seat.match_id().to_owned(),
        input: Some(Input::Notation(notation.to_owned())),
        request_id: Some(request_id()),
        answer: MoveAnswer::Receipt.into(),
        ..Default::default()
    }
}

async fn angels(client: &Client) -> SeatClient {
    let game = client.new_match("angels-and-demons").await.expect("the game is known");
    let angels = game.claim(0, "Ann").await.expect("it is free");
    game.claim(1, "Ben").await.expect("it is free");
    angels
}

#[tokio::test]
async fn many_seats_move_at_once_and_each_gets_its_answer() {
    let service = Service::start();
    let client = Client::connect(&service.address).await.unwrap();
    let seats = join_all((0..20).map(|_| angels(&client))).await;
    let moves = client.move_stream();
    let made = join_all(seats.iter().map(|seat| {
        let moves = moves.clone();
        async move { moves.submit(seat.token().unwrap(), first_move(seat, "1,1")).await }
    }));
    for (seat, submitted) in seats.iter().zip(made.await) {
        let receipt = submitted.unwrap().receipt.unwrap();
        let newest = seat.watch().after(4).next_event().await.unwrap().unwrap();
        assert_eq!((receipt.seq, receipt.hash), (newest.seq, newest.hash));
    }
}

#[tokio::test]
async fn seats_play_over_a_stream_and_choose_what_is_answered() {
    let service = Service::start();
    let client = Client::connect(&service.address).await.unwrap();
    let game = client.new_match("angels-and-demons").await.unwrap();
    let moves = client.move_stream();
    let angels = game.claim(0, "Ann").await.unwrap().over(&moves);
    let demons = game.claim(1, "Ben").await.unwrap().over(&moves);
    let played = angels.play("1,1").await.unwrap();
    assert_eq!((played.events.len(), played.receipt), (1, None));
    assert_eq!(played.view.unwrap().seq, 5);
    let played = demons.play_for("1,1", MoveAnswer::Receipt).await.unwrap();
    let receipt = played.receipt.unwrap();
    assert_eq!((played.events.len(), played.view, receipt.seq), (0, None, 7));
    // A seat with a new token keeps the stream.
    let renewed = angels.renew_token().await.unwrap();
    let played = renewed.play_for("2,2", MoveAnswer::Events).await.unwrap();
    assert_eq!((played.events.len(), played.view), (1, None));
    let void = angels.play("3,3").await.unwrap_err();
    assert!(void.is(ErrorReason::BadToken), "{void:?}");
    let nobody = SeatClient::new(client, angels.match_id()).over(&moves);
    let nobody = nobody.play("1,1").await.unwrap_err();
    assert!(nobody.is(ErrorReason::MissingToken), "{nobody:?}");
}

#[tokio::test]
async fn a_refused_move_is_a_refusal_and_the_stream_goes_on() {
    let service = Service::start();
    let client = Client::connect(&service.address).await.unwrap();
    let seat = angels(&client).await;
    let (moves, token) = (client.move_stream(), seat.token().unwrap());
    let illegal = moves.submit(token, first_move(&seat, "1,2")).await.unwrap_err();
    assert!(illegal.is(ErrorReason::IllegalMove), "{illegal:?}");
    assert_eq!(illegal.refusal().unwrap().paragraph(), Some("AD-4"));
    let mut malformed = first_move(&seat, "1,1");
    malformed.match_id = "x".to_owned();
    let malformed = moves.submit(token, malformed).await.unwrap_err();
    assert_eq!(malformed.refusal().unwrap().fields[0].path, "move.match_id");
    let unknown = moves.submit("mbs_unknown", first_move(&seat, "1,1")).await.unwrap_err();
    assert!(unknown.is(ErrorReason::BadToken), "{unknown:?}");
    moves.submit(token, first_move(&seat, "1,1")).await.unwrap();
}

#[tokio::test]
async fn a_move_whose_answer_was_lost_is_sent_again_and_made_once() {
    let service = Service::start();
    let proxy = Proxy::before(&service.address);
    let direct = Client::connect(&service.address).await.unwrap();
    let seat = angels(&direct).await;
    let client = Client::connect(&proxy.address()).await.unwrap();
    let (moves, token) = (client.move_stream(), seat.token().unwrap());
    moves.submit(token, first_move(&seat, "1,2")).await.unwrap_err();
    // A receipt is too short for the proxy to know it for an answer.
    let whole =
        |seat| SubmitMoveRequest { answer: MoveAnswer::EventsAndView.into(), ..first_move(seat, "1,1") };
    proxy.lose_the_next_answer();
    let submitted = moves.submit(token, whole(&seat)).await.unwrap();
    assert!(proxy.has_lost_the_answer());
    assert_eq!(submitted.events[0].seq, 5, "the first event after the start");
    assert_eq!(seat.view().await.unwrap().view.unwrap().seq, 5, "it was made once");

    // Without a `request_id` nothing is sent again.
    let seat = angels(&direct).await;
    proxy.lose_the_next_answer();
    let once = SubmitMoveRequest { request_id: None, ..whole(&seat) };
    let lost = moves.submit(seat.token().unwrap(), once).await.unwrap_err();
    assert!(proxy.has_lost_the_answer());
    assert!(matches!(lost, Error::Unreachable { .. }), "{lost:?}");
}
