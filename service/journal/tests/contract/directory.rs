//! The directory, the service key and the database's time.

use journal::{
    Append, BindKeyError, Journal, KeyBinding, MatchRow, MatchStatus, RecordTime, SeatRow, Seq, Visibility,
};
use rstest::rstest;

use crate::samples::{create, move_at, new_id, registered, row};
use crate::stores::{Kind, TestStore};

#[rstest]
#[tokio::test]
async fn a_row_is_returned_unchanged_and_replaced_as_a_whole(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let id = new_id();
    let seat = |name: &str, byte, generation| SeatRow {
        player_name: Some(name.to_owned()),
        token_hash: Some([byte; 32]),
        generation,
    };
    let first = MatchRow {
        registered: registered("ann", Some([5; 32])),
        visibility: Visibility::Private,
        seats: [seat("Zoë ♛", 1, 1), SeatRow::default()],
        parent: Some((new_id(), Seq(17))),
        ..row(id)
    };
    let hlc = journal.append(Append { match_row: Some(first.clone()), ..create(id) }).await.unwrap().hlc;
    assert_eq!(journal.match_row(id).await.unwrap(), Some(first.clone()));
    let last = MatchRow {
        status: MatchStatus::Over,
        start_time: Some(RecordTime(2)),
        end_time: Some(RecordTime(3)),
        seats: [seat("Zoë ♛", 2, u32::MAX), seat("Bo", 3, 1)],
        winner: Some(1),
        reason: Some("resigned".to_owned()),
        ..first
    };
    journal.append(Append { match_row: Some(last.clone()), ..move_at(id, 2, hlc, "x") }).await.unwrap();
    assert_eq!(journal.match_row(id).await.unwrap(), Some(last.clone()));
    assert_eq!(journal.match_by_create_request("ann", &[5; 32]).await.unwrap(), Some(last));
    assert_eq!(journal.match_row(new_id()).await.unwrap(), None);
}

#[rstest]
#[tokio::test]
async fn a_database_is_bound_to_one_service_key(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    assert_eq!(journal.bind_key([1; 32]).await, Ok(KeyBinding::First));
    assert_eq!(journal.bind_key([1; 32]).await, Ok(KeyBinding::Known));
    assert_eq!(journal.bind_key([2; 32]).await, Err(BindKeyError::OtherKey));
    assert_eq!(journal.bind_key([1; 32]).await, Ok(KeyBinding::Known));
}

#[rstest]
#[tokio::test]
async fn time_is_the_databases_and_never_runs_back(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let mut before = journal.now();
    for _ in 0..10_000 {
        let now = journal.now();
        assert!(now >= before);
        before = now;
    }
    if let Some(database) = &store.database {
        let sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";
        let (earlier, shown, later) = (journal.now(), database.number(sql).await, journal.now());
        // The error of a measurement is at most half a round trip.
        assert!(earlier.0 - 1_000_000 < shown && shown < later.0 + 1_000_000);
    }
}

#[tokio::test]
async fn errors_and_descriptions_contain_no_password() {
    let url: journal::DatabaseUrl = "postgres://ann:s3cret@127.0.0.1:1/games".parse().unwrap();
    let error = Journal::open(journal::JournalConfig::new(url)).await.unwrap_err();
    assert!(!format!("{error} {error:?}").contains("s3cret"));
}
