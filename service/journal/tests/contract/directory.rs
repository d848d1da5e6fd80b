//! The directory, the service key and the database's time.

use journal::{
    Append, AppendError, BindKeyError, Journal, KeyBinding, MatchOutcome, MatchRow, MatchStatus, PlayerRow,
    RecordTime, SeatRow, Seq, ServiceIdentity, Visibility,
};
use rstest::rstest;

use crate::samples::{claimed, create, move_at, new_id, registered, row, service};
use crate::stores::{Kind, TestStore};

#[rstest]
#[tokio::test]
async fn several_rows_are_read_at_once(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let ids: Vec<_> = (0..3).map(|_| new_id()).collect();
    for id in &ids {
        let seats = vec![claimed("Ann"), claimed("Bo")];
        journal
            .append(Append { match_row: Some(MatchRow { seats, ..row(*id) }), ..create(*id) })
            .await
            .unwrap();
    }
    let mut rows = journal.match_rows(&[ids[2], new_id(), ids[0], ids[2]]).await.unwrap();
    rows.sort_by_key(|row| row.match_id);
    assert_eq!(rows.iter().map(|row| row.match_id).collect::<Vec<_>>(), [ids[0], ids[2]]);
    assert!(rows.iter().all(|row| row.seats.iter().all(Option::is_some)), "{rows:?}");
    assert_eq!(journal.match_rows(&[]).await, Ok(Vec::new()));
}

#[rstest]
#[tokio::test]
async fn a_row_is_returned_unchanged_and_replaced_as_a_whole(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let id = new_id();
    let seat = |name: &str, byte, generation| {
        let player_id = Some(format!("{name}@7"));
        let player = PlayerRow { salt: [8; 32], display_name: name.to_owned(), player_id };
        Some(SeatRow { token_hash: [byte; 32], generation, player: Some(player) })
    };
    let first = MatchRow {
        registered: registered("ann", Some([5; 32])),
        visibility: Visibility::Private,
        seats: vec![seat("Zoë ♛", 1, 1), None],
        parent: Some((new_id(), Seq(17))),
        ..row(id)
    };
    let hlc = journal.append(Append { match_row: Some(first.clone()), ..create(id) }).await.unwrap().hlc;
    assert_eq!(journal.match_row(id).await.unwrap(), Some(first.clone()));
    let last = MatchRow {
        status: MatchStatus::Over,
        start_time: Some(RecordTime(2)),
        end_time: Some(RecordTime(3)),
        seats: vec![seat("Zoë ♛", 2, u32::MAX), seat("Bo", 3, 1)],
        outcome: Some(MatchOutcome::Win),
        ranks: vec![2, 1],
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
async fn a_match_has_up_to_eight_seats(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    for seats in [vec![None], vec![claimed("Ann")], (0..8).map(|n| claimed(&n.to_string())).collect()] {
        let id = new_id();
        let row = MatchRow { seats, ..row(id) };
        journal.append(Append { match_row: Some(row.clone()), ..create(id) }).await.unwrap();
        assert_eq!(journal.match_row(id).await.unwrap(), Some(row));
    }
    for seats in [vec![], vec![None; 9]] {
        let id = new_id();
        let row = MatchRow { seats, ..row(id) };
        let answer = journal.append(Append { match_row: Some(row), ..create(id) }).await;
        assert!(matches!(answer, Err(AppendError::Refused { .. })), "{answer:?}");
    }
}

#[rstest]
#[tokio::test]
async fn a_result_has_a_rank_for_each_seat(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let over = |seats: usize, outcome, ranks: &[u8]| {
        let id = new_id();
        let seats = (0..seats).map(|n| claimed(&n.to_string())).collect();
        let (status, end_time) = (MatchStatus::Over, Some(RecordTime(3)));
        let (outcome, ranks) = (Some(outcome), ranks.to_vec());
        MatchRow { status, end_time, seats, outcome, ranks, ..row(id) }
    };
    let register =
        |row: MatchRow| journal.append(Append { match_row: Some(row.clone()), ..create(row.match_id) });
    for row in [
        over(1, MatchOutcome::Win, &[1]),
        over(2, MatchOutcome::Draw, &[1, 1]),
        over(3, MatchOutcome::Win, &[1, 3, 1]),
        over(8, MatchOutcome::Win, &[8, 7, 6, 5, 4, 3, 2, 1]),
        over(8, MatchOutcome::None, &[]),
    ] {
        register(row.clone()).await.unwrap();
        assert_eq!(journal.match_row(row.match_id).await.unwrap(), Some(row));
    }
    for row in [
        over(2, MatchOutcome::Win, &[1]),
        over(2, MatchOutcome::Win, &[1, 2, 2]),
        over(2, MatchOutcome::Draw, &[]),
        over(2, MatchOutcome::None, &[1, 2]),
        MatchRow { outcome: None, ..over(2, MatchOutcome::Win, &[1, 2]) },
    ] {
        let answer = register(row).await;
        assert!(matches!(answer, Err(AppendError::Refused { .. })), "{answer:?}");
    }
}

#[rstest]
#[tokio::test]
async fn a_seats_player_is_written_once_and_its_token_replaced_by_newer_ones_only(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let id = new_id();
    let with = |token: u8, generation, name: &str| {
        let salt = [u8::try_from(name.len()).unwrap(); 32];
        let player = PlayerRow { salt, display_name: name.to_owned(), player_id: None };
        let seat = SeatRow { token_hash: [token; 32], generation, player: Some(player) };
        MatchRow { seats: vec![Some(seat), None], ..row(id) }
    };
    let mut hlc = journal.append(create(id)).await.unwrap().hlc;
    let written = [with(1, 1, "Ann"), with(2, 1, "Bo"), with(3, 2, "Cy"), with(4, 1, "Di"), row(id)];
    let stored =
        [with(1, 1, "Ann"), with(1, 1, "Ann"), with(3, 2, "Ann"), with(3, 2, "Ann"), with(3, 2, "Ann")];
    for (seq, (written, stored)) in (2..).zip(written.into_iter().zip(stored)) {
        let append = Append { match_row: Some(written), ..move_at(id, seq, hlc, "x") };
        hlc = journal.append(append).await.unwrap().hlc;
        assert_eq!(journal.match_row(id).await.unwrap(), Some(stored), "after event {seq}");
    }
}

#[test]
fn debug_output_of_a_row_names_no_player() {
    let player =
        PlayerRow { salt: [202; 32], display_name: "Zoë".to_owned(), player_id: Some("zoe-7".to_owned()) };
    let seat = SeatRow { token_hash: [201; 32], generation: 1, player: Some(player) };
    let shown = format!("{:?}", MatchRow { seats: vec![Some(seat)], ..row(new_id()) });
    let secret = ["Zoë", "zoe-7", "201", "202"].into_iter().find(|secret| shown.contains(secret));
    assert_eq!(secret, None, "{shown}");
}

#[rstest]
#[tokio::test]
async fn a_database_is_bound_to_one_service_key(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    assert_eq!(journal.bind_key(&service(1)).await, Ok(KeyBinding::First));
    assert_eq!(journal.bind_key(&service(1)).await, Ok(KeyBinding::Known));
    assert_eq!(journal.bind_key(&service(2)).await, Err(BindKeyError::OtherKey));
    let renamed = ServiceIdentity { name: "other.example".to_owned(), ..service(1) };
    let bound = service(1).name;
    assert_eq!(journal.bind_key(&renamed).await, Err(BindKeyError::OtherName { bound }));
    assert_eq!(journal.bind_key(&service(1)).await, Ok(KeyBinding::Known));
}

#[rstest]
#[tokio::test]
async fn time_is_the_databases_and_never_runs_back(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
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
