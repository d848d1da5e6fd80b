//! A small cache of live matches has no visible effect.

use std::sync::Arc;

use futures_util::StreamExt;
use play::{Caller, Capacity};
use tokio::task::JoinSet;
use wire::v1 as proto;

use crate::fixture::{self, Fixture};

fn room_for_one() -> Capacity {
    Capacity { live_matches: 1, ..Capacity::default() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_matches_are_played_with_a_cache_for_one() {
    let play = fixture::with_capacity(room_for_one()).await;
    let mut players = JoinSet::new();
    for _ in 0..24 {
        let play = play.clone();
        players.spawn(async move {
            let fixture = Fixture::start(&play, 6).await;
            for _ in 0..6 {
                fixture.play_turn(&play).await;
            }
            fixture.events(&play).await
        });
    }
    while let Some(events) = players.join_next().await {
        let events = events.unwrap();
        assert_eq!(events.len(), 4 + 6 * 3 + 1);
        assert!(events.iter().zip(1..).all(|(event, seq)| event.seq == seq));
    }
}

#[tokio::test]
async fn a_watched_match_keeps_its_watchers_when_it_leaves_the_cache() {
    let play = fixture::with_capacity(room_for_one()).await;
    let fixture = Arc::new(Fixture::start(&play, 2).await);
    let request = proto::WatchMatchRequest {
        match_id: fixture.match_id.clone(),
        after_seq: Some(4),
        include_view: false,
    };
    let mut watch = play.watch_match(&Caller::anonymous(), request).await.unwrap();
    for _ in 0..8 {
        Fixture::start(&play, 1).await;
    }
    fixture.play_turn(&play).await;
    fixture.play_turn(&play).await;
    let mut seqs = Vec::new();
    while let Some(frame) = watch.next().await {
        if let Some(proto::watch_match_response::Frame::Event(event)) = frame.unwrap().frame {
            seqs.push(event.seq);
        }
    }
    assert_eq!(seqs, (5..=11).collect::<Vec<_>>());
}
