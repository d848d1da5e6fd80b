//! Salts and seeds that can be recognized wherever they turn up: in no file, head or feed before they may.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use wire::log::v1::EventKind;
use wire::v1;

use super::looks::{Look, at};
use crate::hidden_hands::deal;
use crate::planted::{Planted, is_planted, shows};
use crate::stage::{Backend, Stage, Storage, Table, sent};

/// The kind of the event in this line, and its sealed part if it is opened there.
fn opened(line: &Value) -> Option<(EventKind, Vec<u8>)> {
    let event = line.get("event")?;
    let opened = STANDARD.decode(event.get("opened")?.as_str()?).unwrap();
    let kind = i32::try_from(event["kind"].as_i64().unwrap()).unwrap();
    Some((EventKind::try_from(kind).unwrap(), opened))
}

/// The line without what it opens rightly: names, for whoever may see the match.
fn without_names(look: &Look) -> String {
    let mut line = look.json();
    if opened(&line).is_some_and(|(kind, _)| kind == EventKind::SeatClaimed) {
        line["event"].as_object_mut().unwrap().remove("opened");
    }
    line.to_string()
}

async fn resign(stage: &Stage, table: &Table, seat: usize) {
    let resign = v1::ResignRequest { match_id: table.match_id.clone(), request_id: None };
    stage.client.matches.clone().resign(sent(resign, Some(&table.tokens[seat]))).await.unwrap();
}

#[tokio::test]
async fn no_file_head_or_feed_has_what_is_still_sealed() {
    let storage = Storage::here(Backend::Sqlite).await;
    let stage = Stage::within(storage.config(), Planted::default()).await;
    let choosing = stage.client.table(8, 8, 20).await;
    stage.client.submit(&choosing, 0, "3,5").await.unwrap();
    let dealt = deal(&stage.client).await;
    let mut choice = None;
    for table in [&choosing, &dealt] {
        for (eyes, seat) in
            [(None, None), (Some(&table.tokens[0]), Some(0)), (Some(&table.tokens[1]), Some(1))]
        {
            for look in at(&stage, &table.match_id, eyes.map(String::as_str)).await {
                let own = opened(&look.json()).filter(|(kind, _)| *kind == EventKind::MoveSealed);
                if let (Some((_, sealed)), Some(0)) = (own, seat) {
                    choice = Some(sealed);
                    continue;
                }
                assert!(!is_planted(without_names(&look).as_bytes()), "{look:?}");
            }
        }
    }
    let choice = choice.expect("its own seat's file opens the choice");

    // The turn never resolves: nobody's file has the choice from now on, though the seed is opened to all.
    resign(&stage, &choosing, 1).await;
    resign(&stage, &dealt, 0).await;
    for table in [&choosing, &dealt] {
        for eyes in [None, Some(&*table.tokens[0]), Some(&*table.tokens[1])] {
            let looks = at(&stage, &table.match_id, eyes).await;
            assert!(!looks.iter().any(|look| shows(look.line.as_bytes(), &choice)), "the choice is told");
            for of in ["LogService/ExportLog", "LogService/StreamFeed"] {
                let mut lines = looks.iter().filter(|look| look.of == of);
                assert!(
                    lines.any(|look| is_planted(without_names(look).as_bytes())),
                    "{of}: the seed would be found"
                );
            }
        }
    }
    stage.close().await;
}
