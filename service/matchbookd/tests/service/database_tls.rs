//! TLS to Postgres: a server that accepts only TLS is verified by its certificate, and rejected with a
//! helpful message if the certificate does not match.

use std::path::PathBuf;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tempfile::TempDir;

use crate::stage::{Client, Cluster, Process, Storage, run};
use crate::whole_match::play_to_the_end;

/// A server with a certificate for `name`, and the certificates of its authority and of an unrelated one.
struct TlsCluster {
    cluster: Cluster,
    folder: TempDir,
}

impl TlsCluster {
    async fn start(name: &str) -> Option<Self> {
        let cluster = Cluster::start(&[]).await?;
        let folder = tempfile::tempdir().unwrap();
        let (trusted, unrelated) = (authority(), authority());
        std::fs::write(folder.path().join("trusted.crt"), trusted.pem()).unwrap();
        std::fs::write(folder.path().join("unrelated.crt"), unrelated.pem()).unwrap();
        let key = KeyPair::generate().unwrap();
        let certificate =
            CertificateParams::new([name.to_owned()]).unwrap().signed_by(&key, &trusted).unwrap();
        cluster.put("server.crt", &certificate.pem());
        cluster.put("server.key", &key.serialize_pem());
        cluster.put("pg_hba.conf", "hostssl all all 127.0.0.1/32 trust\n");
        cluster.execute("postgres", "ALTER SYSTEM SET ssl = on").await;
        cluster.execute("postgres", "SELECT pg_reload_conf()").await;
        let server = Self { cluster, folder };
        // Until the server has reloaded, it accepts plaintext connections.
        while run(&["migrate", "--database", &server.url("sslmode=disable")]).0 == 0 {}
        Some(server)
    }

    fn url(&self, options: &str) -> String {
        format!("{}?{options}", self.cluster.url("postgres"))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Asserts that `migrate` with these URL options fails, and returns what it prints to stderr.
    fn rejected(&self, options: &str) -> String {
        let (code, _, stderr) = run(&["migrate", "--database", &self.url(options)]);
        assert_eq!(code, 4, "{options}: {stderr}");
        stderr
    }
}

fn authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_a_trusted_certificate_is_accepted() {
    let Some(server) = TlsCluster::start("127.0.0.1").await else { return };
    let verified = format!("sslmode=verify-full&sslrootcert={}", server.file("trusted.crt").display());
    for (name, options) in
        [("one", verified.as_str()), ("two", "sslmode=require"), ("three", "sslmode=prefer")]
    {
        server.cluster.execute("postgres", &format!("CREATE DATABASE {name}")).await;
        let storage = Storage::at(&format!("{}?{options}", server.cluster.url(name)));
        let process = Process::serve(&storage, &[]);
        play_to_the_end(&Client::of(&process.address).await, 1).await;
        assert_eq!(process.terminate().0, Some(0));
    }
    let plain = server.rejected("sslmode=disable");
    assert!(plain.contains("no encryption"), "{plain}");
}

#[tokio::test]
async fn a_server_with_the_wrong_certificate_is_rejected() {
    let Some(server) = TlsCluster::start("127.0.0.1").await else { return };
    let unrelated = server.file("unrelated.crt");
    let wrong = server.rejected(&format!("sslmode=verify-full&sslrootcert={}", unrelated.display()));
    assert!(wrong.contains("invalid peer certificate") && wrong.contains("sslrootcert"), "{wrong}");
    let system = server.rejected("sslmode=verify-full");
    assert!(system.contains("sslrootcert"), "{system}");
    let missing = server.rejected("sslmode=verify-full&sslrootcert=/nowhere/ca.crt");
    assert!(missing.contains("No such file") && missing.contains("the files it names"), "{missing}");
    let other = TlsCluster::start("db.example").await.unwrap();
    let name =
        other.rejected(&format!("sslmode=verify-full&sslrootcert={}", other.file("trusted.crt").display()));
    assert!(name.contains("not valid for name") && name.contains("sslrootcert"), "{name}");
}
