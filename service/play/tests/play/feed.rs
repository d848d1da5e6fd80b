//! The feed has every event of the matches that its reader may read, once and in order, from any cursor on.

use futures_util::StreamExt;
use play::{Caller, Play};
use wire::v1::stream_feed_response::Frame;
use wire::v1::{self as proto, ErrorReason, Visibility};

use crate::fixture::{self, Fixture};
use crate::keyed::Keyed;

fn request(after: &str, follow: bool) -> proto::StreamFeedRequest {
    proto::StreamFeedRequest { after: after.to_owned(), follow: Some(follow) }
}

/// Reads the feed from a cursor to its present end.
async fn read(play: &Play, caller: &Caller, after: &str) -> Vec<proto::StreamFeedResponse> {
    let feed = play.stream_feed(caller, request(after, false)).await.unwrap();
    feed.map(Result::unwrap).collect().await
}

/// Returns the match and the seq of each event, and whether the last frame says that there are no more.
fn content(frames: &[proto::StreamFeedResponse]) -> (Vec<(String, u32)>, bool) {
    let event = |frame: &proto::StreamFeedResponse| match &frame.frame {
        Some(Frame::Event(event)) => Some((event.match_id.clone(), event.event.as_ref().unwrap().seq)),
        _ => None,
    };
    let last = frames.last().and_then(|frame| frame.frame.clone());
    let complete = matches!(last, Some(Frame::Heartbeat(heartbeat)) if heartbeat.caught_up);
    (frames.iter().filter_map(event).collect(), complete)
}

#[tokio::test]
async fn each_cursor_continues_the_feed_without_a_gap() {
    let play = fixture::in_memory().await;
    let [one, two] = [Fixture::start(&play, 3).await, Fixture::start(&play, 3).await];
    one.play_turn(&play).await;
    two.play_turn(&play).await;
    one.play_turn(&play).await;

    let frames = read(&play, &Caller::anonymous(), "").await;
    let (events, complete) = content(&frames);
    assert!(complete);
    for fixture in [&one, &two] {
        let expected: Vec<u32> = (1..).take(fixture.events(&play).await.len()).collect();
        let seqs = events.iter().filter(|(id, _)| *id == fixture.match_id).map(|(_, seq)| *seq);
        assert_eq!(seqs.collect::<Vec<u32>>(), expected);
    }
    for (index, frame) in frames.iter().take(events.len()).enumerate() {
        let (rest, complete) = content(&read(&play, &Caller::anonymous(), &frame.cursor).await);
        assert!(complete);
        assert_eq!(rest, events[index + 1..]);
    }
}

#[tokio::test]
async fn a_feed_that_follows_gets_later_events() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 3).await;
    let before = read(&play, &Caller::anonymous(), "").await;
    let cursor = &before.last().unwrap().cursor;
    let mut feed = play.stream_feed(&Caller::anonymous(), request(cursor, true)).await.unwrap();
    assert!(matches!(feed.next().await.unwrap().unwrap().frame, Some(Frame::Heartbeat(_))));
    fixture.submit(&play, &fixture.angels, "1,1").await.unwrap();
    let (events, _) = content(&[feed.next().await.unwrap().unwrap()]);
    let seq = u32::try_from(fixture.events(&play).await.len()).unwrap();
    assert_eq!(events, [(fixture.match_id.clone(), seq)]);
    play.shut_down();
    let refusal = feed.next().await.unwrap().unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::ShuttingDown);
}

#[tokio::test]
async fn a_cursor_whose_event_another_database_has_is_refused() {
    let [here, there] = [fixture::in_memory().await, fixture::in_memory().await];
    Fixture::start(&here, 3).await;
    Fixture::start(&there, 3).await;
    let foreign = read(&there, &Caller::anonymous(), "").await.pop().unwrap().cursor;
    let refusal = here.stream_feed(&Caller::anonymous(), request(&foreign, false)).await.err().unwrap();
    assert_eq!(refusal.reason, ErrorReason::InvalidArgument);
    assert_eq!(refusal.fields[0].field, "after");
}

#[tokio::test]
async fn the_feed_is_limited_to_what_the_key_may_read() {
    let keyed = Keyed::start().await;
    let id = keyed.create(Visibility::Private).await;
    for (caller, expected) in [(&keyed.app, 1), (&keyed.other_app, 0), (&keyed.audit, 1), (&keyed.admin, 1)] {
        let (events, complete) = content(&read(&keyed.play, caller, "").await);
        assert!(complete);
        assert_eq!(events, vec![(id.clone(), 1); expected]);
    }
    let refused = keyed.play.stream_feed(&Caller::anonymous(), request("", false)).await.err().unwrap();
    assert_eq!(refused.reason, ErrorReason::MissingKey);
}
