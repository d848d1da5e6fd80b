//! Receivers with https, whose certificate comes from an authority of the operator's own.

use std::fs;

use http::Method;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use serde_json::{Value, json};

use super::shop::{Created, Keys, call, create_of, signature, start_match};
use crate::stage::{Backend, Http, Process, Receiver, Storage, matchbookd};

type Authority = CertifiedIssuer<'static, KeyPair>;

fn authority() -> Authority {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

/// Starts a receiver with a certificate for this name.
fn receiver(authority: &Authority, name: &str) -> Receiver {
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new([name.to_owned()]).unwrap();
    let certificate = params.signed_by(&key, authority).unwrap();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let chain = vec![certificate.der().clone()];
    Receiver::start_tls(ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key).unwrap())
}

fn url(receiver: &Receiver) -> String {
    format!("https://{}/hook", receiver.address.replace("127.0.0.1", "localhost"))
}

/// Starts the program, which may send to this machine and trusts the authority alone.
fn serve(storage: &Storage, keys: &Keys, authority: &Authority) -> Process {
    let roots = storage.key_file().with_file_name("roots.pem");
    fs::write(&roots, authority.pem()).unwrap();
    let (key_file, lines) = (storage.key_file(), keys.lines.join(","));
    let mut program = matchbookd(&["serve", "--listen", "127.0.0.1:0", "--webhook-allow-private-networks"]);
    program.args(["--database", storage.url(), "--api-key", &lines]).arg("--key-file").arg(key_file);
    program.env("SSL_CERT_FILE", roots).env_remove("SSL_CERT_DIR");
    Process::of(program)
}

async fn ping(http: &Http, key: &str, hook: &Created) -> Value {
    call(http, Method::POST, &format!("/v1/webhooks/{}:ping", hook.id), key, json!({})).await.json()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_is_reached_over_https_if_its_authority_is_trusted() {
    let (own, other, keys) = (authority(), authority(), Keys::new());
    let storage = Storage::here(Backend::Memory).await;
    let process = serve(&storage, &keys, &own);
    let (http, key) = (Http::of(&process.address), &keys.shop);

    let trusted = receiver(&own, "localhost");
    let hook = create_of(&http, key, &url(&trusted), &[]).await;
    assert_eq!(ping(&http, key, &hook).await["delivered"], true);
    start_match(&http, key).await;
    for delivery in trusted.wait_for(5).await {
        assert_eq!(delivery.header("webhook-signature"), signature(&hook.secret, &delivery));
    }
    // An unknown authority, and another name than the URL has.
    for refused in [receiver(&other, "localhost"), receiver(&own, "receiver.example")] {
        let hook = create_of(&http, key, &url(&refused), &["match_ended"]).await;
        let failed = json!({"delivered": false, "failure": "the TLS handshake failed"});
        assert_eq!(ping(&http, key, &hook).await, failed);
        assert!(refused.received().is_empty(), "nothing is sent to someone else");
    }
    // Without the setting that allows it, http is refused.
    let body = json!({"url": trusted.url("/")});
    let plain = call(&http, Method::POST, "/v1/webhooks", key, body).await;
    assert_eq!(plain.status, 400, "{plain:?}");
    process.terminate();
}
