//! The walks through a match that `clients/grpcurl/` and `clients/curl/` show, as a stranger would take them: with
//! grpcurl alone, with curl alone.

use std::process::Command;

use crate::stage::{Backend, Needed, Stage, needed};

#[tokio::test(flavor = "multi_thread")]
async fn the_walk_works() {
    let Some(grpcurl) = needed(Needed::Grpcurl) else { return };
    walked("grpcurl", "GRPCURL", grpcurl).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_walk_with_curl_works() {
    let Some(curl) = needed(Needed::Curl) else { return };
    walked("curl", "CURL", curl).await;
}

async fn walked(client: &str, variable: &str, program: String) {
    let stage = Stage::on(Backend::Sqlite).await;
    let mut walk = Command::new("bash");
    walk.arg(format!("{}/../../clients/{client}/walk.sh", env!("CARGO_MANIFEST_DIR")));
    walk.env("MATCHBOOK_SERVER", &stage.address).env(variable, program);
    let output = tokio::task::spawn_blocking(move || walk.output()).await.unwrap().unwrap();
    let (said, complained) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}\n{complained}");
    stage.close().await;
}
