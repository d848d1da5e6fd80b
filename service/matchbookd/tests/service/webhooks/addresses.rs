//! Where webhooks may point: with the default settings, at nothing that only the service can reach.

use http::Method;
use serde_json::json;
use server::WebhookConfig;

use super::shop::{Shop, call, create_of, lenient};
use crate::stage::Receiver;

#[tokio::test]
async fn urls_of_private_networks_and_local_names_are_refused() {
    let shop = Shop::open(WebhookConfig { webhook_allow_http: true, ..WebhookConfig::default() }).await;
    let (http, key, receiver) = (&shop.http, &shop.keys.shop, Receiver::start());
    let port = receiver.address.rsplit(':').next().unwrap();
    for url in [
        format!("http://127.0.0.1:{port}/"),
        format!("http://[::1]:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        format!("http://2130706433:{port}/"),
        format!("http://0x7f000001:{port}/"),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://10.0.0.1/".to_owned(),
        format!("http://localhost:{port}/"),
        format!("http://hooks.localhost.:{port}/"),
        "https://metadata.google.internal/".to_owned(),
        "https://redis:6379/".to_owned(),
        "http://user:word@shop.example/".to_owned(),
        "https://shop.example/#fragment".to_owned(),
        format!("https://shop.example/{}", "a".repeat(2048)),
        "file:///etc/passwd".to_owned(),
        String::new(),
    ] {
        let refused = call(http, Method::POST, "/v1/webhooks", key, json!({"url": url})).await;
        let error = refused.refused(400, "INVALID_ARGUMENT");
        assert!(error["message"].as_str().unwrap().starts_with("url: must"), "{url}: {error}");
    }
    let hook = create_of(http, key, "https://shop.example/", &[]).await;
    let path = format!("/v1/webhooks/{}", hook.id);
    let change = json!({"url": format!("http://127.0.0.1:{port}/")});
    call(http, Method::PATCH, &path, key, change).await.refused(400, "INVALID_ARGUMENT");
    assert_eq!(receiver.connections(), 0);
    shop.close().await;
}

#[tokio::test]
async fn http_needs_permission() {
    let config = WebhookConfig { webhook_allow_http: false, ..lenient() };
    let shop = Shop::open(config).await;
    let body = json!({"url": "http://shop.example/"});
    let refused = call(&shop.http, Method::POST, "/v1/webhooks", &shop.keys.shop, body).await;
    refused.refused(400, "INVALID_ARGUMENT");
    shop.close().await;
}

#[tokio::test]
async fn a_url_that_was_allowed_before_is_judged_again() {
    let storage = crate::stage::Storage::here(crate::stage::Backend::Sqlite).await;
    let shop = Shop::on(&storage, lenient()).await;
    let receiver = Receiver::start();
    let port = receiver.address.rsplit(':').next().unwrap();
    let mut hooks = Vec::new();
    for url in [receiver.url("/"), format!("http://localhost:{port}/")] {
        hooks.push(create_of(&shop.http, &shop.keys.shop, &url, &[]).await);
    }
    let Shop { stage, keys, .. } = shop;
    stage.close().await;
    let config = WebhookConfig { webhook_allow_http: true, ..WebhookConfig::default() };
    let strict = Shop::with(&storage, config, keys).await;
    for hook in hooks {
        let path = format!("/v1/webhooks/{}:ping", hook.id);
        let answer = call(&strict.http, Method::POST, &path, &strict.keys.shop, json!({})).await.json();
        let failure = "the host has no address that this service sends to";
        assert_eq!(answer, json!({"delivered": false, "failure": failure}));
    }
    assert_eq!(receiver.connections(), 0);
    strict.close().await;
}
