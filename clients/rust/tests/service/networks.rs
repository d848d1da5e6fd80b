//! Bad networks: typed errors or quiet recovery, nothing made twice.

use std::io::{self, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use matchbook_client::v1::{
    ErrorReason, Event, ListEventsRequest, ListGamesRequest, Player, Strategy, event,
};
use matchbook_client::{Client, ConnectError, Error, RetryPolicy, SeatClient, Watch};
use tokio::time::{sleep, timeout};

use crate::proxy::Proxy;
use crate::stage::Service;

/// A policy that outlasts every cut of these tests.
fn patient() -> RetryPolicy {
    RetryPolicy::default()
        .attempts(1000)
        .initial_delay(Duration::from_millis(20))
        .max_delay(Duration::from_millis(200))
}

async fn connect(address: &str) -> Client {
    Client::builder(address).retry(patient()).connect().await.expect("the service listens")
}

/// Returns both seats of a new match.
async fn seats(client: &Client) -> [SeatClient; 2] {
    let game = client.new_match("ludus-magus").await.expect("the game is known");
    let light = game.claim(0, Player::named("Ann")).await.expect("the seat is free");
    [light, game.claim(1, "Ben").await.expect("the seat is free")]
}

async fn suggested(seat: &SeatClient) -> Vec<u8> {
    let chosen = seat.suggest(Strategy::Random).await.expect("the seat is to act");
    seat.play(chosen).await.expect("the move is legal").events[0].hash.clone()
}

/// Reads events up to this one.
async fn seqs_up_to(watch: &mut Watch, last: u32) -> Vec<u32> {
    let mut seqs = Vec::new();
    while seqs.last() != Some(&last) {
        seqs.push(watch.next_event().await.expect("the watch goes on").expect("the match goes on").seq);
    }
    seqs
}

async fn rest_of(mut watch: Watch) -> Vec<u32> {
    let mut seqs = Vec::new();
    while let Some(event) = watch.next_event().await.expect("the watch goes on") {
        seqs.push(event.seq);
    }
    seqs
}

async fn log_of(client: &Client, match_id: &str) -> Vec<Event> {
    let request = ListEventsRequest { match_id: match_id.to_owned(), page_size: 500, ..Default::default() };
    let page = client.list_events(request).await.expect("the match is public");
    assert_eq!(page.next_page_token, "", "the page has all events");
    page.events
}

#[tokio::test]
async fn a_service_that_is_away_is_unreachable_for_calls_and_streams() {
    let address = "127.0.0.1:1";
    assert!(matches!(Client::connect(address).await, Err(ConnectError::Unreachable { .. })));
    let quick = RetryPolicy::default().attempts(3).initial_delay(Duration::from_millis(1));
    let client = Client::builder(address).retry(quick).connect_lazy().unwrap();
    let is_away = |error: Error| {
        assert!(matches!(&error, Error::Unreachable { server, .. } if server == "http://127.0.0.1:1"));
        assert!(error.is_transient());
    };
    is_away(client.new_match("ludus-magus").await.unwrap_err());
    is_away(client.watch("id").next_event().await.unwrap_err());
    is_away(client.export_log("id").await.err().unwrap());
}

#[tokio::test]
async fn a_service_that_never_answers_is_unreachable_after_the_timeout() {
    // The system accepts connections for it.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap().to_string();
    let builder = Client::builder(&address).call_timeout(Duration::from_millis(200));
    let client = builder.retry(RetryPolicy::none()).connect().await.unwrap();
    let error = client.list_games(ListGamesRequest::default()).await.unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error:?}");
}

/// Answers calls as a proxy does whose replica is gone: HTTP status 200, and an end without a status.
fn end_without_status(mut stream: TcpStream) -> io::Result<()> {
    let frame = |kind: u8, flags: u8, stream: u8, payload: &[u8]| {
        let length = u8::try_from(payload.len()).expect("the payload is short");
        [&[0, 0, length, kind, flags, 0, 0, 0, stream], payload].concat()
    };
    let (data, headers, settings) = (0, 1, 4);
    stream.write_all(&frame(settings, 0, 0, &[]))?;
    stream.read_exact(&mut [0; "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".len()])?;
    loop {
        let mut head = [0; 9];
        stream.read_exact(&mut head)?;
        let length = u64::from(u32::from_be_bytes([0, head[0], head[1], head[2]]));
        io::copy(&mut (&mut stream).take(length), &mut io::sink())?;
        if head[3] == headers {
            // `:status: 200` and `content-type: application/grpc`, by the numbers of HPACK's table.
            let fields = [&[0x88, 0x5f, 16], &b"application/grpc"[..]].concat();
            stream.write_all(&frame(headers, 4, head[8], &fields))?;
            stream.write_all(&frame(data, 1, head[8], &[]))?;
        }
    }
}

#[tokio::test]
async fn an_answer_without_an_end_is_a_lost_connection_and_no_refusal() {
    let proxy = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = proxy.local_addr().unwrap().to_string();
    thread::spawn(move || proxy.incoming().flatten().for_each(|stream| drop(end_without_status(stream))));
    let client = Client::builder(&address).retry(RetryPolicy::none()).connect().await.unwrap();
    let call = client.list_games(ListGamesRequest::default()).await.unwrap_err();
    let stream = client.watch("id").next_event().await.unwrap_err();
    for error in [call, stream] {
        assert!(matches!(error, Error::Unreachable { .. }) && error.is_transient(), "{error:?}");
    }
}

#[tokio::test]
async fn a_lost_answer_is_asked_for_again_and_nothing_is_made_twice() {
    let service = Service::start();
    let proxy = Proxy::before(&service.address);
    let client = connect(&proxy.address()).await;
    client.list_games(ListGamesRequest::default()).await.unwrap();
    proxy.lose_the_next_answer();
    let game = client.new_match("ludus-magus").await.unwrap();
    proxy.lose_the_next_answer();
    let light = game.claim(0, "Ann").await.unwrap();
    let dark = game.claim(1, "Ben").await.unwrap();
    assert!(light.legal_moves().await.unwrap().is_complete(), "the token came with the second answer");
    proxy.lose_the_next_answer();
    assert_eq!(light.play("a1-a2").await.unwrap().events.len(), 1);
    light.view().await.unwrap();
    proxy.lose_the_next_answer();
    let renewed = light.renew_token().await.unwrap();
    assert!(renewed.view().await.unwrap().view.unwrap().viewing_seat() == Some(0));
    proxy.lose_the_next_answer();
    let forked = game.fork().await.unwrap();
    dark.resign().await.unwrap();
    assert!(proxy.connections() >= 6, "{} connections", proxy.connections());

    let direct = Client::connect(&service.address).await.unwrap();
    let log = log_of(&direct, game.match_id()).await;
    let count = |wanted: fn(&event::Kind) -> bool| {
        log.iter().filter_map(|e| e.kind.as_ref()).filter(|k| wanted(k)).count()
    };
    assert_eq!(count(|kind| matches!(kind, event::Kind::SeatClaimed(_))), 2);
    assert_eq!(count(|kind| matches!(kind, event::Kind::MoveMade(_))), 1);
    assert_eq!(count(|kind| matches!(kind, event::Kind::SeatTokenRotated(_))), 1);
    let listed = direct.list_matches(Default::default()).await.unwrap().matches;
    let mut ids: Vec<_> = listed.iter().map(|found| &*found.match_id).collect();
    ids.sort_unstable();
    assert_eq!(ids, [game.match_id(), forked.match_id()], "no match was created twice");
}

#[tokio::test]
async fn a_cut_watch_goes_on_without_a_gap_or_a_double() {
    let service = Service::start();
    let proxy = Proxy::before(&service.address);
    let direct = Client::connect(&service.address).await.unwrap();
    let [light, dark] = seats(&direct).await;
    let mut watch = connect(&proxy.address()).await.watch(light.match_id()).after(0);
    let mut seen = seqs_up_to(&mut watch, 4).await;
    for (turn, seat) in [&light, &dark, &light, &dark, &light, &dark].into_iter().enumerate() {
        let hash = suggested(seat).await;
        if turn % 2 == 0 {
            proxy.cut();
        }
        let last = seen[seen.len() - 1] + 1;
        seen.extend(seqs_up_to(&mut watch, last).await);
        assert_eq!(watch.last_hash(), Some(&*hash));
    }
    dark.resign().await.unwrap();
    seen.extend(rest_of(watch).await);
    assert_eq!(seen, (1..=11).collect::<Vec<u32>>());
    assert!(proxy.connections() >= 4);
}

#[tokio::test]
async fn a_watch_that_was_left_in_the_middle_of_a_wait_loses_nothing() {
    let service = Service::start();
    let client = Client::connect(&service.address).await.unwrap();
    let [light, dark] = seats(&client).await;
    let mut watch = light.watch().after(0);
    assert_eq!(seqs_up_to(&mut watch, 4).await, [1, 2, 3, 4]);
    timeout(Duration::from_millis(50), watch.next_event()).await.expect_err("nothing happens");
    light.play("a1-a2").await.unwrap();
    dark.resign().await.unwrap();
    assert_eq!(rest_of(watch).await, [5, 6]);
}

#[tokio::test]
async fn a_token_that_becomes_void_ends_the_watch_of_its_seat() {
    let service = Service::start();
    let client = connect(&service.address).await;
    let [light, _] = seats(&client).await;
    let mut watch = light.watch().after(0);
    assert_eq!(seqs_up_to(&mut watch, 4).await, [1, 2, 3, 4]);
    let renewed = light.renew_token().await.unwrap();
    let error = loop {
        match watch.next_event().await {
            Ok(event) => assert!(event.is_some(), "the match goes on"),
            Err(error) => break error,
        }
    };
    assert!(error.is(ErrorReason::BadToken), "{error:?}");
    let (seq, hash) = (watch.last_seq().unwrap(), watch.last_hash().unwrap().to_vec());
    let resumed = renewed.watch().after_event(seq, hash);
    renewed.resign().await.unwrap();
    assert_eq!(rest_of(resumed).await.last(), Some(&6), "the rotation and the resignation");
}

#[tokio::test]
async fn a_slow_reader_gets_everything_and_others_are_served_meanwhile() {
    let service = Service::start();
    let [light, dark] = seats(&connect(&service.address).await).await;
    let mut slow = connect(&service.address).await.watch(light.match_id()).after(0).with_views();
    assert_eq!(seqs_up_to(&mut slow, 1).await, [1]);
    let mut head = 4;
    for turn in 0..150 {
        let seat = if turn % 2 == 0 { &light } else { &dark };
        let listed = seat.legal_moves_up_to(3).await.unwrap();
        let played = seat.play(&listed.moves[listed.moves.len() - 1]).await.unwrap();
        let view = played.view.unwrap();
        head = view.seq;
        if view.result.is_some() {
            break;
        }
    }
    // A match that is over already refuses it.
    if let Ok(resigned) = light.resign().await {
        head = resigned.events[0].seq;
    }
    assert!(head > 20, "the match was too short to fill a window");
    assert_eq!(rest_of(slow).await, (2..=head).collect::<Vec<u32>>());
}

#[tokio::test]
async fn a_restart_during_a_watch_is_not_noticed() {
    let mut service = Service::start_on_disk();
    let proxy = Proxy::before(&service.address);
    let [light, dark] = seats(&connect(&proxy.address()).await).await;
    let mut watch = light.watch().after(0);
    let mut seen = seqs_up_to(&mut watch, 4).await;
    for seat in [&light, &dark] {
        service.restart();
        proxy.forward_to(&service.address);
        suggested(seat).await;
        let last = seen[seen.len() - 1] + 1;
        seen.extend(seqs_up_to(&mut watch, last).await);
    }
    service.kill();
    let resigning = tokio::spawn(async move { dark.resign().await });
    service.start_again();
    proxy.forward_to(&service.address);
    resigning.await.unwrap().unwrap();
    seen.extend(rest_of(watch).await);
    assert_eq!(seen, [1, 2, 3, 4, 5, 6, 7]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restarts_during_moves_lose_and_double_nothing() {
    let mut service = Service::start_on_disk();
    let proxy = Proxy::before(&service.address);
    let client = connect(&proxy.address()).await;
    let seats = seats(&client).await;
    let match_id = seats[0].match_id().to_owned();
    let (made, is_done) = (Arc::<AtomicUsize>::default(), Arc::<AtomicBool>::default());
    let hashes = Arc::<Mutex<Vec<Vec<u8>>>>::default();
    let player = tokio::spawn({
        let (made, is_done, hashes) = (made.clone(), is_done.clone(), hashes.clone());
        async move {
            while !is_done.load(Ordering::SeqCst) {
                let turn = made.load(Ordering::SeqCst);
                let hash = suggested(&seats[turn % 2]).await;
                hashes.lock().unwrap().push(hash);
                made.store(turn + 1, Ordering::SeqCst);
            }
        }
    });
    for _ in 0..3 {
        let reached = made.load(Ordering::SeqCst);
        while made.load(Ordering::SeqCst) < reached + 5 && !player.is_finished() {
            sleep(Duration::from_millis(2)).await;
        }
        service.restart();
        proxy.forward_to(&service.address);
    }
    is_done.store(true, Ordering::SeqCst);
    player.await.unwrap();
    let moves = log_of(&client, &match_id).await.into_iter();
    let moves = moves.filter(|event| matches!(event.kind, Some(event::Kind::MoveMade(_))));
    let logged: Vec<Vec<u8>> = moves.map(|event| event.hash).collect();
    assert_eq!(logged, *hashes.lock().unwrap());
    assert!(logged.len() >= 15, "{} moves", logged.len());
}
