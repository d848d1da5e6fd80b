//! Moving finished matches out of the database: what is dropped, what is refused, and what readers get.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use journal::{
    Append, ArchivedLogs, ArchivedPlace, ArchiverHandle, DropError, DroppedMatch, DroppedSegment, FeedNeeds,
    FeedQuery, Head, Journal, JournalConfig, MatchId, MatchOutcome, MatchRow, MatchStatus, Migrations,
    OpenError, PageSize, ReadError, Reader, RecordTime, Scope, SegmentRow, SegmentState, Seq, StoredEvent,
    migrate,
};
use rstest::rstest;
use uuid::Uuid;

use crate::samples::{created, hash, log, move_at, new_id, row};
use crate::stores::{Kind, TestStore};

/// The matches of these tests ended at this time.
const END: RecordTime = RecordTime(1_700_000_000_000_500);

/// Later than any of them.
const LATER: RecordTime = RecordTime(1_700_000_000_000_501);

/// An archive in memory.
#[derive(Debug, Default)]
pub(crate) struct TestArchive(Mutex<HashMap<(Uuid, MatchId), Vec<StoredEvent>>>);

#[async_trait]
impl ArchivedLogs for TestArchive {
    async fn log(&self, id: MatchId, place: ArchivedPlace) -> Result<Arc<[StoredEvent]>, ReadError> {
        let found = self.0.lock().unwrap().get(&(place.segment, id)).cloned();
        found.map(Arc::from).ok_or_else(|| ReadError::Archive { what: "no such log".to_owned() })
    }
}

/// Plays a match of three events to its end.
pub(crate) async fn finished(journal: &Journal) -> MatchId {
    let (id, hlc) = created(journal).await;
    let hlc = journal.append(move_at(id, 2, hlc, "x")).await.unwrap().hlc;
    let over = MatchRow {
        status: MatchStatus::Over,
        end_time: Some(END),
        outcome: Some(MatchOutcome::None),
        ..row(id)
    };
    journal.append(Append { match_row: Some(over), ..move_at(id, 3, hlc, "x") }).await.unwrap();
    id
}

async fn archiver(store: &TestStore) -> ArchiverHandle {
    ArchiverHandle::open(&store.config()).await.unwrap()
}

/// Returns what to drop of these matches.
fn segment_of(logs: &[(MatchId, Vec<StoredEvent>)]) -> DroppedSegment {
    let matches = logs.iter().map(|(id, log)| DroppedMatch::of_log(*id, log).unwrap()).collect();
    let events = logs.iter().map(|(_, log)| log.len() as u64).sum();
    DroppedSegment { segment: Uuid::now_v7(), matches, events, bytes: 1000 }
}

/// Archives matches and returns the archive.
pub(crate) async fn archive(store: &TestStore, ids: &[MatchId]) -> (Arc<TestArchive>, DroppedSegment) {
    let mut archiver = archiver(store).await;
    let logs = archiver.logs(ids).await.unwrap();
    let dropped = segment_of(&logs);
    let archive = Arc::new(TestArchive::default());
    archive.0.lock().unwrap().extend(logs.into_iter().map(|(id, log)| ((dropped.segment, id), log)));
    archiver.start_segment(dropped.segment).await.unwrap();
    archiver.drop_matches(&dropped).await.unwrap();
    archiver.close().await;
    (archive, dropped)
}

fn config(store: &TestStore, archive: Option<&Arc<TestArchive>>) -> JournalConfig {
    let archive = archive.map(|archive| Arc::clone(archive) as Arc<dyn ArchivedLogs>);
    JournalConfig { archive, ..store.config() }
}

pub(crate) async fn events_stored(store: &TestStore) -> i64 {
    store.number("SELECT count(*) FROM event").await
}

#[rstest]
#[tokio::test]
async fn an_archived_match_is_read_from_the_archive_as_before(
    #[values(Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (over, (running, _)) = (finished(&journal).await, created(&journal).await);
    let before = [log(&journal, over).await, log(&journal, running).await];
    journal.close().await;
    assert_eq!(events_stored(&store).await, 4);
    let (archive, dropped) = archive(&store, &[over]).await;
    assert_eq!(events_stored(&store).await, 1);

    let journal = Journal::open(config(&store, Some(&archive))).await.unwrap();
    assert_eq!([log(&journal, over).await, log(&journal, running).await], before);
    let head = Head { seq: Seq(3), hash: hash(over, 3) };
    assert_eq!(journal.head(over).await.unwrap(), Some(head));
    assert_eq!(journal.match_row(over).await.unwrap().map(|row| row.status), Some(MatchStatus::Over));
    let page = async |after, limit| {
        let page = journal.events(over, Seq(after), PageSize(limit)).await.unwrap();
        page.iter().map(|stored| stored.event.seq.0).collect::<Vec<_>>()
    };
    assert_eq!([page(0, 1).await, page(1, 9).await, page(2, 1).await], [vec![1], vec![2, 3], vec![3]]);
    assert_eq!([page(3, 9).await, page(9, 9).await], [const { Vec::<u32>::new() }; 2]);
    let range = journal::EventRange { after: Seq(1), last: Seq(2) };
    assert_eq!(journal.past_events(over, range, PageSize(9)).await.unwrap(), before[0][1..2]);
    journal.close().await;
    let reader = Reader::open(&config(&store, Some(&archive))).await.unwrap();
    assert_eq!(reader.events(over, Seq(0), PageSize(9)).await.unwrap(), before[0]);
    reader.close().await;

    // An archive that returns another log is not believed.
    archive.0.lock().unwrap().get_mut(&(dropped.segment, over)).unwrap().pop();
    let journal = Journal::open(config(&store, Some(&archive))).await.unwrap();
    let error = journal.events(over, Seq(0), PageSize(9)).await.unwrap_err();
    assert!(matches!(error, ReadError::Corrupt { event: Some((id, Seq(3))), .. } if id == over), "{error}");
    journal.close().await;
}

#[rstest]
#[tokio::test]
async fn without_an_archive_its_matches_are_refused_by_name_and_others_served(
    #[values(Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (over, (running, _)) = (finished(&journal).await, created(&journal).await);
    journal.close().await;
    archive(&store, &[over]).await;
    let journal = store.open().await;
    let error = journal.events(over, Seq(0), PageSize(9)).await.unwrap_err();
    assert_eq!(error, ReadError::Archived { match_id: over });
    assert_eq!(journal.head(over).await.unwrap().map(|head| head.seq), Some(Seq(3)));
    assert_eq!(log(&journal, running).await.len(), 1);
    assert_eq!(journal.events(new_id(), Seq(0), PageSize(9)).await.unwrap(), []);
    journal.close().await;
}

#[rstest]
#[tokio::test]
async fn a_feed_reader_that_would_miss_events_is_refused_and_told_where_to_go_on(
    #[values(Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let everything = FeedQuery::new(Scope::Everything, 100);
    let (over, (running, _)) = (finished(&journal).await, created(&journal).await);
    journal.wait_for_feed(None).await.unwrap();
    journal.close().await;
    let (_, dropped) = archive(&store, &[over]).await;
    let horizon = dropped.matches[0].cursor;

    let journal = store.open().await;
    journal.wait_for_feed(Some(horizon)).await.unwrap();
    let refused = Err(ReadError::CursorTooOld { complete_after: horizon });
    assert_eq!(journal.feed(&everything).await, refused);
    let first_of_it = FeedQuery { after: Some(cursor_before(horizon)), ..everything.clone() };
    assert_eq!(journal.feed(&first_of_it).await, refused);
    let page = journal.feed(&FeedQuery { after: Some(horizon), ..everything }).await.unwrap();
    let seen: Vec<_> = page.events.iter().map(|item| item.cursor.match_id()).collect();
    assert_eq!(seen, [running]);
    journal.close().await;
}

/// Returns the position just before another one.
fn cursor_before(cursor: journal::FeedCursor) -> journal::FeedCursor {
    let mut bytes = cursor.to_bytes();
    bytes[27] -= 1;
    journal::FeedCursor::from_bytes(&bytes).unwrap()
}

#[rstest]
#[tokio::test]
async fn only_finished_matches_that_are_not_archived_are_listed(
    #[values(Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (first, second, third) =
        (finished(&journal).await, finished(&journal).await, finished(&journal).await);
    created(&journal).await;
    journal.close().await;
    archive(&store, &[second]).await;
    let mut archiver = archiver(&store).await;
    assert_eq!(archiver.count_finished(LATER).await, Ok(2));
    assert_eq!(archiver.count_finished(END).await, Ok(0));
    assert_eq!(archiver.finished(LATER, None, PageSize(9)).await.unwrap(), [first, third]);
    assert_eq!(archiver.finished(LATER, None, PageSize(1)).await.unwrap(), [first]);
    assert_eq!(archiver.finished(LATER, Some(first), PageSize(9)).await.unwrap(), [third]);
    assert_eq!(archiver.finished(END, None, PageSize(9)).await.unwrap(), []);
    archiver.close().await;
}

#[rstest]
#[tokio::test]
async fn the_database_drops_nothing_but_whole_finished_matches_of_an_announced_segment(
    #[values(Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (over, (running, _)) = (finished(&journal).await, created(&journal).await);
    journal.close().await;
    let mut archiver = archiver(&store).await;
    let logs = archiver.logs(&[over, running]).await.unwrap();
    let good = segment_of(&logs[..1]);
    let refused = async |archiver: &mut ArchiverHandle, dropped: DroppedSegment, what: &str| {
        let outcome = archiver.drop_matches(&dropped).await;
        assert!(matches!(outcome, Err(DropError::Refused { .. })), "{what}: {outcome:?}");
        assert_eq!(events_stored(&store).await, 4, "{what}");
        assert_eq!(store.number("SELECT count(*) FROM archived_match").await, 0, "{what}");
        assert_eq!(store.number("SELECT count(*) FROM archive_horizon").await, 0, "{what}");
    };
    refused(&mut archiver, good.clone(), "a segment that was not announced").await;
    archiver.start_segment(good.segment).await.unwrap();
    let with = |change: fn(&mut DroppedMatch)| {
        let mut dropped = good.clone();
        change(&mut dropped.matches[0]);
        dropped
    };
    refused(&mut archiver, with(|one| one.seq = Seq(2)), "a seq with another hash").await;
    refused(&mut archiver, with(|one| one.hash[0] ^= 1), "another hash").await;
    let second = with(|one| (one.seq, one.hash) = (Seq(2), hash(one.match_id, 2)));
    refused(&mut archiver, second, "an event that is not the last").await;
    let running = DroppedSegment { segment: good.segment, ..segment_of(&logs) };
    refused(&mut archiver, running, "a match that is not over, with one that is").await;
    assert_eq!(archiver.discard_segment(good.segment).await, Ok(true));
    refused(&mut archiver, good.clone(), "a discarded segment").await;

    archiver.start_segment(good.segment).await.unwrap();
    let writing = SegmentRow { segment: good.segment, state: SegmentState::Writing };
    assert_eq!(archiver.segments().await.unwrap(), [writing]);
    archiver.drop_matches(&good).await.unwrap();
    assert_eq!(events_stored(&store).await, 1);
    let state = SegmentState::Archived { matches: 1, events: 3, bytes: 1000 };
    assert_eq!(archiver.segments().await.unwrap(), [SegmentRow { state, ..writing }]);
    assert_eq!(archiver.discard_segment(good.segment).await, Ok(false));
    let again = archiver.drop_matches(&good).await;
    assert!(matches!(again, Err(DropError::Refused { .. })), "{again:?}");
    archiver.close().await;
}

/// The exception for archived matches is as narrow as the database can make it.
#[tokio::test]
async fn a_deletion_by_hand_is_refused_whatever_it_claims() {
    for kind in [Kind::Sqlite, Kind::Postgres, Kind::Sharded] {
        let Some(store) = TestStore::new(kind).await else { return };
        let journal = store.open().await;
        let (over, other) = (finished(&journal).await, finished(&journal).await);
        journal.close().await;
        let (_, dropped) = archive(&store, &[over]).await;
        let id = |id: Uuid| match kind {
            Kind::Postgres | Kind::Sharded => format!("'{id}'"),
            _ => format!("x'{}'", id.simple()),
        };
        let bytes = |bytes: [u8; 32]| {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            if kind == Kind::Sqlite { format!("x'{hex}'") } else { format!("'\\x{hex}'") }
        };
        let insert = |id_of: MatchId, seq: u32| {
            let (segment, id) = (id(dropped.segment), id(id_of.0));
            let hash = bytes(hash(id_of, seq));
            format!(
                "INSERT INTO archived_match (shard, match_id, segment_id, seq, hash)
                 VALUES ({}, {id}, {segment}, {seq}, {hash})",
                kind.shards().of(id_of).number()
            )
        };
        let announced = "SET matchbook.archiving = 'on'; DELETE FROM event".to_owned();
        let mut changes = vec![
            "DELETE FROM event".to_owned(),
            "UPDATE archived_match SET seq = 1".to_owned(),
            "DELETE FROM archived_match".to_owned(),
            "DELETE FROM archive_segment".to_owned(),
            "UPDATE archive_segment SET bytes = 7".to_owned(),
            insert(other, 2),
            insert(over, 3),
            insert(new_id(), 1),
        ];
        if kind != Kind::Sqlite {
            changes.extend([announced, "TRUNCATE archived_match".to_owned()]);
        }
        for change in changes {
            let error = store.try_execute(&change).await.expect_err(&change).to_string();
            let told = ["append-only", "archived segment stays"].iter().any(|told| error.contains(told));
            assert!(told, "{change}: {error}");
        }
        assert_eq!(events_stored(&store).await, 3);
        assert_eq!(store.number("SELECT count(*) FROM archived_match").await, 1);
    }
}

#[rstest]
#[tokio::test]
async fn a_second_archiver_is_refused_until_the_first_one_ends(
    #[values(Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    migrate(&store.url.parse().unwrap(), None, None).await.unwrap();
    let first = archiver(&store).await;
    let error = ArchiverHandle::open(&store.config()).await.err().unwrap();
    assert!(matches!(error, OpenError::OtherArchiver | OpenError::InUse { .. }), "{error}");
    first.close().await;
    archiver(&store).await.close().await;
}

#[tokio::test]
async fn a_served_sqlite_file_a_missing_one_and_memory_are_not_archived() {
    let store = TestStore::new(Kind::Sqlite).await.unwrap();
    let open = async || ArchiverHandle::open(&store.config()).await.err().unwrap();
    assert!(matches!(open().await, OpenError::NoFile { .. }));
    let journal = store.open().await;
    assert!(matches!(open().await, OpenError::InUse { .. }));
    journal.close().await;
    let memory = TestStore::new(Kind::Memory).await.unwrap();
    let error = ArchiverHandle::open(&memory.config()).await.err().unwrap();
    assert!(matches!(error, OpenError::NothingToArchive), "{error}");
}

#[rstest]
#[tokio::test]
async fn a_served_postgres_goes_on_while_matches_are_archived(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (over, (running, hlc)) = (finished(&journal).await, created(&journal).await);
    archive(&store, &[over]).await;
    journal.append(move_at(running, 2, hlc, "x")).await.unwrap();
    assert_eq!(log(&journal, running).await.len(), 2);
    assert_eq!(journal.head(over).await.unwrap().map(|head| head.seq), Some(Seq(3)));
    journal.close().await;
}

/// Returns a role with the rights of this file, and the URL of the store's database for it.
async fn role(store: &TestStore, grants: &str, placeholder: &str) -> (String, String) {
    let database = store.database.as_ref().unwrap();
    let role = format!("matchbook_test_{}", new_id().0.simple());
    database.execute(&format!("CREATE ROLE {role} LOGIN PASSWORD '{role}'")).await.unwrap();
    database.execute(&grants.replace(placeholder, &role)).await.unwrap();
    let url = database.url_as(&format!("{role}:{role}"));
    (role, url)
}

#[rstest]
#[tokio::test]
async fn the_archivers_role_can_archive_and_the_serving_role_can_only_read_what_was(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (over, other) = (finished(&journal).await, finished(&journal).await);
    journal.close().await;
    let grants = include_str!("../../../../migrations/postgres/archiver_grants.sql");
    let (archiving, url) = role(&store, grants, "matchbook_archiver").await;
    let mut archiver = ArchiverHandle::open(&JournalConfig::new(url.parse().unwrap())).await.unwrap();
    assert_eq!(archiver.count_finished(LATER).await, Ok(2));
    assert_eq!((archiver.needs().await, archiver.bound().await), (Ok(FeedNeeds::default()), Ok(None)));
    let logs = archiver.logs(&[over]).await.unwrap();
    let dropped = segment_of(&logs);
    archiver.start_segment(dropped.segment).await.unwrap();
    archiver.drop_matches(&dropped).await.unwrap();
    archiver.close().await;
    let mut config = JournalConfig::new(url.parse().unwrap());
    config.migrations = Migrations::Require;
    assert!(Journal::open(config).await.is_err(), "the archiver's role serves");

    let grants = include_str!("../../../../migrations/postgres/grants.sql");
    let (serving, url) = role(&store, grants, "matchbook_service").await;
    let mut config = JournalConfig::new(url.parse().unwrap());
    config.migrations = Migrations::Require;
    let journal = Journal::open(config).await.unwrap();
    assert_eq!(journal.head(over).await.unwrap().map(|head| head.seq), Some(Seq(3)));
    assert_eq!(journal.feed_horizon().await, Ok(Some(dropped.matches[0].cursor)));
    assert_eq!(log(&journal, other).await.len(), 3);
    journal.close().await;
    let mut archiver = ArchiverHandle::open(&JournalConfig::new(url.parse().unwrap())).await.unwrap();
    assert!(archiver.start_segment(Uuid::now_v7()).await.is_err(), "the serving role archives");
    archiver.close().await;
    for role in [archiving, serving] {
        store.execute(&format!("DROP OWNED BY {role}; DROP ROLE {role}")).await;
    }
}
