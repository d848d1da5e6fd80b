//! The script of `clients/conformance`, through curl and grpcurl.

mod curl;
mod grpcurl;

use std::collections::BTreeMap;
use std::process::{Command, Output};

use conformance::{ScriptCall, ScriptCredential, ScriptKeys};
use play::{ApiKey, Role};

use crate::stage::{Backend, Needed, Process, Storage, needed};

/// The services of the script, and its keys.
struct Services {
    /// `127.0.0.1:PORT` of each.
    addresses: BTreeMap<String, String>,
    keys: ScriptKeys,
    /// They end with the test.
    _processes: BTreeMap<String, (Process, Storage)>,
}

/// Starts the services of the script, each with its keys.
async fn services() -> Services {
    let roles = [("app", Role::App), ("stranger", Role::App), ("audit", Role::Audit)];
    let made = roles.map(|(name, role)| ApiKey::generate(name, role).unwrap());
    let lines = made.iter().map(|(key, _)| key.to_string()).collect::<Vec<_>>().join(",");
    let mut processes = BTreeMap::new();
    for (name, flags) in conformance::Script::read().services {
        let storage = Storage::here(Backend::Memory).await;
        let flags = flags.iter().map(String::as_str).chain(["--api-key", &lines]).collect::<Vec<_>>();
        let process = Process::serve(&storage, &flags);
        processes.insert(name, (process, storage));
    }
    let addresses =
        processes.iter().map(|(name, (process, _))| (name.clone(), process.address.clone())).collect();
    let [app, stranger, audit] = made.map(|(_, secret)| secret);
    Services { addresses, keys: ScriptKeys { app, stranger, audit }, _processes: processes }
}

/// Returns the headers of a credential.
fn headers(credential: &ScriptCredential) -> Vec<String> {
    let of_key = |key: &str| format!("authorization: Bearer {key}");
    let of_token = |token: &str| format!("matchbook-seat-token: {token}");
    match credential {
        ScriptCredential::Nobody => vec![],
        ScriptCredential::Key(key) => vec![of_key(key)],
        ScriptCredential::Token(token) => vec![of_token(token)],
        ScriptCredential::TokenAndKey(token, key) => vec![of_token(token), of_key(key)],
    }
}

/// Runs a command that makes a call. If its answer is lost, the command must fail, and is run again.
async fn output(mut command: Command, call: &ScriptCall) -> Output {
    let is_lost = call.is_lost;
    tokio::task::spawn_blocking(move || {
        if is_lost {
            let lost = command.output().unwrap();
            assert!(!lost.status.success(), "{command:?}: {lost:?}");
        }
        command.output().unwrap()
    })
    .await
    .unwrap()
}

#[tokio::test]
async fn curl_has_the_outcomes_of_the_script() {
    let Some(program) = needed(Needed::Curl) else { return };
    let services = services().await;
    let curl = curl::Curl::new(program, &services.addresses["main"]).await;
    conformance::run("curl", &services.keys, &services.addresses, async |call| Some(curl.make(call).await))
        .await;
}

#[tokio::test]
async fn grpcurl_has_the_outcomes_of_the_script() {
    let Some(program) = needed(Needed::Grpcurl) else { return };
    let services = services().await;
    let grpcurl = grpcurl::Grpcurl::new(program);
    let make = async |call: &ScriptCall| Some(grpcurl.make(call).await);
    conformance::run("grpcurl", &services.keys, &services.addresses, make).await;
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
