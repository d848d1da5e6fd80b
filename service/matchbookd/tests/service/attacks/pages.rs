//! A flood of requests for pages and for paths that do not exist.

use super::player::Player;
use super::{assert_memory, serve};
use crate::stage::{Backend, Http, Storage};

#[tokio::test(flavor = "multi_thread")]
async fn pages_and_unknown_paths_count_for_the_address() {
    let storage = Storage::here(Backend::Memory).await;
    let limits = ["--calls-per-second-per-address", "1", "--call-burst-per-address", "40"];
    let process = serve(&storage, &[&["--trusted-proxies", "127.0.0.1"], &limits[..]].concat());
    let player = Player::at(&process.address).await;
    let http = Http::of(&process.address);
    let document = http.get("/", &[("accept", "text/html")]).await;
    let file = document.text().split('"').find(|text| text.starts_with("/assets/")).unwrap().to_owned();
    let targets = [
        "/",
        "/verify",
        "/matches/x",
        &file,
        "/assets/x",
        "/docs",
        "/docs/docs.js",
        "/openapi.json",
        "/metrics",
        "/v1/nothing",
        "/v1/games",
        "/v1/games/x",
    ];
    for (number, target) in targets.iter().enumerate() {
        let address = format!("192.0.2.{number}");
        let from = ("x-forwarded-for", address.as_str());
        let mut passed = 0;
        let refusal = loop {
            let answer = http.get(target, &[from]).await;
            if answer.status == 429 {
                break answer;
            }
            passed += 1;
            assert!(passed < 10_000, "{target}");
        };
        assert!(passed >= 40, "{target}: {passed}");
        refusal.refused(429, "RATE_LIMITED");
        // Probes never count.
        assert_eq!(http.get("/livez", &[from]).await.text(), "alive\n");
    }
    player.makes_moves().await;
    player.finish().await;
    assert_memory(&process);
    assert_eq!(process.terminate().0, Some(0));
}
