//! The command `webhook`.

use serde_json::Value;

use crate::service::Service;

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a string: {value}"))
}

/// Returns a service with an API key, which the client sends with each call.
fn with_key() -> (Service, [String; 2]) {
    let (service, key) = Service::with_key();
    (service, ["--token".to_owned(), key])
}

#[test]
fn a_webhook_is_created_shown_changed_and_deleted() {
    let (service, key) = with_key();
    let key = key.each_ref().map(String::as_str);
    let ok = |arguments: &[&str]| service.ok(&[arguments, &key].concat());
    let json = |arguments: &[&str]| service.json(&[arguments, &key].concat())[0].clone();
    assert_eq!(ok(&["webhook", "list"]), "No webhooks.\n");
    let created = json(&["webhook", "create", "https://shop.invalid/a", "--kind", "match_ended"]);
    assert!(text(&created["secret"]).starts_with("whsec_"));
    let id = text(&created["webhook"]["webhookId"]);
    let shown = ok(&["webhook", "show", id]);
    assert!(shown.contains("https://shop.invalid/a") && shown.contains("match_ended"), "{shown}");
    assert!(!shown.contains("whsec_"), "{shown}");
    assert_eq!(ok(&["webhook", "list"]), shown);
    let url = "https://other.invalid/";
    let changed = ok(&["webhook", "update", id, "--url", url, "--all-kinds", "--disable"]);
    assert!(changed.contains(url) && changed.contains("all") && changed.contains("disabled"), "{changed}");
    assert!(ok(&["webhook", "update", id, "--enable"]).contains("enabled"));
    let unchanged = service.run(&[&["webhook", "update", id], &key[..]].concat());
    assert_eq!(unchanged.code, 2, "{}", unchanged.stderr);
    assert!(unchanged.stderr.contains("--url <URL>"), "{}", unchanged.stderr);
    let rotated = json(&["webhook", "rotate", id]);
    assert_ne!(rotated["secret"], created["secret"]);
    assert_eq!(rotated["webhook"]["secretGeneration"], 2);
    let pinged = ok(&["webhook", "ping", id]);
    assert_eq!(pinged, "The ping was not delivered: the host name has no address\n");
    assert_eq!(ok(&["webhook", "dead", id]), "No dead letters.\n");
    assert_eq!(ok(&["webhook", "retry", id]), "Sent again: 0 dead letters.\n");
    assert_eq!(ok(&["webhook", "delete", id]), "The webhook was deleted.\n");
    let gone = service.run(&[&["webhook", "show", id], &key[..]].concat());
    assert_eq!(gone.code, 1);
    assert!(gone.stderr.contains("matchbook webhook list"), "{}", gone.stderr);
}

#[test]
fn a_url_of_a_private_network_is_refused_with_the_reason() {
    let (service, key) = with_key();
    let key = key.each_ref().map(String::as_str);
    let ran = service.run(&[&["webhook", "create", "https://10.0.0.1/"], &key[..]].concat());
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("an address or name of the public internet"), "{}", ran.stderr);
}
