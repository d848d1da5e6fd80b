//! Runs the walks of `clients/grpcurl/` and `clients/curl/` against the real server, and compares what they
//! print with the recorded outputs beside them. `MATCHBOOK_BLESS=1` records them anew.

mod shape;

use std::fs;
use std::process::Command;
use std::time::Duration;

use crate::stage::{Backend, Needed, Stage, Storage, needed};
use shape::shape;

#[tokio::test(flavor = "multi_thread")]
async fn the_grpcurl_walk_prints_what_is_recorded() {
    let Some(grpcurl) = needed(Needed::Grpcurl) else { return };
    compare("grpcurl/walk", "GRPCURL", grpcurl).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_grpcurl_walk_to_other_endings_prints_what_is_recorded() {
    let Some(grpcurl) = needed(Needed::Grpcurl) else { return };
    compare("grpcurl/endings", "GRPCURL", grpcurl).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_curl_walk_prints_what_is_recorded() {
    let Some(curl) = needed(Needed::Curl) else { return };
    compare("curl/walk", "CURL", curl).await;
}

async fn compare(walk: &str, variable: &str, program: String) {
    let storage = Storage::here(Backend::Sqlite).await;
    let mut config = storage.config();
    // A busy machine must not record heartbeats.
    config.limits.heartbeat = Duration::from_secs(3600);
    let stage = Stage::with(config).await;
    let path = format!("{}/../../clients/{walk}", env!("CARGO_MANIFEST_DIR"));
    let mut script = Command::new("bash");
    script.arg(format!("{path}.sh")).env("MATCHBOOK_SERVER", &stage.address).env(variable, program);
    let output = tokio::task::spawn_blocking(move || script.output()).await.unwrap().unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout}\n{stderr}");
    let printed = stdout.replace(&stage.address, "127.0.0.1:7420");
    stage.close().await;
    let recording = format!("{path}-output.txt");
    if std::env::var_os("MATCHBOOK_BLESS").is_some() {
        fs::write(recording, printed).unwrap();
        return;
    }
    let recorded = shape(&fs::read_to_string(recording).unwrap());
    let found = shape(&printed);
    for (recorded, found) in recorded.iter().zip(&found) {
        assert_eq!(recorded, found, "{walk}-output.txt is old; see docs/testing.md, MATCHBOOK_BLESS");
    }
    assert_eq!(recorded.len(), found.len(), "{walk}-output.txt is old; see docs/testing.md, MATCHBOOK_BLESS");
}
