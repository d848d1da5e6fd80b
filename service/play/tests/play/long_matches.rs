//! The past of a long match: positions and events in the middle are those that were shown when they were new.

use futures_util::StreamExt;
use play::{Caller, Capacity};
use wire::v1 as proto;
use wire::v1::watch_match_response::Frame;

use crate::fixture::{self, Fixture};

/// Three events each.
const TURNS: u32 = 150;

/// Plays a long match with so many checkpoints that most were dropped again, and returns what a watcher saw
/// of it: each event, with the view after it.
async fn watched_match(play: &play::Play) -> (Fixture, Vec<(proto::Event, proto::View)>) {
    let fixture = Fixture::start(play, TURNS).await;
    let match_id = fixture.match_id.clone();
    let request =
        proto::WatchMatchRequest { match_id, after_seq: Some(4), include_view: true, after_hash: None };
    let watch = play.watch_match(&Caller::anonymous(), request).await.unwrap();
    for _ in 0..TURNS {
        fixture.play_turn(play).await;
    }
    let frames: Vec<_> = watch.map(Result::unwrap).collect().await;
    let shown = frames.into_iter().filter_map(|frame| match frame.frame {
        Some(Frame::Event(event)) => Some((event, frame.view.unwrap())),
        _ => None,
    });
    (fixture, shown.collect())
}

#[tokio::test]
async fn every_past_position_and_event_is_the_one_that_was_shown() {
    let capacity = || Capacity { checkpoint_interval: 1, ..Capacity::default() };
    let journal = fixture::open("memory:").await;
    let play = fixture::on(journal.clone(), capacity()).await;
    let (fixture, shown) = watched_match(&play).await;
    assert_eq!(shown.len(), TURNS as usize * 3 + 1, "the turns, and the end");
    play.shut_down();
    // Once with the checkpoints of a match that was played here, once with those of one that was read.
    for play in [play, fixture::on(journal, capacity()).await] {
        for (event, view) in &shown {
            let request = proto::GetViewRequest {
                match_id: fixture.match_id.clone(),
                at_seq: Some(event.seq),
                ..Default::default()
            };
            assert_eq!(&play.get_view(&Caller::anonymous(), request).await.unwrap().view.unwrap(), view);
            let request = proto::ListEventsRequest {
                match_id: fixture.match_id.clone(),
                after_seq: event.seq - 1,
                page_size: 1,
                ..Default::default()
            };
            let page = play.list_events(&Caller::anonymous(), request).await.unwrap();
            assert_eq!(page.events, std::slice::from_ref(event));
        }
    }
}
