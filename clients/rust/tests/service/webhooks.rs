//! Webhooks of an API key.

use std::slice;

use matchbook_client::v1::{ErrorReason, WebhookState};
use matchbook_client::{Client, RetryPolicy};

use crate::proxy::Proxy;
use crate::stage::Service;

const URL: &str = "https://example.org/events";

#[tokio::test]
async fn a_webhook_is_created_changed_and_deleted() {
    let (service, key) = Service::with_key();
    let anonymous = Client::connect(&service.address).await.unwrap();
    let webhooks = anonymous.with_api_key(&key).unwrap().webhooks();
    let created = webhooks.create(URL, &["match_ended"]).await.unwrap();
    let webhook = created.webhook.unwrap();
    let id = &*webhook.webhook_id;
    assert_eq!(webhooks.list().await.unwrap(), slice::from_ref(&webhook));
    assert_eq!(webhooks.get(id).await.unwrap().kinds, ["match_ended"]);

    let url = "https://example.org/other";
    assert_eq!(webhooks.set_url(id, url).await.unwrap().url, url);
    assert_eq!(webhooks.set_kinds(id, &[]).await.unwrap().kinds, [""; 0]);
    assert_eq!(webhooks.disable(id).await.unwrap().state(), WebhookState::Disabled);
    assert_eq!(webhooks.enable(id).await.unwrap().state(), WebhookState::Enabled);
    let rotated = webhooks.rotate_secret(id, 1).await.unwrap();
    assert_ne!(rotated.secret, created.secret);
    assert_eq!(rotated.webhook.unwrap().secret_generation, 2);

    // The network of the test has no such host.
    assert!(!webhooks.ping(id).await.unwrap().delivered);
    assert_eq!(webhooks.dead_letters(id).await.unwrap(), []);
    assert_eq!(webhooks.retry_dead_letters(id, &[]).await.unwrap(), 0);
    webhooks.delete(id).await.unwrap();
    assert!(webhooks.get(id).await.unwrap_err().is(ErrorReason::UnknownWebhook));
    assert!(anonymous.webhooks().list().await.unwrap_err().is(ErrorReason::MissingKey));
}

#[tokio::test]
async fn a_lost_answer_creates_no_second_webhook() {
    let (service, key) = Service::with_key();
    let proxy = Proxy::before(&service.address);
    let client = Client::connect(&proxy.address()).await.unwrap().with_api_key(&key).unwrap();
    let webhooks = client.with_retry(RetryPolicy::default().attempts(100)).webhooks();
    assert_eq!(webhooks.list().await.unwrap(), []);
    proxy.lose_the_next_answer();
    let created = webhooks.create(URL, &[]).await.unwrap();
    assert!(created.secret.starts_with("whsec_") && proxy.connections() > 1);
    assert_eq!(webhooks.list().await.unwrap(), [created.webhook.unwrap()]);
}
