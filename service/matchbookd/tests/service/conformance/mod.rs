//! The script of `clients/conformance`, through curl and grpcurl.

mod curl;
mod grpcurl;

use conformance::{ScriptCredential, ScriptKeys};
use play::{ApiKey, KeyRing, Role};
use server::{Config, WebhookConfig};

use crate::stage::{Backend, Needed, Stage, Storage, needed};

/// Starts a service with the keys of the script, of which each may have one webhook.
async fn service() -> (Stage, ScriptKeys) {
    let roles = [("app", Role::App), ("stranger", Role::App), ("audit", Role::Audit)];
    let [(app, app_secret), (stranger, stranger_secret), (audit, audit_secret)] =
        roles.map(|(name, role)| ApiKey::generate(name, role).unwrap());
    let storage = Storage::here(Backend::Memory).await;
    let webhooks = WebhookConfig { webhooks_per_key: 1, ..WebhookConfig::default() };
    let api_keys = KeyRing::new(vec![app, stranger, audit]).unwrap();
    let stage = Stage::with(Config { api_keys, webhooks, ..storage.config() }).await;
    (stage, ScriptKeys { app: app_secret, stranger: stranger_secret, audit: audit_secret })
}

/// Returns the header of a credential.
fn header(credential: &ScriptCredential) -> Option<String> {
    match credential {
        ScriptCredential::Nobody => None,
        ScriptCredential::Key(key) => Some(format!("authorization: Bearer {key}")),
        ScriptCredential::Token(token) => Some(format!("matchbook-seat-token: {token}")),
    }
}

#[tokio::test]
async fn curl_has_the_outcomes_of_the_script() {
    let Some(program) = needed(Needed::Curl) else { return };
    let (stage, keys) = service().await;
    let curl = curl::Curl::new(program, &stage.address).await;
    conformance::run("curl", &keys, async |call| Some(curl.make(call).await)).await;
    stage.close().await;
}

#[tokio::test]
async fn grpcurl_has_the_outcomes_of_the_script() {
    let Some(program) = needed(Needed::Grpcurl) else { return };
    let (stage, keys) = service().await;
    let grpcurl = grpcurl::Grpcurl::new(program, &stage.address);
    conformance::run("grpcurl", &keys, async |call| Some(grpcurl.make(call).await)).await;
    stage.close().await;
}

#[test]
fn the_script_refuses_for_every_reason_that_it_can_cause() {
    let script = conformance::Script::read();
    assert!(script.steps.len() >= 60, "{}", script.steps.len());
    for reason in server::error_reasons() {
        let name = play::reason_name(reason);
        let refused = script.steps.iter().filter_map(|step| step.refused.as_ref());
        let is_caused = refused.clone().any(|refusal| refusal.reason == name);
        assert_ne!(is_caused, script.not_caused.contains_key(name), "{name}");
    }
    let is_known = |name: &str| server::error_reasons().any(|reason| play::reason_name(reason) == name);
    for name in script.not_caused.keys() {
        assert!(is_known(name), "{name} is no reason");
    }
}
