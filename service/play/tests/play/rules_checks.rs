//! Checking that this build replays what is stored, and what the check counts.

use journal::{JournalConfig, Reader};
use play::{MatchReplay, Selection, check_rules};
use rules::Games;
use wire::v1 as proto;

use crate::fixture::{self, Fixture};

#[tokio::test]
async fn each_stored_match_and_event_is_counted_once() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("m.db").display());
    let play = fixture::on(fixture::open(&url).await, play::Capacity::default()).await;
    let angels = Fixture::start(&play, 2).await;
    angels.play_turn(&play).await;
    let create = proto::CreateMatchRequest { game_id: "ludus-magus".to_owned(), ..Default::default() };
    let magus = Fixture::start_with(&play, create).await;

    let reader = Reader::open(&JournalConfig::new(url.parse().unwrap())).await.unwrap();
    let mut reported = Vec::new();
    let all = Selection::default();
    let report = |replay: &MatchReplay| reported.push((replay.match_id.to_string(), replay.events));
    let summary = check_rules(&reader, Games::built_in(), &all, report).await.unwrap();
    let events = |count: usize| u64::try_from(count).unwrap();
    let expected = [
        (magus.match_id.clone(), events(magus.events(&play).await.len())),
        (angels.match_id.clone(), events(angels.events(&play).await.len())),
    ];
    assert_eq!(reported, expected, "newest first");
    assert_eq!((summary.matches, summary.different), (2, 0));
    assert_eq!(summary.events, expected[0].1 + expected[1].1);

    let selection = Selection { game: Some("ludus-magus".to_owned()), ..Selection::default() };
    let one = check_rules(&reader, Games::built_in(), &selection, |_| ()).await.unwrap();
    assert_eq!((one.matches, one.events), (1, expected[0].1));
}
