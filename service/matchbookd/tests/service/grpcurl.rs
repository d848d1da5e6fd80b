//! Runs the walkthroughs of a match in `clients/grpcurl/` and `clients/curl/` against the real server.

use std::process::Command;

use crate::stage::{Backend, Needed, Stage, needed};

#[tokio::test(flavor = "multi_thread")]
async fn the_grpcurl_walkthrough_works() {
    let Some(grpcurl) = needed(Needed::Grpcurl) else { return };
    run_walkthrough("grpcurl", "GRPCURL", grpcurl).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_curl_walkthrough_works() {
    let Some(curl) = needed(Needed::Curl) else { return };
    run_walkthrough("curl", "CURL", curl).await;
}

async fn run_walkthrough(client: &str, variable: &str, program: String) {
    let stage = Stage::on(Backend::Sqlite).await;
    let mut script = Command::new("bash");
    script.arg(format!("{}/../../clients/{client}/walk.sh", env!("CARGO_MANIFEST_DIR")));
    script.env("MATCHBOOK_SERVER", &stage.address).env(variable, program);
    let output = tokio::task::spawn_blocking(move || script.output()).await.unwrap().unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout}\n{stderr}");
    stage.close().await;
}
