//! A small cache of live matches has no visible effect.

use std::sync::Arc;

use futures_util::StreamExt;
use play::{Caller, Capacity, Play, Refusal, ShareHolder, Watch};
use tokio::task::JoinSet;
use wire::v1::{self as proto, ErrorReason, Visibility};

use crate::fixture::{self, Fixture};
use crate::keyed::Keyed;

fn room_for_few() -> Capacity {
    Capacity { live_bytes: 32 << 10, ..Capacity::default() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_matches_are_played_with_a_cache_for_few() {
    let play = fixture::with_capacity(room_for_few()).await;
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
    let play = fixture::with_capacity(room_for_few()).await;
    let fixture = Arc::new(Fixture::start(&play, 2).await);
    let request = proto::WatchMatchRequest {
        match_id: fixture.match_id.clone(),
        after_seq: Some(4),
        include_view: false,
        after_hash: None,
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

#[tokio::test]
async fn the_cache_is_bounded_in_bytes() {
    const BYTES: u64 = 4 << 20;
    let play = fixture::with_capacity(Capacity { live_bytes: BYTES, ..Capacity::default() }).await;
    for _ in 0..1_000 {
        play.create_match(&Caller::anonymous(), fixture::create(1)).await.unwrap();
    }
    let small = play.live_matches();
    assert!((300..1_000).contains(&small), "{small}");
    assert!(play.live_bytes() <= BYTES, "{}", play.live_bytes());

    // Large ones displace them, and so do matches that grow after they were cached.
    let parent = Fixture::start(&play, 120).await;
    for _ in 0..120 {
        parent.play_turn(&play).await;
    }
    for _ in 0..60 {
        let fork = proto::ForkMatchRequest { match_id: parent.match_id.clone(), ..Default::default() };
        play.fork_match(&Caller::anonymous(), fork).await.unwrap();
        assert!(play.live_bytes() <= BYTES + (1 << 20), "{}", play.live_bytes());
    }
}

/// Anyone can fill the memory, and then a refusal must not tell a match that exists from one that does not.
#[tokio::test]
async fn a_private_match_is_unknown_to_watchers_also_while_the_memory_is_full() {
    let capacity = Capacity { live_bytes: 64 << 10, ..Capacity::default() };
    let keyed = Keyed::with_capacity(fixture::open("memory:").await, capacity).await;
    let mut watches = Vec::new();
    let watch = async |caller: &Caller, match_id: String| {
        let request = proto::WatchMatchRequest { match_id, ..Default::default() };
        keyed.play.watch_match(caller, request).await.map_err(|refusal| refusal.reason)
    };
    let full = loop {
        let match_id = keyed.create(Visibility::Public).await;
        match watch(&keyed.other_app, match_id).await {
            Ok(watch) => watches.push(watch),
            Err(reason) => break reason,
        }
        assert!(watches.len() < 1_000, "no watch was refused");
    };
    assert_eq!(full, ErrorReason::TooManyStreams);
    let private = keyed.create(Visibility::Private).await;
    assert_eq!(watch(&keyed.other_app, private.clone()).await.err(), Some(ErrorReason::UnknownMatch));
    assert_eq!(watch(&keyed.app, private).await.err(), Some(ErrorReason::TooManyStreams));
}

#[tokio::test]
async fn watches_do_not_keep_matches_in_memory_without_bound() {
    let play = fixture::with_capacity(Capacity { live_bytes: 64 << 10, ..Capacity::default() }).await;
    let mut watches = Vec::new();
    let refusal = loop {
        let created = play.create_match(&Caller::anonymous(), fixture::create(1)).await.unwrap();
        let request =
            proto::WatchMatchRequest { match_id: created.r#match.unwrap().match_id, ..Default::default() };
        match play.watch_match(&Caller::anonymous(), request).await {
            Ok(watch) => watches.push(watch),
            Err(refusal) => break refusal,
        }
        assert!(watches.len() < 1_000, "no watch was refused");
    };
    assert_eq!(refusal.reason, ErrorReason::TooManyStreams);
    watches.clear();
    let other = Fixture::start(&play, 1).await;
    let request = proto::WatchMatchRequest { match_id: other.match_id, ..Default::default() };
    assert!(play.watch_match(&Caller::anonymous(), request).await.is_ok());
}

/// Returns a caller whose watches are charged to this share.
fn sharer(number: u64) -> Caller {
    Caller::anonymous().with_share_holder(Some(ShareHolder::new(number)))
}

/// Watches a match as a caller.
async fn watch_as(play: &Play, caller: &Caller, match_id: &str) -> Result<Watch, Refusal> {
    let request = proto::WatchMatchRequest { match_id: match_id.to_owned(), ..Default::default() };
    play.watch_match(caller, request).await
}

/// Watches a new match as a caller.
async fn watch_another(play: &Play, caller: &Caller) -> Result<Watch, Refusal> {
    let created = play.create_match(&Caller::anonymous(), fixture::create(1)).await.unwrap();
    watch_as(play, caller, &created.r#match.unwrap().match_id).await
}

/// Watches new matches as a caller until one is refused.
async fn watch_until_refused(play: &Play, caller: &Caller) -> (Vec<Watch>, Refusal) {
    let mut watches = Vec::new();
    while watches.len() < 1_000 {
        match watch_another(play, caller).await {
            Ok(watch) => watches.push(watch),
            Err(refusal) => return (watches, refusal),
        }
    }
    panic!("no watch was refused")
}

#[tokio::test]
async fn the_watches_of_one_caller_leave_room_for_those_of_others() {
    const BYTES: u64 = 256 << 10;
    let play = fixture::with_capacity(Capacity { live_bytes: BYTES, ..Capacity::default() }).await;
    let players = Fixture::start(&play, 1).await;
    let (greedy, refusal) = watch_until_refused(&play, &sharer(1)).await;
    assert_eq!(refusal.reason, ErrorReason::TooManyStreams);
    assert!(refusal.message.contains("close a watch first"), "{}", refusal.message);
    assert!(refusal.retry_after.is_some());
    assert!(play.live_bytes() <= BYTES * 3 / 2, "{}", play.live_bytes());

    // A newcomer has a share as well, and so has one after many more.
    let (other, _) = watch_until_refused(&play, &sharer(2)).await;
    assert!(other.len() > 5 && greedy.len() > other.len(), "{} and {}", greedy.len(), other.len());
    let mut others = Vec::new();
    for number in 3..8 {
        others.push(watch_until_refused(&play, &sharer(number)).await.0);
    }
    assert!(play.live_bytes() <= BYTES * 2, "{}", play.live_bytes());
    let seat = players.angels.clone().with_share_holder(Some(ShareHolder::new(8)));
    let _seat = watch_as(&play, &seat, &players.match_id).await.unwrap();

    // What a caller closes it can open again.
    drop(greedy);
    watch_another(&play, &sharer(1)).await.unwrap();
}

#[tokio::test]
async fn watches_of_one_match_are_charged_once() {
    let play = fixture::with_capacity(Capacity { live_bytes: 64 << 10, ..Capacity::default() }).await;
    let popular = Fixture::start(&play, 1).await;
    let _first = watch_as(&play, &sharer(1), &popular.match_id).await.unwrap();
    let (_held, refusal) = watch_until_refused(&play, &sharer(1)).await;
    assert_eq!(refusal.reason, ErrorReason::TooManyStreams);
    let mut audience = Vec::new();
    for _ in 0..100 {
        audience.push(watch_as(&play, &sharer(1), &popular.match_id).await.unwrap());
    }
}

/// A caller that watches short matches and then makes them long has no more than its share in the end.
#[tokio::test]
async fn watches_of_matches_that_grow_beyond_their_share_end() {
    let play = fixture::with_capacity(Capacity { live_bytes: 32 << 10, ..Capacity::default() }).await;
    let growing = [Fixture::start(&play, 120).await, Fixture::start(&play, 120).await];
    let mut watches = Vec::new();
    for fixture in &growing {
        watches.push(watch_as(&play, &sharer(1), &fixture.match_id).await.unwrap());
    }
    let mut only = watch_as(&play, &sharer(2), &growing[0].match_id).await.unwrap();
    for fixture in &growing {
        for _ in 0..60 {
            fixture.play_turn(&play).await;
        }
    }
    assert!(play.live_bytes() > 64 << 10, "{}", play.live_bytes());
    let mut first = watches.remove(0);
    first.next().await.unwrap().unwrap();
    assert_eq!(first.next().await.unwrap().unwrap_err().reason, ErrorReason::TooManyStreams);
    assert!(first.next().await.is_none());
    drop(first);

    // The only match of a caller is within its share, whatever its size.
    for watch in [&mut only, &mut watches[0]] {
        for _ in 0..20 {
            watch.next().await.unwrap().unwrap();
        }
    }
}
