//! Which matches' events the feed shows to which caller.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use tonic::Status;
use uuid::Uuid;
use wire::v1::stream_feed_response::Frame;
use wire::v1::{self, Visibility};

use super::outcome_word;
use super::scenario::{CALLERS, Caller, KeyedService, Scenario};
use crate::api_page::table;
use crate::stage::{refused, sent_with};

/// Returns the frames of the feed up to its head.
async fn feed(service: &KeyedService, credentials: &[&str]) -> Result<Vec<v1::StreamFeedResponse>, Status> {
    let request = v1::StreamFeedRequest { follow: Some(false), ..Default::default() };
    let request = sent_with(request, credentials);
    let mut answer = service.stage.client.logs.clone().stream_feed(request).await?.into_inner();
    let mut frames = Vec::new();
    while let Some(frame) = answer.message().await? {
        frames.push(frame);
    }
    Ok(frames)
}

/// Returns the matches of the frames with events.
fn ids(frames: &[v1::StreamFeedResponse]) -> Vec<&str> {
    frames
        .iter()
        .filter_map(|frame| match frame.frame.as_ref().unwrap() {
            Frame::Event(event) => Some(event.match_id.as_str()),
            Frame::Heartbeat(_) => None,
        })
        .collect()
}

#[tokio::test]
async fn the_feed_agrees_with_its_table() {
    let service = KeyedService::open().await;
    let mut mismatches = Vec::new();
    for row in table("StreamFeed") {
        let visibility = match row[0].as_str() {
            "shows a public match" => Visibility::Public,
            "shows an unlisted match" => Visibility::Unlisted,
            "shows a private match" => Visibility::Private,
            other => panic!("unknown row: {other}"),
        };
        let scenario = Scenario::of(&service, "ListEvents", visibility).await;
        for (caller, cell) in CALLERS.into_iter().zip(&row[1..]) {
            let actual = match feed(&service, &service.credentials(&scenario, caller)).await {
                Err(status) => outcome_word(Err(status)),
                Ok(frames) => {
                    let shown = ids(&frames).contains(&scenario.table.match_id.as_str());
                    (if shown { "yes" } else { "no" }).to_owned()
                }
            };
            if &actual != cell {
                mismatches.push(format!("{}, {caller:?}: page `{cell}`, service `{actual}`", row[0]));
            }
        }
    }
    assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
    let unknown = feed(&service, &["mbk_unknown"]).await;
    refused(unknown).is("BAD_TOKEN", tonic::Code::Unauthenticated, "API key");
    service.close().await;
}

#[tokio::test]
async fn an_app_skips_other_apps_matches_and_learns_nothing_about_them() {
    let service = KeyedService::open().await;
    let scenario = Scenario::of(&service, "ListEvents", Visibility::Private).await;
    let rival = service.credentials(&scenario, Caller::OtherApp);
    let created = service.create(Visibility::Private, &rival).await.unwrap().into_inner().r#match.unwrap();
    let hidden = Scenario::of(&service, "ListEvents", Visibility::Unlisted).await;

    let frames = feed(&service, &rival).await.unwrap();
    assert_eq!(ids(&frames), [created.match_id.as_str()]);
    let all = feed(&service, &service.credentials(&scenario, Caller::Audit)).await.unwrap();
    assert_eq!(
        frames.last().unwrap().cursor,
        all.last().unwrap().cursor,
        "the app's cursor is behind the auditor's"
    );
    for frame in &frames {
        let cursor = URL_SAFE_NO_PAD.decode(frame.cursor.strip_prefix("mbc_").unwrap()).unwrap();
        for table in [&scenario.table, &hidden.table] {
            let id: Uuid = table.match_id.parse().unwrap();
            assert!(!cursor.windows(4).any(|window| id.as_bytes().windows(4).any(|piece| piece == window)));
        }
    }
    service.close().await;
}
