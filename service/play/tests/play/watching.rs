//! Watchers see each event once and in order, however slow they are and wherever they start.

use std::time::Duration;

use futures_util::StreamExt;
use play::{Caller, Capacity, Durations, Play, Settings, StreamKind};
use wire::v1::watch_match_response::Frame;
use wire::v1::{self as proto, ErrorReason};

use crate::fixture::{self, Fixture};

async fn watch(play: &Play, caller: &Caller, fixture: &Fixture, after_seq: Option<u32>) -> play::Watch {
    let request = proto::WatchMatchRequest { match_id: fixture.match_id.clone(), after_seq };
    play.watch_match(caller, request).await.unwrap()
}

async fn remaining(watch: play::Watch) -> Vec<Frame> {
    watch.map(|frame| frame.unwrap().frame.unwrap()).collect().await
}

#[tokio::test]
async fn watches_from_every_seq_see_the_same_events() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 7).await;
    let head = u32::try_from(fixture.events(&play).await.len()).unwrap();
    let mut watches = Vec::new();
    for after in 0..=head {
        watches.push((after, watch(&play, &fixture.demons, &fixture, Some(after)).await));
    }
    // Append more events than a live head keeps, before any watcher reads.
    for _ in 0..7 {
        fixture.play_turn(&play).await;
    }
    let request =
        proto::ListEventsRequest { match_id: fixture.match_id.clone(), page_size: 500, ..Default::default() };
    let all = play.list_events(&fixture.demons, request).await.unwrap().events;
    for (after, watch) in watches {
        let frames = remaining(watch).await;
        let Frame::Start(start) = &frames[0] else { panic!("expected the start as the first frame") };
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
async fn an_idle_watch_gets_heartbeats() {
    let durations = Durations { heartbeat: Duration::from_secs(5), ..Durations::default() };
    let settings = Settings { durations, ..Settings::default() };
    let play = fixture::with_settings(fixture::open("memory:").await, settings).await;
    let fixture = Fixture::start(&play, 1).await;
    let mut watch = watch(&play, &Caller::anonymous(), &fixture, None).await;
    assert!(matches!(watch.next().await.unwrap().unwrap().frame, Some(Frame::Start(_))));
    for _ in 0..3 {
        let Some(Frame::Heartbeat(beat)) = watch.next().await.unwrap().unwrap().frame else {
            panic!("expected a heartbeat")
        };
        assert_eq!(beat.head_seq, 4);
    }
}

#[tokio::test]
async fn watches_are_bounded_and_end_at_shutdown() {
    let play = fixture::with_capacity(Capacity { streams: 1, ..Capacity::default() }).await;
    let fixture = Fixture::start(&play, 1).await;
    let mut open = watch(&play, &Caller::anonymous(), &fixture, None).await;
    open.next().await.unwrap().unwrap();
    let request = proto::WatchMatchRequest { match_id: fixture.match_id.clone(), after_seq: None };
    let refusal = play.watch_match(&Caller::anonymous(), request.clone()).await.err().unwrap();
    assert_eq!(refusal.reason, ErrorReason::TooManyStreams);
    assert!(refusal.retry_after.is_some());

    play.shut_down();
    let last = open.next().await.unwrap().unwrap_err();
    assert_eq!(last.reason, ErrorReason::ShuttingDown);
    assert!(open.next().await.is_none());
    drop(open);
    assert!(
        play.watch_match(&Caller::anonymous(), request).await.is_ok(),
        "the closed watch must free its permit"
    );
}

#[tokio::test]
async fn open_streams_are_counted_by_kind() {
    let play = fixture::with_capacity(Capacity { streams: 4, ..Capacity::default() }).await;
    let fixture = Fixture::start(&play, 1).await;
    let caller = Caller::anonymous();
    let counts = || StreamKind::ALL.map(|kind| play.open_streams(kind));
    assert_eq!(counts(), [0, 0, 0]);
    let first = watch(&play, &caller, &fixture, None).await;
    let second = watch(&play, &caller, &fixture, None).await;
    let request = proto::ExportLogRequest { match_id: fixture.match_id.clone() };
    let export = play.export_log(&caller, request).await.unwrap();
    let feed = play.stream_feed(&caller, proto::StreamFeedRequest::default()).await.unwrap();
    assert_eq!(counts(), [2, 1, 1]);
    assert!(play.stream_feed(&caller, proto::StreamFeedRequest::default()).await.is_err());
    drop(first);
    assert_eq!(counts(), [1, 1, 1], "a refused stream is not counted");
    drop((second, export));
    assert_eq!(counts(), [0, 0, 1]);
    drop(feed);
    assert_eq!(counts(), [0, 0, 0]);
}
