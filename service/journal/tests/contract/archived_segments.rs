//! Several segments, each dropped after the one before.

use rstest::rstest;

use crate::archiving::{archive, events_stored, finished};
use crate::stores::{Kind, TestStore};

#[rstest]
#[tokio::test]
async fn segments_are_dropped_one_after_another_and_the_feed_is_whole_after_all_of_them(
    #[values(Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let over = [finished(&journal).await, finished(&journal).await, finished(&journal).await];
    journal.close().await;
    let mut horizons = Vec::new();
    for id in [over[1], over[2], over[0]] {
        horizons.push(archive(&store, &[id]).await.1.matches[0].cursor);
    }
    assert_eq!(events_stored(&store).await, 0);
    let journal = store.open().await;
    assert_eq!(journal.feed_horizon().await.unwrap(), horizons.into_iter().max());
    journal.close().await;
}
