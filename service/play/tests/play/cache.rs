//! The cache is bounded, and nobody notices.

use std::sync::Arc;

use futures_util::StreamExt;
use play::{Caller, Limits};
use tokio::task::JoinSet;
use wire::v1 as proto;

use crate::table::{self, Table};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_matches_go_on_with_room_for_one() {
    let play = table::with_limits(Limits { live_matches: 1, ..Limits::default() }).await;
    let mut players = JoinSet::new();
    for _ in 0..24 {
        let play = play.clone();
        players.spawn(async move {
            let table = Table::start(&play, 6).await;
            for _ in 0..6 {
                table.turn(&play).await;
            }
            table.events(&play).await
        });
    }
    while let Some(events) = players.join_next().await {
        let events = events.unwrap();
        assert_eq!(events.len(), 4 + 6 * 3 + 1);
        assert!(events.iter().zip(1..).all(|(event, seq)| event.seq == seq));
    }
}

#[tokio::test]
async fn a_watched_match_stays_the_same_match_when_others_push_it_out() {
    let play = table::with_limits(Limits { live_matches: 1, ..Limits::default() }).await;
    let table = Arc::new(Table::start(&play, 2).await);
    let request = proto::WatchMatchRequest { match_id: table.match_id.clone(), after_seq: Some(4) };
    let mut watch = play.watch_match(&Caller::anonymous(), request).await.unwrap();
    for _ in 0..8 {
        Table::start(&play, 1).await;
    }
    table.turn(&play).await;
    table.turn(&play).await;
    let mut seqs = Vec::new();
    while let Some(frame) = watch.next().await {
        if let Some(proto::watch_match_response::Frame::Event(event)) = frame.unwrap().frame {
            seqs.push(event.seq);
        }
    }
    assert_eq!(seqs, (5..=11).collect::<Vec<_>>());
}
