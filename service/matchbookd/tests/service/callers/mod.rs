//! Who may call what: tests each cell of the tables in `docs/api.md` against the real server, so that the
//! page and the service cannot differ.

mod calls;
mod directory;
mod feed;
mod openapi;
mod scenario;
mod webhooks;

use tonic::{Code, Status};
use tonic_types::StatusExt;
use wire::v1::{self, Viewer, Visibility};

use crate::api_page::table;
use crate::stage::{refused, sent_with};
use scenario::{CALLERS, Caller, KeyedService, Scenario};

/// The headings of the tables, with the visibilities that each covers.
const TABLES: [(&str, &[Visibility]); 2] = [
    ("public or unlisted match", &[Visibility::Public, Visibility::Unlisted]),
    ("private match", &[Visibility::Private]),
];

/// Returns the outcome of a call in the words of the tables.
fn outcome_word(outcome: Result<Option<Viewer>, Status>) -> String {
    match outcome {
        Ok(None) => "yes".to_owned(),
        Ok(Some(viewer)) if viewer == Viewer::spectator() => "as spectator".to_owned(),
        Ok(Some(viewer)) if viewer == Viewer::in_seat(0) => "as the seat".to_owned(),
        Ok(Some(viewer)) => format!("as {viewer:?}"),
        Err(status) => {
            status.get_details_error_info().map_or_else(|| format!("{status:?}"), |info| info.reason)
        }
    }
}

#[tokio::test]
async fn each_call_agrees_with_its_cell() {
    let service = KeyedService::open().await;
    let mut mismatches = Vec::new();
    for (heading, visibilities) in TABLES {
        for row in table(heading) {
            assert_eq!(row.len(), 1 + CALLERS.len(), "{row:?}");
            for (rpc, (visibility, (caller, cell))) in combined(&row, visibilities) {
                let scenario = Scenario::of(&service, rpc, visibility).await;
                let actual = outcome_word(calls::call(&service, &scenario, rpc, caller).await);
                if &actual != cell {
                    mismatches.push(format!(
                        "{heading} ({visibility:?}), {rpc}, {caller:?}: page `{cell}`, service `{actual}`"
                    ));
                }
            }
        }
    }
    assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
    service.close().await;
}

/// Returns every combination of a row's RPCs, visibilities and callers.
fn combined<'a>(
    row: &'a [String],
    visibilities: &'a [Visibility],
) -> impl Iterator<Item = (&'a str, (Visibility, (Caller, &'a String)))> {
    row[0].split(", ").flat_map(move |rpc| {
        visibilities.iter().flat_map(move |visibility| {
            CALLERS.into_iter().zip(&row[1..]).map(move |cell| (rpc, (*visibility, cell)))
        })
    })
}

#[test]
fn each_table_lists_every_rpc_about_a_match() {
    let rpcs = wire::DESCRIPTORS.services().flat_map(|service| service.methods().collect::<Vec<_>>());
    let about_a_match = rpcs.filter(|method| method.input().get_field_by_name("match_id").is_some());
    let mut expected: Vec<String> = about_a_match.map(|method| method.name().to_owned()).collect();
    expected.sort();
    for (heading, _) in TABLES {
        let rows = table(heading);
        let mut documented: Vec<String> =
            rows.iter().flat_map(|row| row[0].split(", ")).map(str::to_owned).collect();
        // Rows about games without secrets and about rematches qualify an RPC that has a row already.
        documented.retain(|rpc| !rpc.contains(' '));
        documented.sort();
        assert_eq!(documented, expected, "{heading}");
    }
}

#[tokio::test]
async fn the_directory_agrees_with_its_table() {
    let service = KeyedService::open().await;
    let mut mismatches = Vec::new();
    for row in table("ListMatches") {
        for (caller, cell) in CALLERS.into_iter().zip(&row[1..]) {
            let visibility = match row[0].as_str() {
                "finds an unlisted match" => Visibility::Unlisted,
                "finds a private match" => Visibility::Private,
                _ => Visibility::Public,
            };
            let scenario = Scenario::of(&service, "GetMatch", visibility).await;
            let request = sent_with(listing(&row[0]), &service.credentials(&scenario, caller));
            let actual = match service.stage.client.matches.clone().list_matches(request).await {
                Err(status) => outcome_word(Err(status)),
                Ok(_) if !row[0].starts_with("finds ") => "yes".to_owned(),
                Ok(page) => {
                    let found = page
                        .into_inner()
                        .matches
                        .iter()
                        .any(|found| found.match_id == scenario.table.match_id);
                    (if found { "yes" } else { "no" }).to_owned()
                }
            };
            if &actual != cell {
                mismatches.push(format!("{}, {caller:?}: page `{cell}`, service `{actual}`", row[0]));
            }
        }
    }
    assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
    service.close().await;
}

/// Returns the request that a row of the directory's table is about.
fn listing(row: &str) -> v1::ListMatchesRequest {
    let some = || Some("x".to_owned());
    let all = v1::ListMatchesRequest::default();
    match row {
        "mine" => v1::ListMatchesRequest { mine: true, ..all },
        "labels" => v1::ListMatchesRequest { labels: vec!["a=b".to_owned()], ..all },
        "external_id" => v1::ListMatchesRequest { external_id: some(), ..all },
        "player_id" => v1::ListMatchesRequest { player_id: some(), player_to_act: true, ..all },
        "seat_to_act" => v1::ListMatchesRequest { seat_to_act: Some(0), ..all },
        row => {
            assert!(row.starts_with("finds "), "{row}");
            all
        }
    }
}

#[tokio::test]
async fn match_creation_agrees_with_its_table() {
    let service = KeyedService::open().await;
    let rows = table("CreateMatch");
    let scenario = Scenario::of(&service, "GetMatch", Visibility::Public).await;
    for row in &rows {
        let visibility = if row[0] == "private" { Visibility::Private } else { Visibility::Public };
        for (caller, cell) in CALLERS.into_iter().zip(&row[1..]) {
            let outcome = service.create(visibility, &service.credentials(&scenario, caller)).await;
            assert_eq!(&outcome_word(outcome.map(|_| None)), cell, "{row:?}, {caller:?}");
        }
    }
    service.close().await;
}

#[tokio::test]
async fn an_unconfigured_key_is_rejected_by_every_rpc() {
    let service = KeyedService::open().await;
    for (heading, visibilities) in TABLES {
        for rpc in table(heading).iter().flat_map(|row| row[0].split(", ")) {
            let scenario = Scenario::of(&service, rpc, visibilities[0]).await;
            let outcome = calls::call_with(&service, &scenario, rpc, &["mbk_unknown"]).await;
            refused(outcome).is("BAD_TOKEN", Code::Unauthenticated, "API key");
        }
    }
    // A private match is no different from one that does not exist.
    let scenario = Scenario::of(&service, "GetView", Visibility::Private).await;
    for match_id in [scenario.table.match_id.clone(), uuid::Uuid::now_v7().to_string()] {
        let request = wire::v1::GetViewRequest { match_id, ..Default::default() };
        let outcome =
            service.stage.client.matches.clone().get_view(sent_with(request, &["mbk_unknown"])).await;
        refused(outcome).is("BAD_TOKEN", Code::Unauthenticated, "API key");
    }
    for outcome in [
        service.create(Visibility::Public, &["mbk_unknown"]).await.map(drop),
        service.list(&["mbk_unknown"]).await.map(drop),
    ] {
        refused(outcome).is("BAD_TOKEN", Code::Unauthenticated, "API key");
    }
    service.close().await;
}

#[tokio::test]
async fn a_token_of_another_match_is_rejected_whatever_key_comes_with_it() {
    let service = KeyedService::open().await;
    for (heading, visibilities) in TABLES {
        for rpc in table(heading).iter().flat_map(|row| row[0].split(", ")) {
            let scenario = Scenario::of(&service, rpc, visibilities[0]).await;
            let [other] = service.credentials(&scenario, Caller::OtherMatch)[..] else { panic!("one token") };
            for caller in [Caller::Owner, Caller::OtherApp, Caller::Audit, Caller::Admin] {
                let [key] = service.credentials(&scenario, caller)[..] else { panic!("one key") };
                let outcome = refused(calls::call_with(&service, &scenario, rpc, &[key, other]).await);
                match (caller, visibilities[0]) {
                    (Caller::OtherApp, Visibility::Private) => {
                        outcome.is("UNKNOWN_MATCH", Code::NotFound, "match");
                    }
                    _ => {
                        outcome.is("BAD_TOKEN", Code::Unauthenticated, "not valid for this match");
                    }
                }
            }
        }
    }
    service.close().await;
}
