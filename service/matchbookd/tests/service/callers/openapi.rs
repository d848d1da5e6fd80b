//! The credentials of each operation in the OpenAPI document, compared with the tables of `docs/api.md`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use server::error_mapping;
use wire::v1::ErrorReason;

use super::scenario::{CALLERS, Caller};
use crate::api_page::table;
use crate::stage::{Backend, Http, Stage};

/// The headings of all tables of callers.
const TABLES: [&str; 8] = [
    "public or unlisted match",
    "private match",
    "webhook",
    "CreateMatch",
    "ListMatches",
    "BatchGetMatches",
    "ExportMatches",
    "StreamFeed",
];

/// RPCs for which a service without API keys needs none.
const OPEN: [&str; 4] = ["CreateMatch", "ForkMatch", "ExportMatches", "StreamFeed"];

/// What each kind of credential gives, as the tables say.
#[derive(Default)]
struct Gives {
    /// Some call succeeds without any.
    nothing: bool,
    /// Some call has another, successful outcome with a key than without.
    key: bool,
    /// Some call has another, successful outcome with the seat's token than without.
    seat: bool,
}

/// Returns whether the first cells of a table are RPCs; otherwise its heading is one.
fn lists_rpcs(heading: &str) -> bool {
    heading.ends_with(" match") || heading == "webhook"
}

/// Reads the tables. A cell in backquotes is a refusal.
fn documented() -> BTreeMap<String, Gives> {
    let mut documented: BTreeMap<String, Gives> = BTreeMap::new();
    for heading in TABLES {
        for row in table(heading) {
            let (first, cells) = row.split_first().unwrap();
            let rpcs = if lists_rpcs(heading) { first.as_str() } else { heading };
            for rpc in rpcs.split(", ").map(|rpc| rpc.split(' ').next().unwrap()) {
                let gives = documented.entry(rpc.to_owned()).or_default();
                gives.note(cells, rpc);
            }
        }
    }
    documented
}

impl Gives {
    fn note(&mut self, cells: &[String], rpc: &str) {
        let anonymous = &cells[0];
        let succeeds = |cell: &str| !cell.contains('_') && cell != "no";
        self.nothing |= succeeds(anonymous) || OPEN.contains(&rpc);
        for (caller, cell) in CALLERS.into_iter().zip(cells) {
            let helps = succeeds(cell) && cell != anonymous;
            match caller {
                Caller::Seat => self.seat |= helps,
                Caller::Owner | Caller::OtherApp | Caller::Audit | Caller::Admin => self.key |= helps,
                Caller::Anonymous | Caller::OwnerAndSeat | Caller::OtherAppAndSeat | Caller::OtherMatch => {}
            }
        }
    }

    fn security(&self) -> Value {
        let mut alternatives = Vec::new();
        for (listed, schemes) in [
            (self.nothing, json!({})),
            (self.key, json!({"apiKey": []})),
            (self.seat, json!({"seatToken": []})),
            (self.seat, json!({"apiKey": [], "seatToken": []})),
        ] {
            alternatives.extend(listed.then_some(schemes));
        }
        alternatives.into()
    }
}

/// Returns the refusals in the tables by RPC.
fn refusals() -> BTreeSet<(String, String)> {
    let mut refusals = BTreeSet::new();
    for heading in TABLES {
        for row in table(heading) {
            let (first, cells) = row.split_first().unwrap();
            let rpcs = if lists_rpcs(heading) { first.as_str() } else { heading };
            for rpc in rpcs.split(", ").map(|rpc| rpc.split(' ').next().unwrap()) {
                let reasons = cells.iter().filter(|cell| cell.contains('_') && !cell.contains(' '));
                refusals.extend(reasons.map(|reason| (rpc.to_owned(), reason.clone())));
            }
        }
    }
    refusals
}

#[tokio::test]
async fn each_operation_declares_the_refusals_of_its_table() {
    let stage = Stage::on(Backend::Memory).await;
    let document = Http::of(&stage.address).get("/openapi.json", &[]).await.json();
    let operations = document["paths"].as_object().unwrap().values();
    let operations: BTreeMap<&str, &Value> = operations
        .flat_map(|path| path.as_object().unwrap().values())
        .map(|operation| (operation["operationId"].as_str().unwrap(), operation))
        .collect();
    let refusals = refusals();
    assert!(refusals.len() > 20, "{refusals:?}");
    let undeclared = refusals.iter().filter(|(rpc, reason)| {
        let parsed = ErrorReason::from_str_name(&format!("ERROR_REASON_{reason}")).unwrap();
        let http = error_mapping(parsed).http.to_string();
        let declared = &operations[rpc.as_str()]["responses"][&http]["description"];
        !declared.as_str().is_some_and(|text| text.contains(&format!("`{reason}`")))
    });
    let undeclared: Vec<_> = undeclared.collect();
    assert!(undeclared.is_empty(), "after `Errors:` in the comments of the RPCs: {undeclared:?}");
    stage.close().await;
}

#[tokio::test]
async fn each_operation_lists_the_credentials_of_its_table() {
    let stage = Stage::on(Backend::Memory).await;
    let document = Http::of(&stage.address).get("/openapi.json", &[]).await.json();
    let schemes = &document["components"]["securitySchemes"];
    assert_eq!(
        (&schemes["apiKey"]["scheme"], &schemes["apiKey"]["type"]),
        (&json!("bearer"), &json!("http"))
    );
    assert_eq!(schemes["seatToken"]["name"], "matchbook-seat-token");
    assert_eq!(schemes["seatToken"]["in"], "header");
    let documented = documented();
    let mut seen = 0;
    for operation in
        document["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap().values())
    {
        let id = operation["operationId"].as_str().unwrap();
        // Drawings take what views take.
        let rpc = if id.starts_with("GetBoard") { "GetView" } else { id };
        // A stream of moves opens with any credentials; each move is judged as a call of SubmitMove.
        let any = || json!([{}, {"apiKey": []}, {"seatToken": []}, {"apiKey": [], "seatToken": []}]);
        let expected = match documented.get(rpc) {
            Some(gives) => gives.security(),
            None if rpc == "SubmitMoves" => any(),
            None => json!([]),
        };
        assert_eq!(operation["security"], expected, "{id}");
        seen += usize::from(documented.contains_key(id));
    }
    assert_eq!(seen, documented.len(), "every documented RPC is an operation");
    stage.close().await;
}
