//! What a match and a seat do with less typing.

use std::collections::HashMap;

use matchbook_client::v1::question::Kind;
use matchbook_client::v1::{
    ErrorReason, ForkMatchRequest, GetMatchResponse, Player, Question, Strategy, Visibility,
};
use matchbook_client::{Client, Error, SaveError, SeatClient};

use crate::stage::Service;

/// Returns both seats of a new match.
async fn seats(service: &Service, game_id: &str) -> [SeatClient; 2] {
    let client = Client::connect(&service.address).await.expect("the service listens");
    let game = client.new_match(game_id).await.expect("the game is known");
    let ann = game.claim(0, Player::named("Ann")).await.expect("the seat is free");
    [ann, game.claim(1, "Ben").await.expect("the seat is free")]
}

#[tokio::test]
async fn a_listed_move_is_made_at_its_position_only() {
    let service = Service::start();
    let [light, _] = seats(&service, "ludus-magus").await;
    let listed = light.legal_moves().await.unwrap();
    assert!(listed.is_complete() && listed.find("a1-a2").is_some());
    let few = light.legal_moves_up_to(2).await.unwrap();
    assert!(few.is_cut && few.moves == listed.moves[..2]);

    let played = light.play(&listed.moves[0]).await.unwrap();
    let error = light.play(&listed.moves[0]).await.unwrap_err();
    assert!(error.is(ErrorReason::StalePosition), "{error:?}");
    let Error::Refused(refusal) = error else { panic!("it is refused") };
    assert_eq!(refusal.actual_seq(), Some(played.events[0].seq));
    assert!(refusal.call_id.is_some());
}

#[tokio::test]
async fn a_move_is_checked_suggested_and_built() {
    let service = Service::start();
    let [angels, demons] = seats(&service, "angels-and-demons").await;
    let refusal = angels.check("9,9").await.unwrap().expect("the board is smaller");
    assert_eq!(refusal.reason, "ILLEGAL_MOVE");

    let suggested = angels.suggest(Strategy::Greedy).await.unwrap();
    assert_eq!(angels.check(&suggested).await.unwrap(), None);
    angels.play(suggested).await.unwrap();

    let first = |question: &Question| match &question.kind {
        Some(Kind::ChoiceList(list)) => list.choices[0].value.clone(),
        _ => "1".to_owned(),
    };
    let built = demons.build(first).await.unwrap();
    assert!(demons.legal_moves().await.unwrap().find(&built.notation).is_some());
    demons.play(built).await.unwrap();
}

#[tokio::test]
async fn a_seat_goes_on_with_its_token_and_has_a_rematch() {
    let service = Service::start();
    let [light, dark] = seats(&service, "ludus-magus").await;
    let client = Client::connect(&service.address).await.unwrap();
    let again = client.seat(light.match_id(), light.token().unwrap()).unwrap();
    again.resign().await.unwrap();
    assert!(dark.play("a1-a2").await.unwrap_err().is(ErrorReason::MatchOver));

    let rematch = again.rematch().await.unwrap();
    let swapped = rematch.r#match.unwrap();
    assert_eq!((rematch.seat, swapped.seats[1].display_name()), (Some(1), Some("Ann")));
    let seat = client.seat(swapped.match_id, &rematch.seat_token).unwrap();
    assert_eq!(seat.view().await.unwrap().view.unwrap().viewing_seat(), Some(1));
}

#[tokio::test]
async fn a_match_by_its_id_is_seen_without_a_seat_and_its_head_is_signed() {
    let service = Service::start();
    let [light, _] = seats(&service, "ludus-magus").await;
    let played = light.play("a1-a2").await.unwrap();
    let seq = played.events.last().unwrap().seq;
    let game = Client::connect(&service.address).await.unwrap().match_by_id(light.match_id());
    assert_eq!(game.view().await.unwrap().view.unwrap().viewing_seat(), None);
    assert_eq!(game.view_at(seq - 1).await.unwrap().view.unwrap().seq, seq - 1);
    assert_eq!(game.sign_head().await.unwrap().seq, seq);
    assert!(game.get_match().await.unwrap().r#match.is_some());
    assert_eq!(light.as_match().view().await.unwrap().view.unwrap().viewing_seat(), Some(0));
}

#[tokio::test]
async fn a_log_that_cannot_be_saved_says_why() {
    let service = Service::start();
    let [light, _] = seats(&service, "ludus-magus").await;
    let missing = service.home.path().join("no-such-folder/match.jsonl");
    let error = light.as_match().save_log(&missing).await.unwrap_err().to_string();
    assert!(error.starts_with("cannot write ") && error.contains("no-such-folder"), "{error}");

    let client = Client::connect(&service.address).await.unwrap();
    let unknown = client.match_by_id("0193ac52-1f6e-7a3b-9c1d-2e4f5a6b7c8d");
    let path = service.home.path().join("match.jsonl");
    let error = unknown.save_log(&path).await.unwrap_err();
    assert!(matches!(&error, SaveError::Call(call) if call.is(ErrorReason::UnknownMatch)));
    assert!(!path.exists(), "half a file has the name");
}

#[tokio::test]
async fn a_fork_goes_on_from_a_position_without_the_seats_token() {
    let service = Service::start();
    let [light, dark] = seats(&service, "ludus-magus").await;
    let played = light.play("a1-a2").await.unwrap();
    let game = light.as_match();
    let newest = game.fork().await.unwrap();
    assert_eq!(newest.view().await.unwrap().view.unwrap().seq, 1);
    let lineage = |fork: GetMatchResponse| fork.r#match.unwrap().forked_from.unwrap();
    let from = lineage(newest.get_match().await.unwrap());
    assert_eq!((&*from.match_id, from.seq), (light.match_id(), played.events[0].seq));

    let earlier = game.fork_at(4).await.unwrap();
    assert_eq!(lineage(earlier.get_match().await.unwrap()).seq, 4);
    let ann = earlier.claim(0, "Ann").await.unwrap();
    earlier.claim(1, "Ben").await.unwrap();
    ann.play("a1-a2").await.unwrap();

    let terms = ForkMatchRequest { visibility: Some(Visibility::Unlisted.into()), ..Default::default() };
    let unlisted = dark.as_match().fork_with(terms).await.unwrap();
    let found = unlisted.get_match().await.unwrap().r#match.unwrap();
    assert_eq!(found.visibility(), Visibility::Unlisted);
    assert!(game.fork_at(99).await.unwrap_err().is(ErrorReason::UnknownSeq));
}

#[tokio::test]
async fn the_owner_labels_its_match_and_replaces_a_lost_token() {
    let (service, key) = Service::with_key();
    let anyone = Client::connect(&service.address).await.unwrap();
    let game = anyone.with_api_key(&key).unwrap().new_match("ludus-magus").await.unwrap();
    let labelled = game.set_labels([("tenant", "acme"), ("round", "2")]).await.unwrap();
    assert_eq!(labelled.labels.len(), 2);
    let unlabelled = game.set_labels(HashMap::<String, String>::new()).await.unwrap();
    assert!(unlabelled.labels.is_empty());

    let lost = game.claim(0, "Ann").await.unwrap();
    let found = game.rotate_token(0).await.unwrap();
    assert!(lost.view().await.unwrap_err().is(ErrorReason::BadToken));
    let renewed = found.renew_token().await.unwrap();
    assert!(found.view().await.unwrap_err().is(ErrorReason::BadToken));
    assert_eq!(renewed.view().await.unwrap().view.unwrap().viewing_seat(), Some(0));

    let stranger = anyone.match_by_id(game.match_id());
    assert!(stranger.set_labels([("tenant", "other")]).await.is_err());
    assert!(stranger.rotate_token(0).await.is_err());
    let nobody = SeatClient::new(anyone, game.match_id());
    assert!(nobody.renew_token().await.unwrap_err().refusal().is_some());
}
