//! Changes while the lock of their match is held by another one, which is what a slow append looks like.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use journal::{Journal, JournalConfig};
use tokio::sync::OwnedMutexGuard;
use tokio::time::timeout;
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason};

use crate::requests::fields;
use crate::{Caller, Capacity, Play, Refusal, ServiceKey, Settings, ShareHolder};

/// A running match of two seats.
struct Table {
    match_id: String,
    seats: Vec<Caller>,
}

async fn service(changes: usize) -> Play {
    let journal = Journal::open(JournalConfig::new("memory:".parse().unwrap())).await.unwrap();
    let capacity = Capacity { changes, ..Capacity::default() };
    let settings = Settings { capacity, ..Settings::default() };
    Play::start(journal, ServiceKey::from_bytes([9; 32]), settings).await.unwrap()
}

fn new_match() -> proto::CreateMatchRequest {
    proto::CreateMatchRequest { game_id: "angels-and-demons".to_owned(), ..Default::default() }
}

async fn table(play: &Play) -> Table {
    let created = play.create_match(&Caller::anonymous(), new_match()).await.unwrap();
    let match_id = created.r#match.unwrap().match_id;
    let mut seats = Vec::new();
    for seat in [0, 1] {
        let claim = proto::ClaimSeatRequest {
            match_id: match_id.clone(),
            seat: Some(seat),
            player: Some(proto::Player::named("Ada")),
            ..Default::default()
        };
        let claimed = play.claim_seat(&Caller::anonymous(), claim).await.unwrap();
        seats.push(Caller::anonymous().with_seat_token(claimed.seat_token));
    }
    Table { match_id, seats }
}

impl Table {
    fn move_to(&self, square: &str) -> proto::SubmitMoveRequest {
        proto::SubmitMoveRequest {
            match_id: self.match_id.clone(),
            input: Some(proto::submit_move_request::Input::Notation(square.to_owned())),
            request_id: Some(Uuid::new_v4().to_string()),
            ..Default::default()
        }
    }

    async fn submit(&self, play: &Play, seat: usize, square: &str) -> Result<(), Refusal> {
        play.submit_move(&self.seats[seat], self.move_to(square)).await.map(drop)
    }

    async fn hold_lock(&self, play: &Play) -> OwnedMutexGuard<()> {
        let (live, _) = play.matches.cached(fields::match_id(&self.match_id).unwrap(), None).await.unwrap();
        Arc::clone(&live.match_lock).lock_owned().await
    }
}

/// Waits for a call that must not wait for the lock. Time passes only while nothing else can happen.
async fn at_once<T>(call: impl Future<Output = T>) -> T {
    timeout(Duration::from_secs(60), call).await.expect("the call waits for the lock")
}

#[tokio::test(start_paused = true)]
async fn a_retry_is_answered_without_the_lock() {
    let play = service(16).await;
    let table = table(&play).await;
    let request = table.move_to("1,1");
    let first = play.submit_move(&table.seats[0], request.clone()).await.unwrap();
    table.submit(&play, 1, "8,8").await.unwrap();
    let _held = table.hold_lock(&play).await;
    for _ in 0..100 {
        let again = at_once(play.submit_move(&table.seats[0], request.clone())).await;
        assert_eq!(again.as_ref(), Ok(&first));
    }
    let other = proto::SubmitMoveRequest { request_id: request.request_id, ..table.move_to("2,2") };
    let refusal = at_once(play.submit_move(&table.seats[0], other)).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::RequestIdReused);
}

#[tokio::test(start_paused = true)]
async fn strangers_are_refused_without_the_lock() {
    let play = service(16).await;
    let table = table(&play).await;
    let _held = table.hold_lock(&play).await;
    for stranger in [Caller::anonymous(), Caller::anonymous().with_seat_token("mbs_none")] {
        at_once(play.submit_move(&stranger, table.move_to("1,1"))).await.unwrap_err();
        let claim =
            proto::ClaimSeatRequest { match_id: table.match_id.clone(), seat: Some(0), ..Default::default() };
        at_once(play.claim_seat(&stranger, claim)).await.unwrap_err();
    }
}

#[tokio::test(start_paused = true)]
async fn a_change_whose_caller_leaves_before_the_append_is_dropped_with_its_permit() {
    let play = service(1).await;
    let table = table(&play).await;
    let held = table.hold_lock(&play).await;
    assert!(table.submit(&play, 0, "1,1").now_or_never().is_none(), "it waits");
    tokio::task::yield_now().await;
    at_once(play.create_match(&Caller::anonymous(), new_match())).await.expect("the permit is free");
    drop(held);
    // The seat may still choose: the abandoned choice was not made.
    at_once(table.submit(&play, 0, "2,2")).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn one_seat_cannot_fill_the_queue_of_its_match() {
    let play = service(1_000).await;
    let table = table(&play).await;
    let held = table.hold_lock(&play).await;
    let mut waiting: Vec<_> = (0..100).map(|_| Box::pin(table.submit(&play, 0, "1,1"))).collect();
    let refused: Vec<_> = waiting.iter_mut().filter_map(FutureExt::now_or_never).collect();
    assert_eq!(refused.len(), 68);
    for result in refused {
        let refusal = result.unwrap_err();
        assert_eq!(refusal.reason, ErrorReason::RateLimited);
        assert!(refusal.retry_after.is_some());
    }
    let mut other = Box::pin(table.submit(&play, 1, "8,8"));
    assert!((&mut other).now_or_never().is_none(), "it waits like the rest");
    // Places are given up with the calls.
    waiting.clear();
    drop(held);
    at_once(other).await.unwrap();
    at_once(table.submit(&play, 0, "1,1")).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn one_caller_cannot_take_the_permits_of_all_changes() {
    let play = service(16).await;
    let caller = |number| Caller::anonymous().with_share_holder(Some(ShareHolder::new(number)));
    let tables = [table(&play).await, table(&play).await];
    let held = [tables[0].hold_lock(&play).await, tables[1].hold_lock(&play).await];
    let submit = async |table: &Table, number| {
        let seat = table.seats[0].clone().with_share_holder(Some(ShareHolder::new(number)));
        play.submit_move(&seat, table.move_to("1,1")).await
    };
    let mut waiting: Vec<_> = (0..20).map(|number| Box::pin(submit(&tables[number % 2], 1))).collect();
    let refused: Vec<_> = waiting.iter_mut().filter_map(FutureExt::now_or_never).collect();
    assert_eq!(refused.len(), 16, "a quarter of the permits is taken");
    for result in refused {
        let refusal = result.unwrap_err();
        assert_eq!(refusal.reason, ErrorReason::RateLimited);
        assert!(refusal.message.contains("its share") && refusal.retry_after.is_some());
    }
    let refusal = at_once(play.create_match(&caller(1), new_match())).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::RateLimited);
    at_once(play.create_match(&caller(2), new_match())).await.unwrap();
    drop((waiting, held));
    at_once(play.create_match(&caller(1), new_match())).await.unwrap();
}
