//! `new-secrets.sh`, run in a temporary folder.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::files::{read, root};
use crate::program::{path, starts_with};

#[test]
fn secrets_are_generated_once_and_the_service_accepts_them() {
    let place = TempDir::new().unwrap();
    let folder = place.path().join("deploy/compose");
    fs::create_dir_all(&folder).unwrap();
    fs::copy(root().join("deploy/compose/new-secrets.sh"), folder.join("new-secrets.sh")).unwrap();
    let output = make(&folder);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let secrets = place.path().join("deploy/secrets");
    for name in mounted() {
        assert!(secrets.join(&name).metadata().unwrap().len() > 0, "{name}");
    }
    assert_eq!(secrets.metadata().unwrap().mode() & 0o777, 0o700);
    assert_eq!(secrets.join("service.key").metadata().unwrap().mode() & 0o077, 0);

    let file = |name: &str| secrets.join(name).to_str().unwrap().to_owned();
    let read = |name: &str| fs::read_to_string(secrets.join(name)).unwrap();
    assert!(
        read("service_url").contains(&format!("matchbook_service:{}@postgres/", read("service_password")))
    );
    assert!(read("owner_url").contains(&format!("matchbook_owner:{}@postgres/", read("owner_password"))));
    assert!(!read("api_keys").contains(&read("app_key")), "the service must get hashes only");
    starts_with(&BTreeMap::from([
        ("MATCHBOOK_LISTEN".to_owned(), "127.0.0.1:0".to_owned()),
        ("MATCHBOOK_DATABASE_URL".to_owned(), "memory:".to_owned()),
        ("MATCHBOOK_KEY_FILE".to_owned(), file("service.key")),
        ("MATCHBOOK_API_KEYS_FILE".to_owned(), file("api_keys")),
    ]));

    let before = read("owner_password");
    assert!(!make(&folder).status.success(), "a second run must fail");
    assert_eq!(read("owner_password"), before);
}

fn make(folder: &Path) -> Output {
    let mut script = Command::new("sh");
    script.arg(folder.join("new-secrets.sh")).env("MATCHBOOKD", path()).output().expect("a shell exists")
}

/// Returns the files that compose.yaml mounts.
fn mounted() -> Vec<String> {
    let compose = read("deploy/compose.yaml");
    let files = compose.split("file: ./secrets/").skip(1);
    let files: Vec<String> =
        files.map(|rest| rest.split('}').next().unwrap_or_default().to_owned()).collect();
    assert!(files.len() > 5, "{files:?}");
    files
}
