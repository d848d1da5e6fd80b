//! The feed on every store: each event once, in one order, from any place.

use std::collections::HashMap;

use event::{Event, Part as _, Sealed, SealedPart};
use journal::{
    Append, Clock, FeedCursor, FeedEnd, FeedItem, FeedQuery, Journal, MatchId, MatchRow, NewEvent, Scope,
    Seq, Visibility,
};
use rstest::rstest;

use crate::samples::{create, created, event, move_at, new_id, row};
use crate::stores::{Kind, TestStore, eventually};

/// All matches' events from the beginning, in pages of this size.
pub(crate) fn everything(limit: u32) -> FeedQuery {
    FeedQuery::new(Scope::Everything, limit)
}

/// Everything that is final after a place, read in pages.
pub(crate) async fn read_on(journal: &Journal, mut query: FeedQuery) -> Vec<FeedItem> {
    let mut events = Vec::new();
    loop {
        let page = journal.feed(&query).await.unwrap();
        assert!(page.events.len() <= query.limit as usize);
        assert!(page.next >= query.after && page.next >= page.events.last().map(|event| event.cursor));
        events.extend(page.events);
        query.after = page.next;
        if page.end != FeedEnd::Full {
            return events;
        }
    }
}

/// Follows the feed from its beginning until it has given so many events.
pub(crate) async fn follow(journal: Journal, count: usize, limit: u32) -> Vec<FeedItem> {
    let mut query = everything(limit);
    let mut events = Vec::new();
    while events.len() < count {
        let page = journal.feed(&query).await.unwrap();
        events.extend(page.events);
        query.after = page.next;
        if page.end != FeedEnd::Full && events.len() < count {
            journal.feed_news(query.after).await.unwrap();
        }
    }
    events
}

/// The places of these events; panics unless they grow and each match's seqs are 1, 2, 3, ...
pub(crate) fn places(events: &[FeedItem]) -> Vec<FeedCursor> {
    let mut heads: HashMap<MatchId, u32> = HashMap::new();
    for event in events {
        let head = heads.entry(event.cursor.match_id()).or_default();
        assert_eq!(event.cursor.seq(), Seq(*head + 1), "a gap or a double in {}", event.cursor.match_id());
        *head += 1;
    }
    let places: Vec<FeedCursor> = events.iter().map(|event| event.cursor).collect();
    assert!(places.windows(2).all(|pair| pair[0] < pair[1]));
    places
}

/// Plays a match to its event `last`.
pub(crate) async fn play(journal: Journal, last: u32) -> MatchId {
    let (id, mut clock) = created(&journal).await;
    for seq in 2..=last {
        clock = journal.append(move_at(id, seq, clock, "x")).await.unwrap().clock;
    }
    id
}

#[rstest]
#[tokio::test]
async fn a_reader_that_follows_and_one_that_comes_later_see_the_same(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let follower = tokio::spawn(follow(journal.clone(), 200, 7));
    let players: Vec<_> = (0..20).map(|_| tokio::spawn(play(journal.clone(), 10))).collect();
    let mut played = Vec::new();
    for player in players {
        played.push(player.await.unwrap());
    }
    let followed = follower.await.unwrap();
    let places = places(&followed);
    let later = read_on(&journal, everything(64)).await;
    assert_eq!(later, followed);
    for id in played {
        let log = journal.events(id, Seq(0), 100).await.unwrap();
        let told: Vec<_> = followed.iter().filter(|event| event.cursor.match_id() == id).collect();
        assert_eq!(log.len(), told.len());
        for (stored, told) in log.iter().zip(told) {
            assert_eq!((stored.event.hash, &stored.event.public), (told.event.hash, &told.event.public));
            assert_eq!(
                (stored.event.recorded_time, stored.event.kind),
                (told.event.recorded_time, told.event.kind)
            );
        }
    }
    for (n, &place) in places.iter().enumerate() {
        let after = FeedCursor::from_bytes(&place.to_bytes());
        let page = journal.feed(&FeedQuery { after, ..everything(3) }).await.unwrap();
        assert_eq!(page.events, followed[n + 1..followed.len().min(n + 4)]);
    }
}

#[rstest]
#[tokio::test]
async fn the_feed_needs_no_old_commits(#[values(Kind::Memory, Kind::Sqlite, Kind::Postgres)] kind: Kind) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store
        .open_with(|config| {
            config.timing.commits_kept = std::time::Duration::ZERO;
            config.timing.forget_every = std::time::Duration::from_millis(10);
        })
        .await;
    play(journal.clone(), 30).await;
    if let Some(database) = &store.database {
        let left = "SELECT count(*) FROM commit_log WHERE count > 0";
        eventually("all commits but the last are gone", async || database.number(left).await <= 1).await;
    }
    places(&follow(journal, 30, 100).await);
}

#[rstest]
#[tokio::test]
async fn an_owner_gets_its_own_matches_however_many_others_there_are(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let mut own = Vec::new();
    for n in 0..3 {
        let id = new_id();
        let match_row = Some(MatchRow { owner: "bob".into(), ..row(id) });
        let clock = journal.append(Append { match_row, ..create(id) }).await.unwrap().clock;
        journal.append(move_at(id, 2, clock, "bob")).await.unwrap();
        own.extend([(id, Seq(1)), (id, Seq(2))]);
        // More of somebody else's than a page looks through.
        let (id, mut clock) = created(&journal).await;
        for step in 0..9 * (n % 2) {
            let seqs = 2 + step * 500..2 + (step + 1) * 500;
            let events = seqs.map(|seq| event(id, seq, "ann")).collect();
            let append = Append { events, ..move_at(id, 2, clock, "ann") };
            clock = journal.append(append).await.unwrap().clock;
        }
    }
    follow(journal.clone(), own.len() + 3 + 4500, 1000).await;
    for limit in [1, 2, 3, 100] {
        let query = FeedQuery::new(Scope::OwnedBy("bob".into()), limit);
        let events = read_on(&journal, query).await;
        let keys: Vec<_> = events.iter().map(|event| (event.cursor.match_id(), event.event.seq)).collect();
        assert_eq!(keys, own);
        assert!(
            events.iter().all(|event| event.event.public.starts_with(b"bob") || event.event.seq == Seq(1))
        );
    }
    let query = FeedQuery::new(Scope::OwnedBy("eve".into()), 100);
    assert_eq!(read_on(&journal, query).await, []);
}

#[rstest]
#[tokio::test]
async fn who_may_see_public_matches_gets_them_and_no_others(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (mut public, mut bobs) = (Vec::new(), Vec::new());
    for (owner, visibility) in [
        ("ann", Visibility::Public),
        ("bob", Visibility::Private),
        ("ann", Visibility::Unlisted),
        ("bob", Visibility::Public),
        ("ann", Visibility::Private),
    ] {
        let id = new_id();
        let match_row = Some(MatchRow { owner: owner.into(), visibility, ..row(id) });
        journal.append(Append { match_row, ..create(id) }).await.unwrap();
        public.extend((visibility == Visibility::Public).then_some(id));
        bobs.extend((visibility == Visibility::Public || owner == "bob").then_some(id));
    }
    let last = *places(&follow(journal.clone(), 5, 10).await).last().unwrap();
    for (scope, ids) in [(Scope::Public, public), (Scope::PublicOrOwnedBy("bob".into()), bobs)] {
        let page = journal.feed(&FeedQuery::new(scope, 10)).await.unwrap();
        assert_eq!(page.events.iter().map(|item| item.cursor.match_id()).collect::<Vec<_>>(), ids);
        assert_eq!((page.next, page.end), (Some(last), FeedEnd::CaughtUp));
    }
}

#[rstest]
#[tokio::test]
async fn a_reader_that_wants_an_end_has_one_however_much_comes_meanwhile(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (id, clock) = created(&journal).await;
    let clock = journal.append(move_at(id, 2, clock, "x")).await.unwrap().clock;
    let newest = journal.feed(&everything(1)).await.unwrap().newest;
    assert_eq!(newest, clock);
    journal.append(move_at(id, 3, clock, "x")).await.unwrap();
    follow(journal.clone(), 3, 10).await;
    let page = journal.feed(&FeedQuery { until: Some(newest), ..everything(10) }).await.unwrap();
    assert_eq!((page.events.len(), page.end), (2, FeedEnd::CaughtUp));
}

#[rstest]
#[tokio::test]
async fn the_feed_has_no_sealed_parts(#[values(Kind::Memory, Kind::Sqlite, Kind::Postgres)] kind: Kind) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (id, clock) = created(&journal).await;
    let sealed = Sealed::new([7; 32], b"the queen of spades");
    let event = Event { sealed: Some(sealed.clone()), ..event(id, 2, "x").event };
    let hidden = NewEvent { event, request_hash: Some([8; 32]) };
    journal.append(Append { events: vec![hidden], ..move_at(id, 2, clock, "x") }).await.unwrap();
    let events = follow(journal, 2, 10).await;
    assert_eq!(events[1].event.sealed, Some(SealedPart::Closed(sealed.commitment())));
    assert!(!events[1].event.public.windows(5).any(|window| window == b"queen"));
}

#[rstest]
#[tokio::test]
async fn a_lane_that_opens_later_stays_above_what_readers_have_seen(
    #[values(Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let first = store.open().await;
    let (id, _) = created(&first).await;
    // As if the first one's clock were an hour ahead.
    let ahead = Clock(first.now().0 + 3_600_000_000);
    let seen = first.append(move_at(id, 2, ahead, "ahead")).await.unwrap().clock;
    assert!(seen > ahead);
    if kind == Kind::Sqlite {
        first.clone().close().await;
    }
    let second = store.open().await;
    let later = second.append(create(new_id())).await.unwrap().clock;
    assert!(later > seen, "{later:?} is not above {seen:?}");
    places(&follow(second, 3, 10).await);
}
