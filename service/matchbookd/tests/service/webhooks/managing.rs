//! Creating, listing, changing and deleting webhooks, over both doors.

use http::Method;
use serde_json::{Value, json};
use server::{WebhookConfig, WebhookSwitch};
use tonic::Code;
use wire::v1;
use wire::v1::webhook_service_client::WebhookServiceClient;

use super::shop::{Keys, Shop, call, create_of, lenient, signature, start_match, webhook};
use crate::stage::{Backend, Http, Receiver, Reply, Stage, Storage, refused, run, sent};

const URL: &str = "https://shop.example/hook";

#[tokio::test]
async fn a_webhook_is_its_keys_and_an_admin_may_see_and_delete_it() {
    let shop = Shop::open(lenient()).await;
    let (http, keys) = (&shop.http, &shop.keys);
    let hook = create_of(http, &keys.shop, URL, &["move_made"]).await;
    let shown = webhook(http, &keys.shop, &hook.id).await;
    assert_eq!(
        (&shown["owner"], &shown["url"], &shown["kinds"]),
        (&json!("shop"), &json!(URL), &json!(["move_made"]))
    );
    assert_eq!(shown["state"], "WEBHOOK_STATE_ENABLED");
    assert!(!shown.to_string().contains("whsec_"));
    let path = format!("/v1/webhooks/{}", hook.id);
    for (method, path) in [
        (Method::GET, path.clone()),
        (Method::PATCH, path.clone()),
        (Method::DELETE, path.clone()),
        (Method::POST, format!("{path}:rotateSecret")),
        (Method::POST, format!("{path}:ping")),
        (Method::GET, format!("{path}/deadLetters")),
        (Method::POST, format!("{path}/deadLetters:retry")),
    ] {
        let sent = async |key: &str| call(http, method.clone(), &path, key, json!({})).await;
        sent(&keys.rival).await.refused(404, "UNKNOWN_WEBHOOK");
        sent(&keys.auditor).await.refused(403, "NOT_ALLOWED");
        sent("").await.refused(401, "MISSING_KEY");
        sent("mbk_unknown").await.refused(401, "BAD_TOKEN");
        if method != Method::GET && method != Method::DELETE || path.ends_with("deadLetters") {
            sent(&keys.boss).await.refused(404, "UNKNOWN_WEBHOOK");
        }
    }
    let list = async |key: &str, query: &str| {
        call(http, Method::GET, &format!("/v1/webhooks{query}"), key, Value::Null).await
    };
    assert_eq!(list(&keys.rival, "").await.json()["webhooks"], json!([]));
    assert_eq!(list(&keys.boss, "").await.json()["webhooks"], json!([]));
    assert_eq!(list(&keys.boss, "?allOwners=true").await.json()["webhooks"][0], shown);
    list(&keys.shop, "?allOwners=true").await.refused(403, "NOT_ALLOWED");
    assert_eq!(webhook(http, &keys.boss, &hook.id).await, shown);
    assert_eq!(call(http, Method::DELETE, &path, &keys.boss, Value::Null).await.json(), json!({}));
    call(http, Method::GET, &path, &keys.shop, Value::Null).await.refused(404, "UNKNOWN_WEBHOOK");
    shop.close().await;
}

#[tokio::test]
async fn a_key_has_a_limited_number_of_webhooks_listed_in_pages() {
    let config = WebhookConfig { webhooks_per_key: 3, ..lenient() };
    let shop = Shop::open(config).await;
    let (http, keys) = (&shop.http, &shop.keys);
    for _ in 0..3 {
        create_of(http, &keys.shop, URL, &[]).await;
    }
    let more = call(http, Method::POST, "/v1/webhooks", &keys.shop, json!({"url": URL})).await;
    let error = more.refused(409, "TOO_MANY_WEBHOOKS");
    assert!(error.to_string().contains(r#""max_webhooks":"3""#), "{error}");
    create_of(http, &keys.rival, URL, &[]).await;
    let list = async |query: &str| {
        call(http, Method::GET, &format!("/v1/webhooks?{query}"), &keys.shop, Value::Null).await
    };
    let page = list("pageSize=2").await.json();
    let token = page["nextPageToken"].as_str().unwrap();
    let rest = list(&format!("pageSize=2&pageToken={token}")).await.json();
    assert_eq!(
        (page["webhooks"].as_array().unwrap().len(), rest["webhooks"].as_array().unwrap().len()),
        (2, 1)
    );
    assert_eq!(rest["nextPageToken"], "");
    list("pageToken=mbp_x").await.refused(400, "INVALID_ARGUMENT");
    shop.close().await;
}

#[tokio::test]
async fn a_retried_create_returns_the_same_webhook_and_secret() {
    let shop = Shop::open(lenient()).await;
    let (http, keys) = (&shop.http, &shop.keys);
    let id = "0192f0c1-2b3a-7c4d-8e5f-60718293a4b5";
    let create = async |key: &str, url: &str| {
        call(http, Method::POST, "/v1/webhooks", key, json!({"url": url, "requestId": id})).await
    };
    let first = create(&keys.shop, URL).await.json();
    assert_eq!(create(&keys.shop, URL).await.json(), first);
    create(&keys.shop, "https://other.example/").await.refused(409, "REQUEST_ID_REUSED");
    let other = create(&keys.rival, URL).await.json();
    assert_ne!(other["webhook"]["webhookId"], first["webhook"]["webhookId"], "a request is its key's");
    assert_ne!(other["secret"], first["secret"]);
    // Once the secret was replaced, a retry does not show it.
    let path = format!("/v1/webhooks/{}:rotateSecret", first["webhook"]["webhookId"].as_str().unwrap());
    call(http, Method::POST, &path, &keys.shop, json!({"currentGeneration": 1})).await;
    assert_eq!(create(&keys.shop, URL).await.json()["secret"], "");
    shop.close().await;
}

#[tokio::test]
async fn bad_fields_are_named_over_both_doors() {
    let shop = Shop::open(lenient()).await;
    let (http, key) = (&shop.http, &shop.keys.shop);
    let hook = create_of(http, key, URL, &[]).await;
    let path = format!("/v1/webhooks/{}", hook.id);
    let retry = format!("{path}/deadLetters:retry");
    for (method, path, body, field) in [
        (Method::POST, "/v1/webhooks", json!({"url": URL, "kinds": ["nonsense"]}), "kinds[0]"),
        (Method::POST, "/v1/webhooks", json!({"url": URL, "requestId": "7"}), "requestId"),
        (Method::PATCH, &path, json!({"kinds": {"kinds": ["move_made", ""]}}), "kinds.kinds[1]"),
        (Method::GET, "/v1/webhooks/7", json!({}), "webhookId"),
        (Method::POST, &retry, json!({"deliveryIds": ["x"]}), "deliveryIds[0]"),
    ] {
        let error = call(http, method, path, key, body).await.refused(400, "INVALID_ARGUMENT");
        assert!(error["details"].to_string().contains(&format!(r#""field":"{field}""#)), "{field}: {error}");
    }
    // The kinds that a refusal lists are values, spelled as the service accepts them.
    let error =
        call(http, Method::POST, "/v1/webhooks", key, json!({"url": URL, "kinds": ["moveMade"]})).await;
    let error = error.refused(400, "INVALID_ARGUMENT");
    let listed = error["message"].as_str().unwrap().strip_prefix("kinds[0]: must be one of ").unwrap();
    let kinds: Vec<&str> = listed.split(", ").collect();
    assert!(kinds.contains(&"move_made"), "{error}");
    let accepted = call(http, Method::POST, "/v1/webhooks", key, json!({"url": URL, "kinds": kinds})).await;
    assert_eq!(accepted.status, 200, "{error}");
    let mut grpc = WebhookServiceClient::new(shop.stage.connect().await);
    let request = v1::CreateWebhookRequest { url: "ftp://x".to_owned(), ..Default::default() };
    let outcome = grpc.create_webhook(sent(request, Some(key))).await;
    refused(outcome).is("INVALID_ARGUMENT", Code::InvalidArgument, "url");
    let request = v1::GetWebhookRequest { webhook_id: uuid::Uuid::nil().to_string() };
    let outcome = grpc.get_webhook(sent(request, Some(key))).await;
    refused(outcome).is("UNKNOWN_WEBHOOK", Code::NotFound, "webhook");
    let got = grpc.get_webhook(sent(v1::GetWebhookRequest { webhook_id: hook.id.clone() }, Some(key))).await;
    assert_eq!(got.unwrap().into_inner().webhook.unwrap().webhook_id, hook.id);
    shop.close().await;
}

#[tokio::test]
async fn a_service_without_webhooks_or_keys_says_so() {
    let off = WebhookConfig { webhooks: WebhookSwitch::Off, ..lenient() };
    let shop = Shop::open(off).await;
    let body = json!({"url": URL});
    let answer = call(&shop.http, Method::POST, "/v1/webhooks", &shop.keys.shop, body.clone()).await;
    answer.refused(501, "WEBHOOKS_OFF");
    let listed = call(&shop.http, Method::GET, "/v1/webhooks", &shop.keys.shop, Value::Null).await;
    listed.refused(501, "WEBHOOKS_OFF");
    let mut grpc = WebhookServiceClient::new(shop.stage.connect().await);
    let outcome = grpc.list_webhooks(sent(v1::ListWebhooksRequest::default(), Some(&shop.keys.shop))).await;
    refused(outcome).is("WEBHOOKS_OFF", Code::Unimplemented, "without webhooks");
    shop.close().await;
    let open = Stage::on(Backend::Memory).await;
    call(&Http::of(&open.address), Method::POST, "/v1/webhooks", "", body).await.refused(401, "MISSING_KEY");
    open.close().await;
}

#[tokio::test]
async fn nothing_is_sent_for_a_key_that_was_revoked_until_its_name_is_back() {
    let (storage, receiver) = (Storage::here(Backend::Sqlite).await, Receiver::start());
    let shop = Shop::on(&storage, lenient()).await;
    receiver.answer(|_| Reply::Status(503));
    create_of(&shop.http, &shop.keys.shop, &receiver.url("/"), &[]).await;
    let (id, _) = start_match(&shop.http, &shop.keys.shop).await;
    receiver.wait_for(1).await;
    let Shop { stage, keys, .. } = shop;
    stage.close().await;
    receiver.answer(|_| Reply::Status(200));
    let before = receiver.received().len();
    let other = Shop::with(&storage, lenient(), Keys::of(&keys, &["rival"])).await;
    let own = Receiver::start();
    create_of(&other.http, &other.keys.rival, &own.url("/"), &[]).await;
    start_match(&other.http, &other.keys.rival).await;
    own.wait_for(4).await;
    assert_eq!(receiver.received().len(), before, "deliveries go on, but not for the revoked key");
    other.stage.close().await;
    let shop = Shop::with(&storage, lenient(), keys).await;
    let received = receiver.wait("the whole match", |all| all.iter().any(|one| one.seq() == 4)).await;
    assert!(received.iter().all(|one| one.match_id() == id));
    shop.close().await;
}

#[tokio::test]
async fn after_a_rotation_of_the_service_key_nothing_is_sent_until_the_secret_is_new() {
    let (storage, receiver) = (Storage::here(Backend::Sqlite).await, Receiver::start());
    let shop = Shop::on(&storage, lenient()).await;
    let hook = create_of(&shop.http, &shop.keys.shop, &receiver.url("/"), &[]).await;
    let Shop { stage, keys, .. } = shop;
    stage.close().await;
    let key_file = storage.key_file();
    let retired = key_file.with_file_name("retired.txt");
    let [key_file, retired] = [&key_file, &retired].map(|path| path.to_str().unwrap());
    let rotate = ["key", "rotate", "--database", storage.url(), "--key-file", key_file];
    let (code, _, stderr) = run(&[&rotate[..], &["--retired-keys-file", retired]].concat());
    assert_eq!(code, 0, "{stderr}");

    let shop = Shop::with(&storage, lenient(), keys).await;
    let (http, key) = (&shop.http, &shop.keys.shop);
    start_match(http, key).await;
    let path = format!("/v1/webhooks/{}", hook.id);
    assert_eq!(webhook(http, key, &hook.id).await["state"], "WEBHOOK_STATE_NEEDS_SECRET");
    let ping = call(http, Method::POST, &format!("{path}:ping"), key, json!({})).await;
    ping.refused(400, "INVALID_ARGUMENT");
    assert_eq!(receiver.connections(), 0, "nothing was signed with a secret that nobody has");
    let rotate = format!("{path}:rotateSecret");
    let new = call(http, Method::POST, &rotate, key, json!({"currentGeneration": 1})).await.json();
    assert_eq!(new["webhook"]["state"], "WEBHOOK_STATE_ENABLED");
    assert_eq!(new["webhook"]["previousSecretUntil"], Value::Null);
    let received = receiver.wait_for(4).await;
    let expected = signature(new["secret"].as_str().unwrap(), &received[0]);
    assert_eq!(received[0].header("webhook-signature"), expected);
    shop.close().await;
}
