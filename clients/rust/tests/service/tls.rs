//! TLS: whom the client trusts, and what it says of a service that it cannot trust or that has no TLS.

use std::fs;
use std::path::Path;

use matchbook_client::v1::ListGamesRequest;
use matchbook_client::{Client, ConnectError, Error, RetryPolicy};
use rcgen::{CertificateParams, KeyPair};

use crate::stage::Service;

/// Writes a self-signed certificate for this machine and its key to two files of this name.
fn certificate(folder: &Path, name: &str) -> [String; 2] {
    let key = KeyPair::generate().expect("a key can be generated");
    let params = CertificateParams::new(["127.0.0.1".to_owned()]).expect("the name is valid");
    let certificate = params.self_signed(&key).expect("a certificate can be generated");
    [("crt", certificate.pem()), ("key", key.serialize_pem())].map(|(kind, pem)| {
        let path = folder.join(format!("{name}.{kind}"));
        fs::write(&path, pem).expect("the folder can be written");
        path.to_str().expect("the path is text").to_owned()
    })
}

#[tokio::test]
async fn only_the_given_certificates_are_trusted_and_tls_never_falls_back() {
    let folder = tempfile::tempdir().unwrap();
    let [trusted, key] = certificate(folder.path(), "trusted");
    let [other, _] = certificate(folder.path(), "other");
    let service = Service::start_with(&["--tls-cert", &trusted, "--tls-key", &key]);
    let plain = Service::start();
    let secure = format!("https://{}", service.address);
    let with = |server: &str, ca: &str| Client::builder(server).ca_certificate(fs::read(ca).unwrap());

    let client = with(&secure, &trusted).connect().await.unwrap();
    assert_eq!(client.list_games(ListGamesRequest::default()).await.unwrap().games.len(), 4);
    let wary = [
        with(&secure, &other),
        Client::builder(&secure),
        with(&format!("https://{}", plain.address), &trusted),
    ];
    for builder in wary {
        let error = builder.clone().connect().await.unwrap_err();
        assert!(matches!(error, ConnectError::Insecure { .. }), "{error:?}");
        // Were it repeated, the test would not end.
        let lazy = builder.retry(RetryPolicy::default().attempts(u32::MAX)).connect_lazy().unwrap();
        let error = lazy.list_games(ListGamesRequest::default()).await.unwrap_err();
        assert!(matches!(error, Error::Insecure { .. }) && !error.is_transient(), "{error:?}");
        let error = lazy.watch("id").next_event().await.unwrap_err();
        assert!(matches!(error, Error::Insecure { .. }), "{error:?}");
    }
    // What speaks no HTTP/2 may be anything: a proxy that starts, for one.
    let quick = RetryPolicy::default().attempts(2);
    let unlike = Client::builder(&service.address).retry(quick).connect_lazy().unwrap();
    let error = unlike.list_games(ListGamesRequest::default()).await.unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error:?}");
}
