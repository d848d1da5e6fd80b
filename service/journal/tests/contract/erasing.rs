//! Erasing players: what is erased stands nowhere in the database, never comes back, and other replicas hear
//! of it.

use futures_util::future::join_all;
use journal::{Append, AppendError, Journal, MatchId, MatchRow, PlayerRow, Scope, SeatRow};
use rstest::rstest;
use tokio::sync::broadcast::error::TryRecvError;

use crate::samples::{create, created, log, move_at, new_id, row};
use crate::stores::{Kind, TestStore};

const NAME: &str = "Zoë Unmistakable";
const ID: &str = "unmistakable-7";

/// Returns a row with a player in each of these seats, and none in the others.
fn seated(id: MatchId, generations: [Option<u32>; 3]) -> MatchRow {
    let player =
        PlayerRow { salt: [0xa7; 32], display_name: NAME.to_owned(), player_id: Some(ID.to_owned()) };
    let seat = |generation| SeatRow { token_hash: [9; 32], generation, player: Some(player.clone()) };
    MatchRow { seats: generations.map(|generation| generation.map(seat)).into(), ..row(id) }
}

async fn create_seated(journal: &Journal) -> (MatchId, journal::Hlc) {
    let id = new_id();
    let row = seated(id, [Some(1), None, Some(1)]);
    (id, journal.append(Append { match_row: Some(row), ..create(id) }).await.unwrap().hlc)
}

/// Returns which seats have a player, in the order of seats.
async fn players(journal: &Journal, id: MatchId) -> Vec<bool> {
    let seats = journal.match_row(id).await.unwrap().unwrap().seats;
    seats.iter().map(|seat| seat.as_ref().is_some_and(|seat| seat.player.is_some())).collect()
}

#[rstest]
#[tokio::test]
async fn an_erased_player_is_gone_and_everything_else_stays(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (id, hlc) = create_seated(&journal).await;
    let before = log(&journal, id).await;
    journal.erase_player(id, 2).await.unwrap();
    let mut expected = seated(id, [Some(1), None, Some(1)]);
    expected.seats[2].as_mut().unwrap().player = None;
    assert_eq!(journal.match_row(id).await.unwrap(), Some(expected));
    assert_eq!(log(&journal, id).await, before);
    // Again, and where there is nothing to erase.
    for (id, seat) in [(id, 2), (id, 1), (id, 7), (new_id(), 0)] {
        journal.erase_player(id, seat).await.unwrap();
    }
    assert_eq!(players(&journal, id).await, [true, false, false]);
    // A stale row and a new token do not bring the player back.
    let rows = [seated(id, [Some(1), None, Some(1)]), seated(id, [Some(1), None, Some(2)])];
    let mut last = hlc;
    for (seq, row) in (2..).zip(rows) {
        let append = Append { match_row: Some(row), ..move_at(id, seq, last, "x") };
        last = journal.append(append).await.unwrap().hlc;
        assert_eq!(players(&journal, id).await, [true, false, false]);
    }
    let generations = journal.match_row(id).await.unwrap().unwrap().seats;
    assert_eq!(generations[2].as_ref().unwrap().generation, 2);
}

#[rstest]
#[tokio::test]
async fn no_filter_finds_an_erased_player(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (id, _) = create_seated(&journal).await;
    let everything = crate::listing::ALL;
    let of_owner = journal::MatchFilter { scope: Scope::OwnedBy("ann".to_owned()), ..everything };
    let filters = [
        journal::MatchFilter { display_name: Some(NAME.to_owned()), ..of_owner.clone() },
        journal::MatchFilter { player_id: Some(ID.to_owned()), ..of_owner },
    ];
    for erased in [None, Some(0), Some(2)] {
        if let Some(seat) = erased {
            journal.erase_player(id, seat).await.unwrap();
        }
        let left = usize::from(erased != Some(2));
        for filter in &filters {
            assert_eq!(journal.list_matches(filter).await.unwrap().rows.len(), left, "{filter:?}");
        }
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn erasures_and_appends_do_not_hold_each_other_up(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let matches = join_all((0..50).map(|_| create_seated(&journal))).await;
    let erasures = matches.iter().map(|&(id, _)| journal.erase_player(id, 0));
    let appends = matches.iter().map(|&(id, hlc)| journal.append(move_at(id, 2, hlc, "x")));
    let (erased, appended) = tokio::join!(join_all(erasures), join_all(appends));
    assert!(erased.iter().all(Result::is_ok) && appended.iter().all(Result::is_ok));
    for (id, _) in matches {
        assert_eq!(players(&journal, id).await, [false, false, true]);
    }
}

#[tokio::test]
async fn a_closed_journal_erases_nothing() {
    let store = TestStore::new(Kind::Sqlite).await.unwrap();
    let journal = store.open().await;
    let (id, _) = create_seated(&journal).await;
    journal.clone().close().await;
    assert_eq!(journal.erase_player(id, 0).await, Err(AppendError::Stopped));
}

#[rstest]
#[tokio::test]
async fn other_replicas_hear_of_an_erasure_once_and_its_own_does_not(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let (here, there) = (store.open().await, store.open().await);
    let _fast = here.poll_fast();
    let (mut heard_here, mut heard_there) = (here.erasures(), there.erasures());
    let (id, _) = create_seated(&there).await;
    there.erase_player(id, 0).await.unwrap();
    assert_eq!(heard_here.recv().await.unwrap(), id);
    assert_eq!(players(&here, id).await, [false, false, true]);
    let (later, _) = created(&there).await;
    there.erase_player(later, 0).await.unwrap();
    assert_eq!(heard_here.recv().await.unwrap(), later);
    assert_eq!(heard_here.try_recv(), Err(TryRecvError::Empty));
    assert_eq!(heard_there.try_recv(), Err(TryRecvError::Empty));
}

#[tokio::test]
async fn a_sqlite_file_holds_nothing_of_an_erased_player_once_it_is_closed() {
    let store = TestStore::new(Kind::Sqlite).await.unwrap();
    let holds = |what: &[u8]| {
        let mut files = std::fs::read_dir(std::path::Path::new(store.path()).parent().unwrap()).unwrap();
        files.any(|file| {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            bytes.windows(what.len()).any(|window| window == what)
        })
    };
    let planted = [NAME.as_bytes(), ID.as_bytes(), &[0xa7; 32]];
    let journal = store.open().await;
    let (id, _) = create_seated(&journal).await;
    journal.erase_player(id, 0).await.unwrap();
    // The other seat's player is still there, so this test can see one.
    assert!(planted.iter().all(|what| holds(what)));
    journal.erase_player(id, 2).await.unwrap();
    journal.close().await;
    assert!(!planted.iter().any(|what| holds(what)));
}
