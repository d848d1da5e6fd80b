//! A service with TLS, and the certificates that the client trusts.

use std::fs;
use std::path::Path;

use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair};

use crate::service::{Service, run};

/// Writes a self-signed certificate for this machine and its key to two files.
fn certificate(folder: &Path, is_ca: IsCa) -> [String; 2] {
    let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
    let key = KeyPair::generate().expect("a key can be generated");
    let mut params = CertificateParams::new(names).expect("the names are valid");
    params.is_ca = is_ca;
    let certificate = params.self_signed(&key).expect("a certificate can be generated");
    [("tls.crt", certificate.pem()), ("tls.key", key.serialize_pem())].map(|(name, pem)| {
        let path = folder.join(name);
        fs::write(&path, pem).expect("the folder can be written");
        path.to_str().expect("the path is text").to_owned()
    })
}

#[test]
fn a_certificate_of_an_authority_is_explained() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let [cert, key] = certificate(folder.path(), IsCa::Ca(BasicConstraints::Unconstrained));
    let service = Service::start_with(&["--tls-cert", &cert, "--tls-key", &key]);
    let mut command = service.command(&["games", "--ca-cert", &cert]);
    command.env("MATCHBOOK_SERVER", format!("https://{}", service.address()));
    let ran = run(command);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("CA:FALSE"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("--ca-cert PATH"), "{}", ran.stderr);
}

#[test]
fn the_client_trusts_only_the_given_certificates() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let [cert, key] = certificate(folder.path(), IsCa::NoCa);
    let service = Service::start_with(&["--tls-cert", &cert, "--tls-key", &key]);
    let games = |server: &str, more: &[&str]| {
        let mut command = service.command(&[&["games"], more].concat());
        command.env("MATCHBOOK_SERVER", server).env_remove("MATCHBOOK_CA_CERT");
        run(command)
    };
    let address = service.address();
    let (secure, plain) = (format!("https://{address}"), format!("http://{address}"));

    let believed = games(&secure, &["--ca-cert", &cert]);
    assert_eq!(believed.code, 0, "{}", believed.stderr);
    assert!(believed.stdout.contains("angels-and-demons"), "{}", believed.stdout);

    let unknown = games(&secure, &[]);
    assert_eq!(unknown.code, 3, "{}", unknown.stderr);
    assert!(unknown.stderr.contains("certificate"), "{}", unknown.stderr);
    assert!(unknown.stderr.contains("--ca-cert PATH"), "{}", unknown.stderr);
    let without_tls = games(&plain, &[]);
    assert_eq!(without_tls.code, 3);
    assert!(without_tls.stderr.contains("begin the address with https://"), "{}", without_tls.stderr);
    let unencrypted = Service::start();
    let with_tls = games(&format!("https://{}", unencrypted.address()), &[]);
    assert_eq!(with_tls.code, 3);
    assert!(with_tls.stderr.contains("begin the address with http://"), "{}", with_tls.stderr);

    for (path, piece) in [(key.as_str(), "no certificate"), ("/no/such/file", "cannot be read")] {
        let wrong = games(&secure, &["--ca-cert", path]);
        assert_eq!(wrong.code, 2, "{}", wrong.stderr);
        assert!(wrong.stderr.contains(piece), "{}", wrong.stderr);
    }
}
