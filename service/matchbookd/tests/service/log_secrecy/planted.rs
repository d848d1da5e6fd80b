//! Recognizable salts and seeds: no export, head or feed contains them before they are opened.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use wire::log::v1::EventKind;
use wire::v1;

use super::lines::{Line, fetch};
use crate::hidden_hands::deal;
use crate::planted::{Planted, is_planted, shows};
use crate::stage::{Backend, Stage, Storage, Table, sent};

/// Returns the kind of the event in this line and its opened sealed part, `None` if it opens nothing.
fn opened(line: &Value) -> Option<(EventKind, Vec<u8>)> {
    let event = line.get("event")?;
    let opened = STANDARD.decode(event.get("opened")?.as_str()?).unwrap();
    let kind = i32::try_from(event["kind"].as_i64().unwrap()).unwrap();
    Some((EventKind::try_from(kind).unwrap(), opened))
}

/// Returns the line without opened names, which every viewer of the match may see.
fn without_names(fetched: &Line) -> String {
    let mut line = fetched.json();
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
async fn no_export_head_or_feed_contains_sealed_data() {
    let storage = Storage::here(Backend::Sqlite).await;
    let stage = Stage::within(storage.config(), Planted::default()).await;
    let choosing = stage.client.table(8, 8, 20).await;
    stage.client.submit(&choosing, 0, "3,5").await.unwrap();
    let dealt = deal(&stage.client).await;
    let mut choice = None;
    for table in [&choosing, &dealt] {
        for (token, seat) in
            [(None, None), (Some(&table.tokens[0]), Some(0)), (Some(&table.tokens[1]), Some(1))]
        {
            for line in fetch(&stage, &table.match_id, token.map(String::as_str)).await {
                let own = opened(&line.json()).filter(|(kind, _)| *kind == EventKind::MoveSealed);
                if let (Some((_, sealed)), Some(0)) = (own, seat) {
                    choice = Some(sealed);
                    continue;
                }
                assert!(!is_planted(without_names(&line).as_bytes()), "{line:?}");
            }
        }
    }
    let choice = choice.expect("the seat's own export opens its choice");

    // The turn never resolves: no export contains the choice from now on, though the seed is opened to all.
    resign(&stage, &choosing, 1).await;
    resign(&stage, &dealt, 0).await;
    for table in [&choosing, &dealt] {
        for token in [None, Some(&*table.tokens[0]), Some(&*table.tokens[1])] {
            let lines = fetch(&stage, &table.match_id, token).await;
            assert!(!lines.iter().any(|line| shows(line.text.as_bytes(), &choice)), "the choice is revealed");
            for method in ["LogService/ExportLog", "LogService/StreamFeed"] {
                let mut of_method = lines.iter().filter(|line| line.method == method);
                assert!(
                    of_method.any(|line| is_planted(without_names(line).as_bytes())),
                    "{method}: the opened seed was not found"
                );
            }
        }
    }
    stage.close().await;
}
