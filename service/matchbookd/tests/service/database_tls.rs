//! TLS to Postgres: a server that takes nothing else, known by its certificate, and refused with words that help if it is
//! another one.

use std::path::PathBuf;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tempfile::TempDir;

use crate::stage::{Client, Cluster, Process, Storage, run};
use crate::whole_match::play_to_the_end;

/// A server with a certificate for a name, and the certificates of whom it has it from and of somebody else.
struct Secured {
    cluster: Cluster,
    folder: TempDir,
}

impl Secured {
    async fn of(name: &str) -> Option<Self> {
        let cluster = Cluster::start(&[]).await?;
        let folder = tempfile::tempdir().unwrap();
        let (ours, theirs) = (authority(), authority());
        std::fs::write(folder.path().join("ours.crt"), ours.pem()).unwrap();
        std::fs::write(folder.path().join("theirs.crt"), theirs.pem()).unwrap();
        let key = KeyPair::generate().unwrap();
        let certificate = CertificateParams::new([name.to_owned()]).unwrap().signed_by(&key, &ours).unwrap();
        cluster.put("server.crt", &certificate.pem());
        cluster.put("server.key", &key.serialize_pem());
        cluster.put("pg_hba.conf", "hostssl all all 127.0.0.1/32 trust\n");
        cluster.execute("postgres", "ALTER SYSTEM SET ssl = on").await;
        cluster.execute("postgres", "SELECT pg_reload_conf()").await;
        let secured = Self { cluster, folder };
        // Until then plain connections go.
        while run(&["migrate", "--database", &secured.url("sslmode=disable")]).0 == 0 {}
        Some(secured)
    }

    fn url(&self, options: &str) -> String {
        format!("{}?{options}", self.cluster.url("postgres"))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn refused(&self, options: &str) -> String {
        let (code, _, complaint) = run(&["migrate", "--database", &self.url(options)]);
        assert_eq!(code, 4, "{options}: {complaint}");
        complaint
    }
}

fn authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_known_by_its_certificate() {
    let Some(secured) = Secured::of("127.0.0.1").await else { return };
    let verified = format!("sslmode=verify-full&sslrootcert={}", secured.file("ours.crt").display());
    for (name, options) in
        [("one", verified.as_str()), ("two", "sslmode=require"), ("three", "sslmode=prefer")]
    {
        secured.cluster.execute("postgres", &format!("CREATE DATABASE {name}")).await;
        let storage = Storage::at(&format!("{}?{options}", secured.cluster.url(name)));
        let process = Process::serve(&storage, &[]);
        play_to_the_end(&Client::of(&process.address).await, 1).await;
        assert_eq!(process.terminate().0, Some(0));
    }
    let plain = secured.refused("sslmode=disable");
    assert!(plain.contains("no encryption"), "{plain}");
}

#[tokio::test]
async fn a_server_that_is_somebody_else_is_refused() {
    let Some(secured) = Secured::of("127.0.0.1").await else { return };
    let theirs = secured.file("theirs.crt");
    let wrong = secured.refused(&format!("sslmode=verify-full&sslrootcert={}", theirs.display()));
    assert!(wrong.contains("invalid peer certificate") && wrong.contains("sslrootcert"), "{wrong}");
    let system = secured.refused("sslmode=verify-full");
    assert!(system.contains("sslrootcert"), "{system}");
    let missing = secured.refused("sslmode=verify-full&sslrootcert=/nowhere/ca.crt");
    assert!(missing.contains("No such file") && missing.contains("the files it names"), "{missing}");
    let other = Secured::of("db.example").await.unwrap();
    let name =
        other.refused(&format!("sslmode=verify-full&sslrootcert={}", other.file("ours.crt").display()));
    assert!(name.contains("not valid for name") && name.contains("sslrootcert"), "{name}");
}
