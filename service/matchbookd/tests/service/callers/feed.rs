//! Whose events the feed tells to whom.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use tonic::Status;
use uuid::Uuid;
use wire::v1::stream_feed_response::Frame;
use wire::v1::{self, Visibility};

use super::scene::{CALLERS, Caller, House, Scene};
use super::word;
use crate::api_page::table;
use crate::stage::{refused, sent};

/// The frames of the feed up to now.
async fn feed(house: &House, token: Option<&str>) -> Result<Vec<v1::StreamFeedResponse>, Status> {
    let request = v1::StreamFeedRequest { follow: Some(false), ..Default::default() };
    let mut answer = house.stage.client.logs.clone().stream_feed(sent(request, token)).await?.into_inner();
    let mut frames = Vec::new();
    while let Some(frame) = answer.message().await? {
        frames.push(frame);
    }
    Ok(frames)
}

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
async fn what_the_feed_tells() {
    let house = House::open().await;
    let mut wrong = Vec::new();
    for row in table("StreamFeed") {
        let visibility = match row[0].as_str() {
            "shows a public match" => Visibility::Public,
            "shows an unlisted match" => Visibility::Unlisted,
            "shows a private match" => Visibility::Private,
            other => panic!("no such row: {other}"),
        };
        let scene = Scene::of(&house, "ListEvents", visibility).await;
        for (caller, cell) in CALLERS.into_iter().zip(&row[1..]) {
            let said = match feed(&house, house.token(&scene, caller)).await {
                Err(status) => word(Err(status)),
                Ok(frames) => {
                    let told = ids(&frames).contains(&scene.table.match_id.as_str());
                    (if told { "yes" } else { "no" }).to_owned()
                }
            };
            if &said != cell {
                wrong.push(format!("{}, {caller:?}: `{cell}`, but it is `{said}`", row[0]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let unknown = feed(&house, Some("mbk_unknown")).await;
    refused(unknown).is("bad_token", tonic::Code::Unauthenticated, "API key");
    house.close().await;
}

#[tokio::test]
async fn an_app_is_moved_past_others_matches_and_learns_nothing_of_them() {
    let house = House::open().await;
    let scene = Scene::of(&house, "ListEvents", Visibility::Private).await;
    let rival = house.token(&scene, Caller::OtherApp);
    let created = house.create(Visibility::Private, rival).await.unwrap().into_inner().r#match.unwrap();
    let hidden = Scene::of(&house, "ListEvents", Visibility::Unlisted).await;

    let frames = feed(&house, rival).await.unwrap();
    assert_eq!(ids(&frames), [created.match_id.as_str()]);
    let all = feed(&house, house.token(&scene, Caller::Audit)).await.unwrap();
    assert_eq!(
        frames.last().unwrap().cursor,
        all.last().unwrap().cursor,
        "it has come as far as the auditor"
    );
    for frame in &frames {
        let cursor = URL_SAFE_NO_PAD.decode(frame.cursor.strip_prefix("mbc_").unwrap()).unwrap();
        for table in [&scene.table, &hidden.table] {
            let id: Uuid = table.match_id.parse().unwrap();
            assert!(!cursor.windows(4).any(|window| id.as_bytes().windows(4).any(|piece| piece == window)));
        }
    }
    house.close().await;
}
