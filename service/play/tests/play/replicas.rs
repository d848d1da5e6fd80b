//! Two replicas on one Postgres: a stale cache neither refuses a legal move nor shows an old position, and no
//! move is lost or doubled when both replicas are used at once.

use std::time::Duration;

use futures_util::StreamExt;
use journal::{Journal, JournalConfig};
use play::{Caller, Capacity, Play};
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;
use wire::v1::watch_match_response::Frame;
use wire::v1::{self as proto, ErrorReason};

use crate::fixture::{self, Fixture};

/// A database of its own for one test, dropped at its end.
pub(crate) struct Database {
    server: String,
    name: String,
}

impl Database {
    /// Creates a database; returns `None` if there is no Postgres to test with.
    pub(crate) async fn create() -> Option<Self> {
        let Ok(server) = std::env::var("MATCHBOOK_TEST_DATABASE_URL") else {
            let required = std::env::var_os("MATCHBOOK_TEST_REQUIRE_ALL").is_some();
            assert!(!required, "MATCHBOOK_TEST_DATABASE_URL is not set");
            println!("SKIPPED: replicas need a Postgres in MATCHBOOK_TEST_DATABASE_URL");
            return None;
        };
        let name = format!("matchbook_test_{}", Uuid::new_v4().simple());
        execute(&server, format!("CREATE DATABASE {name}")).await;
        Some(Self { server, name })
    }

    pub(crate) fn url(&self) -> String {
        let (server, _) = self.server.rsplit_once('/').unwrap();
        format!("{server}/{}", self.name)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let statement = format!("DROP DATABASE {} WITH (FORCE)", self.name);
        let server = self.server.clone();
        // The test's own runtime cannot block here.
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(execute(&server, statement));
        });
        // If the test failed, it has already reported why.
        let _ = dropped.join();
    }
}

/// Executes statements behind the service's back.
pub(crate) async fn execute(url: &str, statements: String) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    sqlx::raw_sql(sqlx::AssertSqlSafe(statements)).execute(&mut connection).await.unwrap();
}

async fn two_replicas() -> Option<([Play; 2], Database)> {
    let database = Database::create().await?;
    let open = || async { fixture::on(fixture::open(&database.url()).await, Capacity::default()).await };
    let plays = [open().await, open().await];
    Some((plays, database))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_replica_continues_where_the_other_stopped() {
    let Some(([one, two], _database)) = two_replicas().await else { return };
    let fixture = Fixture::start(&one, 10).await;
    for turn in 0..10 {
        let (here, there) = if turn % 2 == 0 { (&one, &two) } else { (&two, &one) };
        fixture.submit(here, &fixture.angels, "1,1").await.unwrap();
        // The other replica knows of the first choice, so it refuses a second one.
        assert!(fixture.submit(there, &fixture.angels, "1,1").await.is_err());
        let view = proto::GetViewRequest { match_id: fixture.match_id.clone(), ..Default::default() };
        let view = there.get_view(&fixture.demons, view).await.unwrap().view.unwrap();
        assert_eq!(view.sealed, [0]);
        fixture.submit(there, &fixture.demons, "3,3").await.unwrap();
    }
    assert_eq!(fixture.events(&one).await, fixture.events(&two).await);
    assert_eq!(fixture.events(&one).await.len(), 4 + 30 + 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_sent_to_both_replicas_takes_effect_once() {
    let Some(([one, two], _database)) = two_replicas().await else { return };
    let fixture = Fixture::start(&one, 30).await;
    for _ in 0..30 {
        for caller in [&fixture.angels, &fixture.demons] {
            let request = fixture::submit(&fixture.match_id, "2,2", Some(Uuid::new_v4()));
            let (a, b) = tokio::join!(
                one.submit_move(caller, request.clone()),
                two.submit_move(caller, request.clone())
            );
            assert_eq!(a.unwrap(), b.unwrap());
        }
    }
    let events = fixture.events(&two).await;
    assert_eq!(events.len(), 4 + 90 + 1);
    assert!(events.iter().zip(1..).all(|(event, seq)| event.seq == seq));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn claims_on_different_replicas_at_once_start_the_match() {
    let Some(([one, two], _database)) = two_replicas().await else { return };
    for _ in 0..10 {
        let created = one.create_match(&Caller::anonymous(), fixture::create(1)).await.unwrap();
        let match_id = created.r#match.unwrap().match_id;
        let (zero, other) = (fixture::claim(&match_id, 0), fixture::claim(&match_id, 1));
        let anonymous = Caller::anonymous();
        let (a, b) = tokio::join!(one.claim_seat(&anonymous, zero), two.claim_seat(&anonymous, other));
        let tokens = [a.unwrap().seat_token, b.unwrap().seat_token];
        for (token, notation) in tokens.iter().zip(["1,1", "3,3"]) {
            let submit = fixture::submit(&match_id, notation, None);
            one.submit_move(&fixture::seat(token.as_str()), submit).await.unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watcher_on_one_replica_sees_the_events_of_the_other() {
    let Some(([one, two], _database)) = two_replicas().await else { return };
    let fixture = Fixture::start(&one, 5).await;
    let request = proto::WatchMatchRequest {
        match_id: fixture.match_id.clone(),
        after_seq: Some(0),
        include_view: false,
        after_hash: None,
    };
    let watch = two.watch_match(&Caller::anonymous(), request).await.unwrap();
    let play = async {
        for _ in 0..5 {
            fixture.play_turn(&one).await;
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

/// Opens a journal that hears late of other replicas' commits.
pub(crate) async fn open_slowly(database: &Database) -> Journal {
    let mut config = JournalConfig::new(database.url().parse().unwrap());
    config.timing.idle_poll_interval = Duration::from_secs(3600);
    config.timing.fast_poll_interval = Duration::from_secs(3600);
    Journal::open(config).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replaced_token_gets_no_answer_to_a_retry_from_a_stale_replica() {
    let Some(database) = Database::create().await else { return };
    let one = fixture::on(fixture::open(&database.url()).await, Capacity::default()).await;
    let two = fixture::on(open_slowly(&database).await, Capacity::default()).await;
    let fixture = Fixture::start(&one, 5).await;
    let moved = fixture::submit(&fixture.match_id, "1,1", Some(Uuid::new_v4()));
    let answer = two.submit_move(&fixture.angels, moved.clone()).await.unwrap();
    assert_eq!(two.submit_move(&fixture.angels, moved.clone()).await.unwrap(), answer);
    let rotate = proto::RotateSeatTokenRequest {
        match_id: fixture.match_id.clone(),
        seat: Some(0),
        request_id: None,
        claim_secret: None,
    };
    let fresh = one.rotate_seat_token(&fixture.angels, rotate).await.unwrap().seat_token;
    // The second replica has the old token in its cache, and the answer, which shows the sealed choice.
    let refusal = two.submit_move(&fixture.angels, moved.clone()).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::BadToken);
    assert_eq!(two.submit_move(&fixture::seat(fresh), moved).await.unwrap(), answer);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retried_claim_gets_no_token_from_a_stale_replica_once_it_was_replaced() {
    let Some(database) = Database::create().await else { return };
    let one = fixture::on(fixture::open(&database.url()).await, Capacity::default()).await;
    let two = fixture::on(open_slowly(&database).await, Capacity::default()).await;
    let created = one.create_match(&Caller::anonymous(), fixture::create(3)).await.unwrap();
    let match_id = created.r#match.unwrap().match_id;
    let claim = proto::ClaimSeatRequest {
        request_id: Some(Uuid::new_v4().to_string()),
        claim_secret: Some(fixture::SECRET.to_owned()),
        ..fixture::claim(&match_id, 0)
    };
    let old = two.claim_seat(&Caller::anonymous(), claim.clone()).await.unwrap().seat_token;
    let again = two.claim_seat(&Caller::anonymous(), claim.clone()).await.unwrap();
    assert_eq!(again.seat_token, old);
    let rotate =
        proto::RotateSeatTokenRequest { match_id, seat: Some(0), request_id: None, claim_secret: None };
    one.rotate_seat_token(&fixture::seat(old), rotate).await.unwrap();
    let late = two.claim_seat(&Caller::anonymous(), claim).await.unwrap();
    assert_eq!(late.seat_token, "");
}
