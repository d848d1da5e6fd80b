//! Watchers see each event once and in order, however slow they are and wherever
//! they begin.

use std::time::Duration;

use futures_util::StreamExt;
use play::{Caller, Limits, Play};
use wire::v1::watch_match_response::Frame;
use wire::v1::{self as proto, ErrorReason};

use crate::table::{self, Table};

async fn watch(play: &Play, caller: &Caller, table: &Table, after_seq: Option<u32>) -> play::Watch {
    let request = proto::WatchMatchRequest { match_id: table.match_id.clone(), after_seq };
    play.watch_match(caller, request).await.unwrap()
}

async fn rest(watch: play::Watch) -> Vec<Frame> {
    watch.map(|frame| frame.unwrap().frame.unwrap()).collect().await
}

#[tokio::test]
async fn from_every_point_of_a_match_the_same_events_follow() {
    let play = table::in_memory().await;
    let table = Table::start(&play, 7).await;
    let head = u32::try_from(table.events(&play).await.len()).unwrap();
    let mut watches = Vec::new();
    for after in 0..=head {
        watches.push((after, watch(&play, &table.demons, &table, Some(after)).await));
    }
    // More events than a head keeps at hand, and nobody reads yet.
    for _ in 0..7 {
        table.turn(&play).await;
    }
    let request = proto::ListEventsRequest {
        match_id: table.match_id.clone(),
        page_size: Some(500),
        ..Default::default()
    };
    let all = play.list_events(&table.demons, request).await.unwrap().events;
    for (after, watch) in watches {
        let frames = rest(watch).await;
        let Frame::Start(start) = &frames[0] else { panic!("the first frame is the start") };
        assert_eq!(start.view.as_ref().map_or(0, |view| view.seq), after);
        assert_eq!(start.head_seq, head);
        let events: Vec<_> = frames[1..]
            .iter()
            .map(|frame| match frame {
                Frame::Event(event) => event.clone(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(events, all[after as usize..]);
    }
}

#[tokio::test(start_paused = true)]
async fn silence_is_broken_by_heartbeats() {
    let play = table::with_limits(Limits { heartbeat: Duration::from_secs(5), ..Limits::default() }).await;
    let table = Table::start(&play, 1).await;
    let mut watch = watch(&play, &Caller::anonymous(), &table, None).await;
    assert!(matches!(watch.next().await.unwrap().unwrap().frame, Some(Frame::Start(_))));
    for _ in 0..3 {
        let Some(Frame::Heartbeat(beat)) = watch.next().await.unwrap().unwrap().frame else {
            panic!("not a heartbeat")
        };
        assert_eq!(beat.head_seq, 4);
    }
}

#[tokio::test]
async fn watches_are_counted_and_end_with_the_service() {
    let play = table::with_limits(Limits { watches: 1, ..Limits::default() }).await;
    let table = Table::start(&play, 1).await;
    let mut open = watch(&play, &Caller::anonymous(), &table, None).await;
    open.next().await.unwrap().unwrap();
    let request = proto::WatchMatchRequest { match_id: table.match_id.clone(), after_seq: None };
    let refusal = play.watch_match(&Caller::anonymous(), request.clone()).await.err().unwrap();
    assert_eq!(refusal.reason, ErrorReason::TooManyStreams);
    assert!(refusal.retry_after.is_some());

    play.end_watches();
    let last = open.next().await.unwrap().unwrap_err();
    assert_eq!(last.reason, ErrorReason::ShuttingDown);
    assert!(open.next().await.is_none());
    drop(open);
    assert!(play.watch_match(&Caller::anonymous(), request).await.is_ok(), "its place is free again");
}
