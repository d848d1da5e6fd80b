//! `RedactPlayer` over REST and gRPC: the erased name is gone from both, and the exported log verifies.

use audit::{LogFile, Remark, Trust};
use play::{ApiKey, KeyRing, Role};
use serde_json::json;
use wire::v1;

use crate::stage::{Backend, Http, Stage, Storage, sent};

#[tokio::test]
async fn a_player_is_erased_over_both_protocols_and_the_log_still_verifies() {
    let (key, secret) = ApiKey::generate("shop", Role::App).unwrap();
    let storage = Storage::here(Backend::Sqlite).await;
    let mut config = storage.config();
    config.api_keys = KeyRing::new(vec![key]).unwrap();
    let stage = Stage::with(config).await;
    let http = Http::of(&stage.address);
    let bearer = format!("Bearer {secret}");
    let app = ("authorization", bearer.as_str());

    let created = http.post("/v1/matches", &[app], &json!({"gameId": "ludus-magus"})).await.json();
    let match_id = created["match"]["matchId"].as_str().unwrap().to_owned();
    let path = format!("/v1/matches/{match_id}");
    for (seat, name) in [(0, "Unmistakable"), (1, "Unforgettable")] {
        let claimed = http
            .post(&format!("{path}/seats/{seat}:claim"), &[], &json!({"player": {"displayName": name}}))
            .await;
        assert_eq!(claimed.status, 200);
    }
    let text = async |target: &str| {
        String::from_utf8(http.get(&format!("{path}{target}"), &[]).await.body.to_vec()).unwrap()
    };
    assert!(text("").await.contains("Unmistakable") && text("").await.contains("Unforgettable"));
    let before = http.get(&format!("{path}/log"), &[]).await.body;

    let refused = http.post(&format!("{path}/seats/0:redactPlayer"), &[], &json!({})).await;
    refused.refused(401, "MISSING_KEY");
    let erased = http.post(&format!("{path}/seats/0:redactPlayer"), &[app], &json!({})).await.json();
    assert_eq!(erased["match"]["seats"][0].get("player"), None);
    assert_eq!(erased["match"]["seats"][1]["player"]["displayName"], "Unforgettable");
    let request = v1::RedactPlayerRequest { match_id: match_id.clone(), seat: Some(1) };
    stage.client.matches.clone().redact_player(sent(request, Some(&secret))).await.unwrap();
    for target in ["", "/view", "/events", "/board.txt", "/board.svg"] {
        let shown = text(target).await;
        assert!(!shown.contains("Unmistakable") && !shown.contains("Unforgettable"), "{target}: {shown}");
    }
    assert!(text("/board.txt").await.contains("(redacted)"));

    let after = http.get(&format!("{path}/log"), &[]).await.body;
    let remarks = |bytes: &[u8]| {
        let (file, _) = LogFile::read(bytes).unwrap();
        let report = file.verify(&Trust::default());
        assert_eq!(report.failure, None);
        report.remarks.iter().filter(|remark| matches!(remark, Remark::PlayerWithheld { .. })).count()
    };
    // A file from before the erasure holds what was opened then.
    assert_eq!((remarks(&before), remarks(&after)), (0, 2));
    stage.close().await;
}
