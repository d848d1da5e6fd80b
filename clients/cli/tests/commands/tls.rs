//! A service with TLS, and the certificates that the client trusts.

use std::fs;
use std::path::Path;

use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair, date_time_ymd};

use crate::service::{Service, run};

/// Writes a self-signed certificate for this machine and its key to two files.
fn certificate(folder: &Path, is_ca: IsCa) -> [String; 2] {
    certificate_for(folder, &["localhost", "127.0.0.1"], |params| params.is_ca = is_ca)
}

/// Writes a self-signed certificate for these names and its key to two files.
fn certificate_for(folder: &Path, names: &[&str], change: impl Fn(&mut CertificateParams)) -> [String; 2] {
    let key = KeyPair::generate().expect("a key can be generated");
    let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
    let mut params = CertificateParams::new(names).expect("the names are valid");
    change(&mut params);
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

/// The library's own words for these, such as `UnknownIssuer`, are for programmers.
#[test]
fn a_certificate_that_cannot_be_trusted_is_explained_in_words() {
    let localhost = ["localhost", "127.0.0.1"];
    let (past, future) = (date_time_ymd(2001, 2, 3), date_time_ymd(2999, 2, 3));
    let none = |_: &mut CertificateParams| {};
    let over = move |params: &mut CertificateParams| params.not_after = past;
    let early = move |params: &mut CertificateParams| params.not_before = future;
    type Change<'a> = &'a dyn Fn(&mut CertificateParams);
    let cases: [(&[&str], Change<'_>, bool, &[&str]); 4] = [
        (&localhost, &none, false, &["not signed by anyone that this machine trusts", "--ca-cert PATH"]),
        (&["play.example"], &none, true, &["does not name this host, only play.example", "check --server"]),
        (&localhost, &over, true, &["has expired", "must renew the certificate"]),
        (&localhost, &early, true, &["is not valid yet", "this machine's clock"]),
    ];
    for (names, change, trusted, expected) in cases {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let [cert, key] = certificate_for(folder.path(), names, change);
        let service = Service::start_with(&["--tls-cert", &cert, "--tls-key", &key]);
        let mut command = service.command(&["games"]);
        command.env("MATCHBOOK_SERVER", format!("https://{}", service.address()));
        match trusted {
            true => command.env("MATCHBOOK_CA_CERT", &cert),
            false => command.env_remove("MATCHBOOK_CA_CERT"),
        };
        let ran = run(command);
        assert_eq!(ran.code, 3, "{}", ran.stderr);
        for words in expected {
            assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
        }
        assert!(!ran.stderr.contains("invalid peer") && !ran.stderr.contains("verification time"));
        assert_eq!(ran.stderr.contains("--ca-cert"), !trusted, "{}", ran.stderr);
    }
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
