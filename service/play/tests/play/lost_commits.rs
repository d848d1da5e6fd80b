//! A failover that loses acknowledged events: a replica that had them in its cache shows and extends what the
//! database has, and its watchers are told to start again.

use std::time::Duration;

use futures_util::StreamExt;
use play::{Caller, Capacity, Durations, Play, Settings};
use wire::v1::watch_match_response::Frame;
use wire::v1::{self as proto, ErrorReason};

use crate::fixture::{self, Fixture};
use crate::replicas::{Database, execute, open_slowly};

/// Removes a match's events from `first` on, and the commits that wrote them, as a failover does to a standby
/// that lagged.
async fn lose_from(database: &Database, match_id: &str, first: u32) {
    let lost = format!(
        "ALTER TABLE event DISABLE TRIGGER ALL;
         DELETE FROM commit_log c USING (
             SELECT writer, min(batch) AS batch FROM event
             WHERE match_id = '{match_id}' AND seq >= {first} GROUP BY writer) AS lost
         WHERE c.writer = lost.writer AND c.batch >= lost.batch;
         DELETE FROM event WHERE match_id = '{match_id}' AND seq >= {first};
         ALTER TABLE event ENABLE TRIGGER ALL"
    );
    execute(&database.url(), lost).await;
}

/// Starts a replica that neither hears of other replicas' commits nor sends heartbeats while a test runs.
async fn deaf_replica(database: &Database) -> Play {
    let durations = Durations { heartbeat: Duration::from_secs(3600), ..Durations::default() };
    fixture::with_settings(open_slowly(database).await, Settings { durations, ..Settings::default() }).await
}

async fn replica(database: &Database) -> Play {
    fixture::on(fixture::open(&database.url()).await, Capacity::default()).await
}

async fn view(play: &Play, caller: &Caller, match_id: &str) -> proto::GetViewResponse {
    let request = proto::GetViewRequest { match_id: match_id.to_owned(), ..Default::default() };
    play.get_view(caller, request).await.unwrap()
}

async fn watch(play: &Play, match_id: &str, after: Option<u32>) -> play::Watch {
    let request = proto::WatchMatchRequest {
        match_id: match_id.to_owned(),
        after_seq: after,
        include_view: false,
        after_hash: None,
    };
    play.watch_match(&Caller::anonymous(), request).await.unwrap()
}

/// Reads frames until the watch ends. Returns the seqs of its events and why it ended.
async fn rest(mut watch: play::Watch) -> (Vec<u32>, Option<ErrorReason>) {
    let mut seqs = Vec::new();
    while let Some(frame) = watch.next().await {
        match frame {
            Ok(frame) => seqs.extend(match frame.frame {
                Some(Frame::Event(event)) => Some(event.seq),
                _ => None,
            }),
            Err(refusal) => return (seqs, Some(refusal.reason)),
        }
    }
    (seqs, None)
}

/// A match of which `stale` has ten events, while the database has eight and, if `replaced`, two others.
async fn lost(database: &Database, replaced: bool) -> (Play, Fixture) {
    let (first, stale) = (replica(database).await, deaf_replica(database).await);
    let fixture = Fixture::start(&first, 9).await;
    fixture.play_turn(&first).await;
    // Event 8 is the Angels' second choice, 9 and 10 are the Demons' and the reveal.
    fixture.submit(&first, &fixture.angels, "2,2").await.unwrap();
    fixture.submit(&first, &fixture.demons, "4,4").await.unwrap();
    assert_eq!(view(&stale, &fixture.angels, &fixture.match_id).await.head_seq, 10);
    drop(first);
    lose_from(database, &fixture.match_id, 9).await;
    if replaced {
        let third = replica(database).await;
        fixture.submit(&third, &fixture.demons, "2,4").await.unwrap();
        assert_eq!(fixture.events(&third).await.len(), 10);
    }
    (stale, fixture)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stale_replica_shows_what_the_database_has() {
    for replaced in [false, true] {
        let Some(database) = Database::create().await else { return };
        let (stale, fixture) = lost(&database, replaced).await;
        let truth = replica(&database).await;
        let shown = view(&stale, &fixture.angels, &fixture.match_id).await;
        assert_eq!(shown.head_seq, if replaced { 10 } else { 8 });
        assert_eq!(shown.view, view(&truth, &fixture.angels, &fixture.match_id).await.view);
        assert_eq!(fixture.events(&stale).await, fixture.events(&truth).await);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_on_a_stale_replica_is_judged_on_what_the_database_has() {
    for replaced in [false, true] {
        let Some(database) = Database::create().await else { return };
        let (stale, fixture) = lost(&database, replaced).await;
        // On the lost events a third turn has begun, on the others too, else it is the Demons' second choice.
        let (caller, seq) = if replaced { (&fixture.angels, 11) } else { (&fixture.demons, 9) };
        let accepted = fixture.submit(&stale, caller, "3,3").await.unwrap();
        assert_eq!(accepted.events[0].seq, seq);
        let truth = replica(&database).await;
        assert_eq!(fixture.events(&stale).await, fixture.events(&truth).await);
        // The log replays, and the match goes on anywhere.
        let other = if replaced { &fixture.demons } else { &fixture.angels };
        fixture.submit(&truth, other, "1,3").await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refusal_on_a_stale_replica_comes_from_what_the_database_has() {
    let Some(database) = Database::create().await else { return };
    let (stale, fixture) = lost(&database, false).await;
    // On the lost events the Angels could choose again; in the database their choice is sealed.
    let refusal = fixture.submit(&stale, &fixture.angels, "3,3").await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::NotYourTurn);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retry_of_a_lost_move_makes_it_again() {
    let Some(database) = Database::create().await else { return };
    let (first, stale) = (replica(&database).await, deaf_replica(&database).await);
    let fixture = Fixture::start(&first, 9).await;
    let moved = fixture::submit(&fixture.match_id, "1,1", Some(uuid::Uuid::new_v4()));
    let lost = first.submit_move(&fixture.angels, moved.clone()).await.unwrap();
    assert_eq!(view(&stale, &fixture.angels, &fixture.match_id).await.head_seq, 5);
    drop(first);
    lose_from(&database, &fixture.match_id, 5).await;
    let made = stale.submit_move(&fixture.angels, moved).await.unwrap();
    assert_eq!((made.events[0].seq, lost.events[0].seq), (5, 5));
    assert_ne!(made.events[0].hash, lost.events[0].hash);
    assert_eq!(fixture.events(&replica(&database).await).await.len(), 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_watchers_of_a_lost_history_are_told_to_start_again() {
    for replaced in [false, true] {
        let Some(database) = Database::create().await else { return };
        let (first, stale) = (replica(&database).await, deaf_replica(&database).await);
        let fixture = Fixture::start(&first, 9).await;
        fixture.play_turn(&first).await;
        let match_id = &fixture.match_id;
        // Two that have seen everything, and one that has read nothing yet.
        let (mut seen, slow) =
            (watch(&stale, match_id, Some(4)).await, watch(&stale, match_id, Some(0)).await);
        for _ in 0..4 {
            seen.next().await.unwrap().unwrap();
        }
        drop(first);
        lose_from(&database, match_id, 6).await;
        if replaced {
            fixture.submit(&replica(&database).await, &fixture.demons, "2,4").await.unwrap();
        }
        // Any call makes the replica notice.
        let head = view(&stale, &fixture.angels, match_id).await.head_seq;
        assert_eq!(head, if replaced { 7 } else { 5 });
        assert_eq!(rest(seen).await, (vec![], Some(ErrorReason::HistoryChanged)));
        assert_eq!(rest(slow).await.1, Some(ErrorReason::HistoryChanged));
        // Starting again shows what the database has.
        let mut again = watch(&stale, match_id, Some(0)).await;
        again.next().await.unwrap().unwrap();
        for seq in 1..=head {
            let Some(Frame::Event(event)) = again.next().await.unwrap().unwrap().frame else { panic!() };
            assert_eq!(event.seq, seq);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watch_notices_the_loss_of_its_match_at_the_next_heartbeat() {
    let Some(database) = Database::create().await else { return };
    let first = replica(&database).await;
    let durations = Durations { heartbeat: Duration::from_millis(300), ..Durations::default() };
    let settings = Settings { durations, ..Settings::default() };
    let stale = fixture::with_settings(open_slowly(&database).await, settings).await;
    let (shortened, vanished) = (Fixture::start(&first, 9).await, Fixture::start(&first, 9).await);
    shortened.play_turn(&first).await;
    let watches =
        [watch(&stale, &shortened.match_id, None).await, watch(&stale, &vanished.match_id, None).await];
    drop(first);
    lose_from(&database, &shortened.match_id, 6).await;
    lose_from(&database, &vanished.match_id, 1).await;
    let drop_row = format!("DELETE FROM match WHERE match_id = '{}'", vanished.match_id);
    execute(&database.url(), drop_row).await;
    for watch in watches {
        assert_eq!(rest(watch).await, (vec![], Some(ErrorReason::HistoryChanged)));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reconnect_without_a_loss_ends_no_watch() {
    let Some(database) = Database::create().await else { return };
    let play = replica(&database).await;
    let fixture = Fixture::start(&play, 1).await;
    let watch = watch(&play, &fixture.match_id, Some(0)).await;
    let cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    execute(&database.url(), cut.to_owned()).await;
    fixture.play_turn(&play).await;
    assert_eq!(rest(watch).await, ((1..=8).collect(), None));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_feed_ends_when_the_database_lost_what_it_sent() {
    let Some(database) = Database::create().await else { return };
    let (first, reading) = (replica(&database).await, replica(&database).await);
    let request = proto::StreamFeedRequest::default();
    let mut feed = reading.stream_feed(&Caller::anonymous(), request).await.unwrap();
    let fixture = Fixture::start(&first, 9).await;
    let mut events = 0;
    while events < 4 {
        let frame = feed.next().await.unwrap().unwrap().frame;
        events += usize::from(matches!(frame, Some(proto::stream_feed_response::Frame::Event(_))));
    }
    // Without a loss, the feed survives lost connections.
    let cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    execute(&database.url(), cut.to_owned()).await;
    fixture.submit(&first, &fixture.angels, "1,1").await.unwrap();
    while events < 5 {
        let frame = feed.next().await.unwrap().unwrap().frame;
        events += usize::from(matches!(frame, Some(proto::stream_feed_response::Frame::Event(_))));
    }
    drop(first);
    lose_from(&database, &fixture.match_id, 4).await;
    let end = loop {
        if let Err(refusal) = feed.next().await.unwrap() {
            break refusal;
        }
    };
    assert_eq!(end.reason, ErrorReason::HistoryChanged);
    assert!(feed.next().await.is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_resumes_after_a_lost_event_is_told_on_every_replica() {
    for replaced in [false, true] {
        let Some(database) = Database::create().await else { return };
        let (first, stale) = (replica(&database).await, deaf_replica(&database).await);
        let fixture = Fixture::start(&first, 9).await;
        fixture.play_turn(&first).await;
        let seen = fixture.events(&stale).await;
        drop(first);
        lose_from(&database, &fixture.match_id, 6).await;
        let fresh = replica(&database).await;
        if replaced {
            fixture.submit(&fresh, &fixture.demons, "2,4").await.unwrap();
        }
        // The stale replica still has the lost events in memory.
        for play in [&stale, &fresh] {
            for event in &seen[3..] {
                let request = proto::WatchMatchRequest {
                    match_id: fixture.match_id.clone(),
                    after_seq: Some(event.seq),
                    after_hash: Some(event.hash.clone()),
                    ..Default::default()
                };
                let watched = play.watch_match(&Caller::anonymous(), request).await;
                let reason = watched.err().map(|refusal| refusal.reason);
                let lost = (event.seq > 5).then_some(ErrorReason::HistoryChanged);
                assert_eq!(reason, lost, "after event {}", event.seq);
            }
        }
    }
}
