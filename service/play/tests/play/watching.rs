//! Watchers see each event once and in order, however slow they are and wherever they start.

use std::time::Duration;

use futures_util::StreamExt;
use play::{Caller, Capacity, Durations, Play, Settings, StreamKind};
use wire::v1::watch_match_response::Frame;
use wire::v1::{self as proto, ErrorReason};

use crate::fixture::{self, Fixture};

async fn watch(play: &Play, caller: &Caller, fixture: &Fixture, after_seq: Option<u32>) -> play::Watch {
    let match_id = fixture.match_id.clone();
    let request = proto::WatchMatchRequest { match_id, after_seq, include_view: false, after_hash: None };
    play.watch_match(caller, request).await.unwrap()
}

async fn watch_with_views(play: &Play, caller: &Caller, fixture: &Fixture, after: u32) -> play::Watch {
    let match_id = fixture.match_id.clone();
    let request =
        proto::WatchMatchRequest { match_id, after_seq: Some(after), include_view: true, after_hash: None };
    play.watch_match(caller, request).await.unwrap()
}

async fn remaining(watch: play::Watch) -> Vec<proto::WatchMatchResponse> {
    watch.map(Result::unwrap).collect().await
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
        let Some(Frame::Start(start)) = &frames[0].frame else { panic!("expected the start first") };
        assert_eq!(frames[0].view.as_ref().map_or(0, |view| view.seq), after);
        assert_eq!(start.head_seq, head);
        let events: Vec<_> = frames[1..]
            .iter()
            .map(|frame| match frame {
                proto::WatchMatchResponse { frame: Some(Frame::Event(event)), view: None, .. } => {
                    event.clone()
                }
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(events, all[after as usize..]);
    }
}

/// Compares the views of a watch's frames with those that `GetView` returns to the same caller.
async fn assert_views_of_get_view(
    play: &Play,
    caller: &Caller,
    fixture: &Fixture,
    frames: &[proto::WatchMatchResponse],
) {
    for response in frames {
        let seq = match response.frame.as_ref().unwrap() {
            Frame::Start(_) => response.view.as_ref().map_or(0, |view| view.seq),
            Frame::Event(event) => event.seq,
            Frame::Heartbeat(_) => panic!("no heartbeat is due"),
        };
        let request = proto::GetViewRequest {
            match_id: fixture.match_id.clone(),
            at_seq: Some(seq),
            ..Default::default()
        };
        let expected = if seq == 0 { None } else { play.get_view(caller, request).await.unwrap().view };
        assert_eq!(response.view, expected, "event {seq}");
    }
}

#[tokio::test]
async fn a_watch_with_views_shows_each_position_as_get_view_does_however_late_it_reads() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 9).await;
    let callers = [Caller::anonymous(), fixture.angels.clone(), fixture.demons.clone()];
    let mut prompt = Vec::new();
    for (caller, after) in callers.iter().zip([4, 4, 4]) {
        prompt.push((caller, watch_with_views(&play, caller, &fixture, after).await, Vec::new()));
    }
    let mut late = Vec::new();
    for caller in &callers {
        for after in 0..=4 {
            late.push((caller, watch_with_views(&play, caller, &fixture, after).await));
        }
    }
    for turn in 0..9 {
        fixture.play_turn(&play).await;
        // A turn is three events, and the last one ends the match too.
        let count = if turn == 0 { 4 } else { 3 };
        for (_, watch, seen) in &mut prompt {
            seen.extend(watch.take(count).map(Result::unwrap).collect::<Vec<_>>().await);
        }
    }
    for (caller, watch, mut seen) in prompt {
        seen.extend(remaining(watch).await);
        assert_eq!(seen.len(), 1 + 9 * 3 + 1);
        assert_views_of_get_view(&play, caller, &fixture, &seen).await;
    }
    for (caller, watch) in late {
        let frames = remaining(watch).await;
        assert_views_of_get_view(&play, caller, &fixture, &frames).await;
    }
}

#[tokio::test]
async fn spectators_are_counted_and_seats_are_not() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 1).await;
    let count = async || {
        let request = proto::GetMatchRequest { match_id: fixture.match_id.clone() };
        play.get_match(&fixture.angels, request).await.unwrap().spectator_count
    };
    assert_eq!(count().await, 0);
    let first = watch(&play, &Caller::anonymous(), &fixture, None).await;
    let second = watch(&play, &Caller::anonymous(), &fixture, Some(1)).await;
    let seat = watch(&play, &fixture.demons, &fixture, None).await;
    assert_eq!(count().await, 2);
    drop((first, seat));
    assert_eq!(count().await, 1);
    drop(second);
    assert_eq!(count().await, 0);
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
    let request = proto::WatchMatchRequest {
        match_id: fixture.match_id.clone(),
        after_seq: None,
        include_view: false,
        after_hash: None,
    };
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
    assert_eq!(counts(), [0, 0, 0, 0]);
    let first = watch(&play, &caller, &fixture, None).await;
    let second = watch(&play, &caller, &fixture, None).await;
    let request = proto::ExportLogRequest { match_id: fixture.match_id.clone() };
    let export = play.export_log(&caller, request).await.unwrap();
    let feed = play.stream_feed(&caller, proto::StreamFeedRequest::default()).await.unwrap();
    assert_eq!(counts(), [2, 1, 1, 0]);
    assert!(play.stream_feed(&caller, proto::StreamFeedRequest::default()).await.is_err());
    drop(first);
    assert_eq!(counts(), [1, 1, 1, 0], "a refused stream is not counted");
    drop((second, export));
    assert_eq!(counts(), [0, 0, 1, 0]);
    drop(feed);
    assert_eq!(counts(), [0, 0, 0, 0]);
}

/// Watches after an event with this hash; returns the reason and the first field of a refusal.
async fn after_hash(
    play: &Play,
    fixture: &Fixture,
    after_seq: Option<u32>,
    hash: Vec<u8>,
) -> Result<(), (ErrorReason, Option<String>)> {
    let request = proto::WatchMatchRequest {
        match_id: fixture.match_id.clone(),
        after_seq,
        after_hash: Some(hash),
        ..Default::default()
    };
    let refused = |refusal: play::Refusal| {
        let field = refusal.fields.first().map(|violation| violation.field.clone());
        (refusal.reason, field)
    };
    let mut watch = play.watch_match(&fixture.angels, request).await.map_err(refused)?;
    watch.next().await.unwrap().map(|_| ()).map_err(refused)
}

#[tokio::test]
async fn a_watch_continues_only_after_the_event_that_was_seen() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 7).await;
    fixture.play_turn(&play).await;
    let events = fixture.events(&play).await;
    for event in &events {
        let seq = Some(event.seq);
        assert_eq!(after_hash(&play, &fixture, seq, event.hash.clone()).await, Ok(()));
        let mut other = event.hash.clone();
        other[31] ^= 1;
        let lost = Err((ErrorReason::HistoryChanged, None));
        assert_eq!(after_hash(&play, &fixture, seq, other).await, lost);
    }
    let last = events.last().unwrap();
    // The caller has seen an event that the database doesn't have any more.
    let beyond = after_hash(&play, &fixture, Some(last.seq + 1), last.hash.clone()).await;
    assert_eq!(beyond, Err((ErrorReason::HistoryChanged, None)));
    let invalid = Err((ErrorReason::InvalidArgument, Some("after_hash".to_owned())));
    for (seq, hash) in [
        (None, last.hash.clone()),
        (Some(0), last.hash.clone()),
        (Some(1), vec![]),
        (Some(1), vec![0; 31]),
        (Some(u32::MAX), vec![0; 33]),
    ] {
        assert_eq!(after_hash(&play, &fixture, seq, hash).await, invalid);
    }
}

#[tokio::test]
async fn the_first_frame_has_the_hash_to_resume_with() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 7).await;
    let events = fixture.events(&play).await;
    for after in [None, Some(0), Some(1), Some(2)] {
        let mut watch = watch(&play, &fixture.angels, &fixture, after).await;
        let Some(Frame::Start(start)) = watch.next().await.unwrap().unwrap().frame else { panic!() };
        let seq = after.unwrap_or(start.head_seq) as usize;
        let expected = seq.checked_sub(1).map(|index| events[index].hash.clone()).unwrap_or_default();
        assert_eq!(start.after_hash, expected);
    }
}
