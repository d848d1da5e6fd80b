//! A caller that shows another credential with every call.

use super::player::Player;
use super::serve;
use crate::stage::{Backend, Http, Storage};

#[tokio::test(flavor = "multi_thread")]
async fn invented_credentials_bring_no_budget() {
    let storage = Storage::here(Backend::Memory).await;
    let limits = ["--calls-per-second-per-address", "1", "--call-burst-per-address", "40"];
    let process = serve(&storage, &[&["--trusted-proxies", "127.0.0.1"], &limits[..]].concat());
    let player = Player::at(&process.address).await;
    let http = Http::of(&process.address);
    let from = ("x-forwarded-for", "192.0.2.66");
    let mut passed = 0;
    for number in 0..1_000 {
        let (token, key) = (format!("mbs_{number}"), format!("Bearer mbk_{number}"));
        let credential = if number % 2 == 0 {
            ("matchbook-seat-token", token.as_str())
        } else {
            ("authorization", key.as_str())
        };
        if http.get("/v1/games", &[from, credential]).await.status != 429 {
            passed += 1;
        }
    }
    // The burst, and one call per second.
    assert!((40..500).contains(&passed), "{passed}");
    player.makes_moves().await;
    player.finish().await;
    assert_eq!(process.terminate().0, Some(0));
}
