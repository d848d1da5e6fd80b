//! Two replicas over one Postgres: a stale cache refuses nothing that is legal now,
//! shows nothing old, and no move is lost or doubled when both are used at once.

use futures_util::StreamExt;
use play::{Caller, Limits, Play};
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;
use wire::v1 as proto;
use wire::v1::watch_match_response::Frame;

use crate::table::{self, Table};

/// A database of a test's own, dropped with it.
struct Database {
    server: String,
    name: String,
}

impl Database {
    /// Makes one; none if there is no Postgres to test with.
    async fn make() -> Option<Self> {
        let Ok(server) = std::env::var("MATCHBOOK_TEST_DATABASE_URL") else {
            let required = std::env::var_os("MATCHBOOK_TEST_REQUIRE_ALL").is_some();
            assert!(!required, "MATCHBOOK_TEST_DATABASE_URL is not set");
            println!("SKIPPED: replicas need a Postgres in MATCHBOOK_TEST_DATABASE_URL");
            return None;
        };
        let name = format!("matchbook_test_{}", Uuid::new_v4().simple());
        command(&server, format!("CREATE DATABASE {name}")).await;
        Some(Self { server, name })
    }

    fn url(&self) -> String {
        let (server, _) = self.server.rsplit_once('/').unwrap();
        format!("{server}/{}", self.name)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let drop_it = format!("DROP DATABASE {} WITH (FORCE)", self.name);
        let server = self.server.clone();
        // The test's own runtime can't wait here.
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(command(&server, drop_it));
        });
        // A test that fails has said why already.
        let _ = dropped.join();
    }
}

async fn command(url: &str, statement: String) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    sqlx::query(sqlx::AssertSqlSafe(statement)).execute(&mut connection).await.unwrap();
}

async fn two() -> Option<([Play; 2], Database)> {
    let database = Database::make().await?;
    let open = || async { table::open(&database.url(), Limits::default()).await };
    let plays = [open().await, open().await];
    Some((plays, database))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_replica_goes_on_where_the_other_stopped() {
    let Some(([one, two], _database)) = two().await else { return };
    let table = Table::start(&one, 10).await;
    for turn in 0..10 {
        let (here, there) = if turn % 2 == 0 { (&one, &two) } else { (&two, &one) };
        table.submit(here, &table.angels, "1,1").await.unwrap();
        // Refused everywhere, whoever made the first choice.
        assert!(table.submit(there, &table.angels, "1,1").await.is_err());
        let view = proto::GetViewRequest { match_id: table.match_id.clone(), ..Default::default() };
        let view = there.get_view(&table.demons, view).await.unwrap().view.unwrap();
        assert_eq!(view.sealed, [i32::from(proto::Seat::Zero)]);
        table.submit(there, &table.demons, "3,3").await.unwrap();
    }
    assert_eq!(table.events(&one).await, table.events(&two).await);
    assert_eq!(table.events(&one).await.len(), 4 + 30 + 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_sent_to_both_at_once_is_made_once() {
    let Some(([one, two], _database)) = two().await else { return };
    let table = Table::start(&one, 30).await;
    for _ in 0..30 {
        for caller in [&table.angels, &table.demons] {
            let request = table::submit(&table.match_id, "2,2", Some(Uuid::new_v4()));
            let (a, b) = tokio::join!(
                one.submit_move(caller, request.clone()),
                two.submit_move(caller, request.clone())
            );
            assert_eq!(a.unwrap(), b.unwrap());
        }
    }
    let events = table.events(&two).await;
    assert_eq!(events.len(), 4 + 90 + 1);
    assert!(events.iter().zip(1..).all(|(event, seq)| event.seq == seq));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_seats_claimed_on_different_replicas_at_once_start_the_match() {
    let Some(([one, two], _database)) = two().await else { return };
    for _ in 0..10 {
        let created = one.create_match(&Caller::anonymous(), table::create(1)).await.unwrap();
        let match_id = created.r#match.unwrap().match_id;
        let (zero, other) =
            (table::claim(&match_id, proto::Seat::Zero), table::claim(&match_id, proto::Seat::One));
        let nobody = Caller::anonymous();
        let (a, b) = tokio::join!(one.claim_seat(&nobody, zero), two.claim_seat(&nobody, other));
        let tokens = [a.unwrap().seat_token, b.unwrap().seat_token];
        for (token, notation) in tokens.iter().zip(["1,1", "3,3"]) {
            let submit = table::submit(&match_id, notation, None);
            one.submit_move(&Caller::with_token(token.as_str()), submit).await.unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watcher_on_one_replica_sees_what_happens_on_the_other() {
    let Some(([one, two], _database)) = two().await else { return };
    let table = Table::start(&one, 5).await;
    let request = proto::WatchMatchRequest { match_id: table.match_id.clone(), after_seq: Some(0) };
    let watch = two.watch_match(&Caller::anonymous(), request).await.unwrap();
    let play = async {
        for _ in 0..5 {
            table.turn(&one).await;
        }
    };
    let seqs = watch.filter_map(|frame| async {
        match frame.unwrap().frame {
            Some(Frame::Event(event)) => Some(event.seq),
            _ => None,
        }
    });
    let (seqs, ()) = tokio::join!(seqs.collect::<Vec<_>>(), play);
    assert_eq!(seqs, (1..=20).collect::<Vec<_>>());
}
