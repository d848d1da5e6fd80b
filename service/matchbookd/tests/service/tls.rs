//! TLS with the real program: certificates that are valid, wrong, or replaced while serving.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint};

use crate::stage::{Backend, Client, Needed, Process, Storage, needed, run};

/// A certificate for this machine, and its key, in two files beside the database.
struct Files {
    certificate: PathBuf,
    key: PathBuf,
}

impl Files {
    /// Creates the files and returns the certificate in PEM, for clients to trust.
    fn make(storage: &Storage) -> (Self, String) {
        let files = Self {
            certificate: storage.key_file().with_file_name("tls.crt"),
            key: storage.key_file().with_file_name("tls.key"),
        };
        let pem = files.replace();
        (files, pem)
    }

    fn replace(&self) -> String {
        let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names).unwrap();
        fs::write(&self.key, signing_key.serialize_pem()).unwrap();
        fs::write(&self.certificate, cert.pem()).unwrap();
        cert.pem()
    }

    fn flags(&self) -> [&str; 4] {
        ["--tls-cert", self.certificate.to_str().unwrap(), "--tls-key", self.key.to_str().unwrap()]
    }
}

async fn connect(address: &str, trusted: &str) -> Result<Channel, tonic::transport::Error> {
    let tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(trusted));
    Endpoint::from_shared(format!("https://{address}")).unwrap().tls_config(tls).unwrap().connect().await
}

#[tokio::test]
async fn a_match_can_be_played_over_tls() {
    let storage = Storage::here(Backend::Memory).await;
    let (files, pem) = Files::make(&storage);
    let process = Process::serve(&storage, &files.flags());
    assert!(process.greeting.contains("(TLS,"), "{}", process.greeting);
    let client = Client::over(connect(&process.address, &pem).await.unwrap());
    let table = client.table(3, 3, 1).await;
    client.turn(&table, "1,1", "3,3").await;
    assert_eq!(client.head_seq(&table.match_id).await, 8);

    let (_, other) = Files::make(&Storage::here(Backend::Memory).await);
    assert!(
        connect(&process.address, &other).await.is_err(),
        "a client that does not trust the certificate disconnects"
    );
    let plain = Endpoint::from_shared(format!("http://{}", process.address)).unwrap();
    let plain = Client::over(plain.connect_lazy());
    assert!(plain.matches.clone().get_match(wire::v1::GetMatchRequest::default()).await.is_err());
    // Neither attempt affects other clients.
    assert_eq!(client.head_seq(&table.match_id).await, 8);
}

#[tokio::test]
async fn healthcheck_supports_tls() {
    let storage = Storage::here(Backend::Memory).await;
    let (files, _) = Files::make(&storage);
    let process = Process::serve(&storage, &files.flags());
    let [flag, path, ..] = files.flags();
    assert_eq!(run(&["healthcheck", "--listen", &process.address, flag, path]).0, 0);
    let (code, _, stderr) = run(&["healthcheck", "--listen", &process.address]);
    assert!(code == 7 && stderr.contains("give --tls-cert here"), "{code}: {stderr}");
}

#[tokio::test]
async fn grpcurl_connects_over_tls() {
    let Some(grpcurl) = needed(Needed::Grpcurl) else { return };
    let storage = Storage::here(Backend::Memory).await;
    let (files, _) = Files::make(&storage);
    let process = Process::serve(&storage, &files.flags());
    let arguments = ["-cacert", files.certificate.to_str().unwrap(), &process.address, "list"];
    let output = Command::new(grpcurl).args(arguments).output().unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("matchbook.v1.MatchService"), "{stdout} {output:?}");
}

#[tokio::test]
async fn a_certificate_can_be_replaced_while_serving() {
    let storage = Storage::here(Backend::Memory).await;
    let (files, old) = Files::make(&storage);
    let mut process = Process::serve(&storage, &files.flags());
    let before = Client::over(connect(&process.address, &old).await.unwrap());
    let table = before.table(3, 3, 1).await;

    let new = files.replace();
    process.signal("-HUP");
    process.wait_for("reloaded the TLS certificate");
    connect(&process.address, &new).await.unwrap();
    assert!(connect(&process.address, &old).await.is_err());
    assert_eq!(before.head_seq(&table.match_id).await, 4, "open connections survive");

    fs::write(&files.key, KeyPair::generate().unwrap().serialize_pem()).unwrap();
    process.signal("-HUP");
    process.wait_for("keeping the current one");
    connect(&process.address, &new).await.unwrap();
}

#[tokio::test]
async fn wrong_certificate_files_are_refused() {
    let storage = Storage::here(Backend::Memory).await;
    let (files, pem) = Files::make(&storage);
    let beside = |name: &str, text: &str| {
        let path = storage.key_file().with_file_name(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let empty = beside("empty", "");
    let cut = beside("cut", &pem[..pem.len() / 2]);
    let other_key = beside("other.key", &KeyPair::generate().unwrap().serialize_pem());
    let [_, certificate, _, key] = files.flags();
    for (code, arguments, piece) in [
        (8, vec!["--tls-cert", "/no/such", "--tls-key", key], "cannot read the file"),
        (8, vec!["--tls-cert", &empty, "--tls-key", key], "no certificate"),
        (8, vec!["--tls-cert", &cut, "--tls-key", key], "the end marker is missing"),
        (8, vec!["--tls-cert", certificate, "--tls-key", certificate], "no private key"),
        (8, vec!["--tls-cert", certificate, "--tls-key", &other_key], "cannot be used together"),
        (8, vec!["--tls-cert", key, "--tls-key", certificate], "--tls-cert and --tls-key are swapped"),
        (2, vec!["--tls-cert", certificate], "--tls-key"),
    ] {
        let start = ["serve", "--listen", "127.0.0.1:0", "--database", "memory:", "--key-file", "/no/key"];
        let (actual, stdout, stderr) = run(&[&start[..], &arguments].concat());
        assert_eq!((actual, stdout.as_str()), (code, ""), "{stderr}");
        assert!(stderr.contains(piece), "{stderr}");
    }
}
