//! What is kept for webhooks says nothing of a player: once erased, neither name nor id stands anywhere in
//! the database, and no delivery has them, whether it was pending or given up before.

use std::time::Duration;

use http::Method;
use rstest::rstest;
use serde_json::{Value, json};
use server::WebhookConfig;

use super::shop::{Shop, call, create, lenient, webhook};
use crate::stage::{Backend, Receiver, Reply, Storage};

const NAME: &str = "Unmistakable";
const ID: &str = "unforgettable-77";

/// Creates a match and claims both seats for the player. Returns its id.
async fn start_match(shop: &Shop) -> String {
    let key = &shop.keys.shop;
    let body = json!({"gameId": "ludus-magus"});
    let created = call(&shop.http, Method::POST, "/v1/matches", key, body).await.json();
    let id = created["match"]["matchId"].as_str().unwrap().to_owned();
    for seat in 0..2 {
        let path = format!("/v1/matches/{id}/seats/{seat}:claim");
        let body = json!({"player": {"displayName": NAME, "playerId": ID}});
        let claimed = call(&shop.http, Method::POST, &path, key, body).await.json();
        assert_eq!(claimed["match"]["seats"][seat]["player"]["playerId"], ID, "{claimed}");
    }
    id
}

async fn erase_both(shop: &Shop, match_id: &str) {
    for seat in 0..2 {
        let path = format!("/v1/matches/{match_id}/seats/{seat}:redactPlayer");
        let erased = call(&shop.http, Method::POST, &path, &shop.keys.shop, json!({})).await;
        assert_eq!(erased.status, 200, "{}", erased.text());
    }
}

async fn wait_for(shop: &Shop, hook: &str, is: impl Fn(&Value) -> bool) {
    while !is(&webhook(&shop.http, &shop.keys.shop, hook).await) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[rstest]
#[tokio::test]
async fn nothing_that_is_kept_holds_an_erased_player(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let Some(storage) = Storage::of(backend).await else { return };
    let config = WebhookConfig { webhook_give_up: Duration::from_secs(1), ..lenient() };
    let shop = Shop::on(&storage, config).await;
    let receiver = Receiver::start();
    receiver.answer(|_| Reply::Status(500));
    let hook = create(&shop.http, &shop.keys.shop, &receiver, "/").await;
    let given_up = start_match(&shop).await;
    wait_for(&shop, &hook.id, |hook| hook["deadLetterCount"] == 4).await;
    let attempts = receiver.received();
    assert!(attempts.iter().any(|one| shows(&one.body, NAME)), "the name was sent");
    // This test can see what is stored.
    assert!(storage.holds(NAME.as_bytes()).await && storage.holds(ID.as_bytes()).await);

    erase_both(&shop, &given_up).await;
    receiver.answer(|_| Reply::Status(200));
    let retry = format!("/v1/webhooks/{}/deadLetters:retry", hook.id);
    let claim = json!({"deliveryIds": [format!("{given_up}-3")]});
    let retried = call(&shop.http, Method::POST, &retry, &shop.keys.shop, claim).await.json();
    assert_eq!(retried["retriedCount"], 1, "{retried}");
    let received = receiver.wait_for(attempts.len() + 1).await;
    let claimed = received.last().unwrap().json()["data"]["event"]["seatClaimed"].clone();
    assert_eq!((&claimed["seat"], claimed.get("player")), (&json!(1), None));
    receiver.answer(|_| Reply::Status(500));
    let pending = start_match(&shop).await;
    wait_for(&shop, &hook.id, |hook| hook["pendingCount"] != 0).await;
    erase_both(&shop, &pending).await;
    assert!(!receiver.received().iter().any(|one| shows(&one.body, ID)), "no delivery has the id");
    shop.close().await;
    assert!(!storage.holds(NAME.as_bytes()).await && !storage.holds(ID.as_bytes()).await);
    // The dead letters and the log are still there.
    assert!(storage.holds(b"status 500").await && storage.holds(b"ludus-magus").await);
}

fn shows(body: &[u8], what: &str) -> bool {
    body.windows(what.len()).any(|window| window == what.as_bytes())
}
