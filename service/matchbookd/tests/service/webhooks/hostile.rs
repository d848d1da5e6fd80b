//! One app's receivers cost others nothing.

use std::time::Duration;

use server::WebhookConfig;

use super::shop::{Shop, create, lenient, start_match, webhook};
use crate::stage::{Receiver, Reply};

#[tokio::test]
async fn receivers_that_never_answer_do_not_delay_those_of_another_app() {
    // Attempts that are never answered last as long as this test.
    let config = WebhookConfig { webhook_timeout: Duration::from_secs(60), ..lenient() };
    let shop = Shop::open(config).await;
    let (hole, receiver) = (Receiver::start(), Receiver::start());
    hole.answer(|_| Reply::Nothing);
    for n in 0..10 {
        create(&shop.http, &shop.keys.rival, &hole, &format!("/{n}")).await;
    }
    for _ in 0..20 {
        start_match(&shop.http, &shop.keys.rival).await;
    }
    hole.wait_for(8).await;
    create(&shop.http, &shop.keys.shop, &receiver, "/").await;
    let (id, _) = start_match(&shop.http, &shop.keys.shop).await;
    let received = receiver.wait_for(4).await;
    assert!(received.iter().all(|one| one.match_id() == id));
    assert_eq!(hole.received().len(), 8, "an app has at most so many attempts at once");
    // Not closed gracefully: the attempts would be waited for.
    drop(shop);
}

#[tokio::test]
async fn what_a_dead_receiver_misses_waits_in_the_log_and_not_in_tables() {
    let config = WebhookConfig { webhook_first_retry: Duration::from_secs(3600), ..lenient() };
    let shop = Shop::open(config).await;
    let (http, key, receiver) = (&shop.http, &shop.keys.shop, Receiver::start());
    receiver.answer(|_| Reply::Status(500));
    let hook = create(http, key, &receiver, "/").await;
    for _ in 0..40 {
        start_match(http, key).await;
    }
    while webhook(http, key, &hook.id).await["pendingCount"] != 100 {
        tokio::task::yield_now().await;
    }
    // 160 events have happened; one attempt was made for the first of each match that was reached.
    let tried = receiver.received().len();
    assert!((25..=40).contains(&tried), "{tried}");
    shop.close().await;
}
