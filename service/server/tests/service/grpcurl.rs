//! The walk through a match that `clients/grpcurl/` shows, as a stranger would take it: with grpcurl alone.

use std::process::Command;

use crate::stage::{Backend, Needed, Stage, needed};

#[tokio::test(flavor = "multi_thread")]
async fn the_walk_works() {
    let Some(grpcurl) = needed(Needed::Grpcurl) else { return };
    let stage = Stage::on(Backend::Sqlite).await;
    let mut walk = Command::new("bash");
    walk.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../../clients/grpcurl/walk.sh"));
    walk.env("MATCHBOOK_SERVER", &stage.address).env("GRPCURL", grpcurl);
    let output = tokio::task::spawn_blocking(move || walk.output()).await.unwrap().unwrap();
    let (said, complained) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}\n{complained}");
    stage.close().await;
}
