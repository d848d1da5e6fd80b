//! Which matches a caller gets by their ids, and whose logs it exports.

use wire::v1::export_matches_response::Frame;
use wire::v1::{self, Visibility};

use super::outcome_word;
use super::scenario::{CALLERS, KeyedService, Scenario};
use crate::api_page::table;
use crate::stage::sent_with;

/// Returns a cell of the table for a caller and a match.
async fn cell(service: &KeyedService, rpc: &str, match_id: &str, credentials: &[&str]) -> String {
    if rpc == "BatchGetMatches" {
        let request = v1::BatchGetMatchesRequest { match_ids: vec![match_id.to_owned()] };
        let mut matches = service.stage.client.matches.clone();
        return match matches.batch_get_matches(sent_with(request, credentials)).await {
            Err(status) => outcome_word(Err(status)),
            Ok(answer) => {
                assert_eq!(answer.into_inner().matches[0].match_id, match_id);
                "yes".to_owned()
            }
        };
    }
    let request = sent_with(v1::ExportMatchesRequest::default(), credentials);
    let mut frames = match service.stage.client.logs.clone().export_matches(request).await {
        Err(status) => return outcome_word(Err(status)),
        Ok(frames) => frames.into_inner(),
    };
    let mut exports = false;
    while let Some(response) = frames.message().await.unwrap() {
        exports |= matches!(response.frame, Some(Frame::Header(header)) if header.match_id == match_id);
    }
    (if exports { "yes" } else { "no" }).to_owned()
}

#[tokio::test]
async fn batches_and_exports_agree_with_their_tables() {
    let service = KeyedService::open().await;
    let mut mismatches = Vec::new();
    for rpc in ["BatchGetMatches", "ExportMatches"] {
        for row in table(rpc) {
            let visibility = match row[0].as_str() {
                row if row.contains("a public match") => Visibility::Public,
                row if row.contains("an unlisted match") => Visibility::Unlisted,
                row if row.contains("a private match") => Visibility::Private,
                other => panic!("unknown row: {other}"),
            };
            let scenario = Scenario::of(&service, "ListEvents", visibility).await;
            for (caller, expected) in CALLERS.into_iter().zip(&row[1..]) {
                let credentials = service.credentials(&scenario, caller);
                let actual = cell(&service, rpc, &scenario.table.match_id, &credentials).await;
                if &actual != expected {
                    mismatches.push(format!("{}, {caller:?}: page `{expected}`, service `{actual}`", row[0]));
                }
            }
        }
    }
    assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
    service.close().await;
}
