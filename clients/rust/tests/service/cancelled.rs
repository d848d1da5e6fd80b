//! Futures that are dropped before they are done, as `tokio::select!` and Ctrl-C do it: nothing is made
//! twice, and the client can be used on.

use std::time::Duration;

use matchbook_client::v1::submit_move_request::Input;
use matchbook_client::v1::{Event, ListEventsRequest, Strategy, SubmitMoveRequest, event};
use matchbook_client::{Client, RetryPolicy, SeatClient, request_id};
use tokio::time::sleep;

use crate::proxy::Proxy;
use crate::stage::Service;

async fn seats(client: &Client) -> [SeatClient; 2] {
    let game = client.new_match("ludus-magus").await.expect("the game is known");
    [game.claim(0, "Ann").await.expect("it is free"), game.claim(1, "Ben").await.expect("it is free")]
}

/// Returns the moves of a match.
async fn moves(client: &Client, match_id: &str) -> Vec<Event> {
    let request = ListEventsRequest { match_id: match_id.to_owned(), page_size: 500, ..Default::default() };
    let events = client.list_events(request).await.expect("the match is public").events;
    events.into_iter().filter(|event| matches!(event.kind, Some(event::Kind::MoveMade(_)))).collect()
}

#[tokio::test]
async fn a_change_that_was_left_before_its_answer_is_made_once_however_it_is_repeated() {
    let service = Service::start();
    let proxy = Proxy::before(&service.address);
    let direct = Client::connect(&service.address).await.unwrap();
    let [light, dark] = seats(&direct).await;
    // The answer is lost, and the next attempt is an hour away: the call is left between the two.
    let hour = Duration::from_secs(3600);
    let patient = RetryPolicy::default().initial_delay(hour).max_delay(hour);
    let client = Client::builder(&proxy.address()).retry(patient).connect().await.unwrap();
    let seat = client.seat(light.match_id(), light.token().unwrap()).unwrap();
    seat.view().await.unwrap();
    proxy.lose_the_next_answer();
    let wanted = SubmitMoveRequest {
        match_id: light.match_id().to_owned(),
        request_id: Some(request_id()),
        input: Some(Input::Notation("a1-a2".to_owned())),
        ..Default::default()
    };
    let (left, request) = (seat.client().clone(), wanted.clone());
    let leaving = tokio::spawn(async move { left.submit_move(request).await });
    let made = loop {
        match moves(&direct, light.match_id()).await.pop() {
            Some(made) => break made,
            None => sleep(Duration::from_millis(2)).await,
        }
    };
    // The event is visible before its answer is at the proxy.
    while !proxy.has_lost_the_answer() {
        sleep(Duration::from_millis(2)).await;
    }
    leaving.abort();
    assert!(leaving.await.unwrap_err().is_cancelled(), "the answer was lost");

    // The client may not have noticed yet that its connection is cut.
    let seat = SeatClient::new(seat.client().with_retry(RetryPolicy::default()), light.match_id());
    let repeated = seat.client().submit_move(wanted).await.unwrap();
    assert_eq!(repeated.events[0].hash, made.hash);
    dark.play(dark.suggest(Strategy::Random).await.unwrap()).await.unwrap();
    assert_eq!(moves(&direct, light.match_id()).await.len(), 2);
    seat.resign().await.unwrap();
}

#[tokio::test]
async fn a_watch_whose_task_was_aborted_leaves_the_seat_and_the_client_usable() {
    let service = Service::start();
    let [light, dark] = seats(&Client::connect(&service.address).await.unwrap()).await;
    let (sender, mut seen) = tokio::sync::mpsc::unbounded_channel();
    let mut watch = light.watch().after(0);
    let watcher = tokio::spawn(async move {
        while let Some(event) = watch.next_event().await.expect("the match is public") {
            sender.send(event).expect("the test listens");
        }
    });
    let mut last = seen.recv().await.unwrap();
    while last.seq < 4 {
        last = seen.recv().await.unwrap();
    }
    watcher.abort();
    assert!(watcher.await.unwrap_err().is_cancelled());

    light.play("a1-a2").await.unwrap();
    dark.resign().await.unwrap();
    let mut resumed = light.watch().after_event(last.seq, last.hash);
    let mut seqs = Vec::new();
    while let Some(event) = resumed.next_event().await.unwrap() {
        seqs.push(event.seq);
    }
    assert_eq!(seqs, [5, 6]);
}
