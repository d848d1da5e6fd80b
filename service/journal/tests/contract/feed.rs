//! The feed on every store: each event once, in one order, from any position.

use std::collections::HashMap;

use event::{Event, Part as _, Sealed, SealedPart};
use journal::{
    Append, FeedCursor, FeedEnd, FeedItem, FeedQuery, Hlc, Journal, MatchId, MatchRow, NewEvent, PageSize,
    Scope, Seq, Visibility,
};
use rstest::rstest;

use crate::samples::{create, created, event, move_at, new_id, registered, row};
use crate::stores::{Kind, TestStore, eventually};

/// Queries all events from the beginning, in pages of this size.
pub(crate) fn everything(limit: u32) -> FeedQuery {
    FeedQuery::new(Scope::Everything, limit)
}

/// Reads all final events after a position, page by page.
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

/// Follows the feed from the beginning until it has returned `count` events.
pub(crate) async fn follow(journal: Journal, count: usize, limit: u32) -> Vec<FeedItem> {
    let mut query = everything(limit);
    let mut events = Vec::new();
    while events.len() < count {
        let page = journal.feed(&query).await.unwrap();
        events.extend(page.events);
        query.after = page.next;
        if page.end != FeedEnd::Full && events.len() < count {
            journal.wait_for_feed(query.after).await.unwrap();
        }
    }
    events
}

/// Returns the positions of these events. Panics unless they are sorted and each match's seqs are 1, 2, 3,
/// ...
pub(crate) fn positions(events: &[FeedItem]) -> Vec<FeedCursor> {
    let mut heads: HashMap<MatchId, u32> = HashMap::new();
    for event in events {
        let head = heads.entry(event.cursor.match_id()).or_default();
        assert_eq!(
            event.cursor.seq(),
            Seq(*head + 1),
            "a gap or a repetition in {}",
            event.cursor.match_id()
        );
        *head += 1;
    }
    let positions: Vec<FeedCursor> = events.iter().map(|event| event.cursor).collect();
    assert!(positions.windows(2).all(|pair| pair[0] < pair[1]));
    positions
}

/// Plays a match up to event `last`.
pub(crate) async fn play(journal: Journal, last: u32) -> MatchId {
    let (id, mut hlc) = created(&journal).await;
    for seq in 2..=last {
        hlc = journal.append(move_at(id, seq, hlc, "x")).await.unwrap().hlc;
    }
    id
}

#[rstest]
#[tokio::test]
async fn a_follower_and_a_later_reader_see_the_same_feed(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
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
    let positions = positions(&followed);
    let later = read_on(&journal, everything(64)).await;
    assert_eq!(later, followed);
    for id in played {
        let log = journal.events(id, Seq(0), PageSize(100)).await.unwrap();
        let shown: Vec<_> = followed.iter().filter(|event| event.cursor.match_id() == id).collect();
        assert_eq!(log.len(), shown.len());
        for (stored, shown) in log.iter().zip(shown) {
            assert_eq!((stored.event.hash, &stored.event.public), (shown.event.hash, &shown.event.public));
            assert_eq!(
                (stored.event.record_time, stored.event.kind),
                (shown.event.record_time, shown.event.kind)
            );
        }
    }
    for (n, &position) in positions.iter().enumerate() {
        let after = FeedCursor::from_bytes(&position.to_bytes());
        let page = journal.feed(&FeedQuery { after, ..everything(3) }).await.unwrap();
        assert_eq!(page.events, followed[n + 1..followed.len().min(n + 4)]);
    }
}

/// Large events fill a page before its number of events does, whether or not the reader may see all of them.
#[rstest]
#[tokio::test]
async fn a_page_is_bounded_in_bytes(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let large = |id| {
        let mut append = create(id);
        append.events[0].event.public = vec![7; 20 << 10].into();
        append
    };
    for _ in 0..9 {
        journal.append(large(new_id())).await.unwrap();
        let mut hidden = large(new_id());
        hidden.match_row = hidden.match_row.map(|row| MatchRow { visibility: Visibility::Private, ..row });
        journal.append(hidden).await.unwrap();
    }
    for (scope, count) in [(Scope::Everything, 18), (Scope::Public, 9)] {
        let mut query = FeedQuery::new(scope, 100);
        let mut read = Vec::new();
        while read.len() < count {
            let page = journal.feed(&query).await.unwrap();
            let bytes: usize = page.events.iter().map(|event| event.event.public.len()).sum();
            assert!(bytes <= 52 << 10, "a page has {bytes} bytes");
            read.extend(page.events);
            query.after = page.next;
            if page.end != FeedEnd::Full && read.len() < count {
                journal.wait_for_feed(query.after).await.unwrap();
            }
        }
        assert_eq!(read.len(), count, "{:?}", query.scope);
        positions(&read);
    }
}

#[rstest]
#[tokio::test]
async fn the_feed_does_not_need_pruned_commits(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store
        .open_with(|config| {
            config.timing.commit_retention = std::time::Duration::ZERO;
            config.timing.prune_interval = std::time::Duration::from_millis(10);
        })
        .await;
    play(journal.clone(), 30).await;
    if let Some(database) = &store.database {
        let left = "SELECT count(*) FROM commit_log WHERE count > 0";
        eventually("all commits but the last are pruned", async || database.number(left).await <= 1).await;
    }
    positions(&follow(journal, 30, 100).await);
}

#[rstest]
#[tokio::test]
async fn an_owner_gets_its_matches_among_many_others(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let mut own = Vec::new();
    for n in 0..3 {
        let id = new_id();
        let match_row = Some(MatchRow { registered: registered("bob", None), ..row(id) });
        let hlc = journal.append(Append { match_row, ..create(id) }).await.unwrap().hlc;
        journal.append(move_at(id, 2, hlc, "bob")).await.unwrap();
        own.extend([(id, Seq(1)), (id, Seq(2))]);
        // More events of another owner than a page scans.
        let (id, mut hlc) = created(&journal).await;
        for step in 0..9 * (n % 2) {
            let seqs = 2 + step * 500..2 + (step + 1) * 500;
            let events = seqs.map(|seq| event(id, seq, "ann")).collect();
            let append = Append { events, ..move_at(id, 2 + step * 500, hlc, "ann") };
            hlc = journal.append(append).await.unwrap().hlc;
        }
    }
    follow(journal.clone(), own.len() + 3 + 4500, 1000).await;
    for limit in [1, 2, 3, 100] {
        let query = FeedQuery::new(Scope::OwnedBy("bob".into()), limit);
        let events = read_on(&journal, query).await;
        let keys: Vec<_> = events.iter().map(|event| (event.cursor.match_id(), event.cursor.seq())).collect();
        assert_eq!(keys, own);
        assert!(
            events.iter().all(|event| event.event.public.starts_with(b"bob") || event.cursor.seq() == Seq(1))
        );
    }
    let query = FeedQuery::new(Scope::OwnedBy("eve".into()), 100);
    assert_eq!(read_on(&journal, query).await, []);
}

#[rstest]
#[tokio::test]
async fn public_scope_returns_public_matches_only(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
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
        let match_row = Some(MatchRow { registered: registered(owner, None), visibility, ..row(id) });
        journal.append(Append { match_row, ..create(id) }).await.unwrap();
        public.extend((visibility == Visibility::Public).then_some(id));
        bobs.extend((visibility == Visibility::Public || owner == "bob").then_some(id));
    }
    let last = *positions(&follow(journal.clone(), 5, 10).await).last().unwrap();
    for (scope, ids) in [(Scope::Public, public), (Scope::PublicOrOwnedBy("bob".into()), bobs)] {
        let page = journal.feed(&FeedQuery::new(scope, 10)).await.unwrap();
        assert_eq!(page.events.iter().map(|item| item.cursor.match_id()).collect::<Vec<_>>(), ids);
        assert_eq!((page.next, page.end), (Some(last), FeedEnd::CaughtUp));
    }
}

#[rstest]
#[tokio::test]
async fn a_page_ends_at_until_although_newer_events_exist(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (id, hlc) = created(&journal).await;
    let hlc = journal.append(move_at(id, 2, hlc, "x")).await.unwrap().hlc;
    let newest = journal.feed(&everything(1)).await.unwrap().newest;
    assert_eq!(newest, hlc);
    journal.append(move_at(id, 3, hlc, "x")).await.unwrap();
    follow(journal.clone(), 3, 10).await;
    let page = journal.feed(&FeedQuery { until: Some(newest), ..everything(10) }).await.unwrap();
    assert_eq!((page.events.len(), page.end), (2, FeedEnd::CaughtUp));
}

#[rstest]
#[tokio::test]
async fn the_feed_contains_no_sealed_parts(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (id, hlc) = created(&journal).await;
    let sealed = Sealed::new([7; 32], b"the queen of spades");
    let event = Event { sealed: Some(SealedPart::Open(sealed.clone())), ..event(id, 2, "x").event };
    let hidden = NewEvent { event, request_hash: Some([8; 32]) };
    journal.append(Append { events: vec![hidden], ..move_at(id, 2, hlc, "x") }).await.unwrap();
    let events = follow(journal, 2, 10).await;
    assert_eq!(events[1].event.sealed, Some(SealedPart::Closed(sealed.commitment())));
    assert!(!events[1].event.public.windows(5).any(|window| window == b"queen"));
}

#[rstest]
#[tokio::test]
async fn a_later_writer_commits_above_what_readers_have_seen(
    #[values(Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let first = store.open().await;
    let (id, _) = created(&first).await;
    // As if the first journal's clock were an hour ahead.
    let ahead = Hlc(first.now().0 + 3_600_000_000);
    let seen = first.append(move_at(id, 2, ahead, "ahead")).await.unwrap().hlc;
    assert!(seen > ahead);
    if kind == Kind::Sqlite {
        first.clone().close().await;
    }
    let second = store.open().await;
    let later = second.append(create(new_id())).await.unwrap().hlc;
    assert!(later > seen, "{later:?} is not above {seen:?}");
    positions(&follow(second, 3, 10).await);
}
