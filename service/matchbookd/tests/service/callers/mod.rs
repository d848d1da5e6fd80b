//! Who may call what: each cell of the tables in `docs/api.md` is tried against the real server, so that the page and
//! the service can't differ.

mod calls;
mod feed;
mod scene;

use tonic::{Code, Status};
use tonic_types::StatusExt;
use wire::v1::{self, Viewer, Visibility};

use crate::api_page::table;
use crate::stage::{refused, sent};
use scene::{CALLERS, Caller, House, Scene};

/// The tables with the visibilities that they tell of.
const TABLES: [(&str, &[Visibility]); 2] = [
    ("public or unlisted match", &[Visibility::Public, Visibility::Unlisted]),
    ("private match", &[Visibility::Private]),
];

/// What a call came to, in the tables' words.
fn word(outcome: Result<Option<Viewer>, Status>) -> String {
    match outcome {
        Ok(None) => "yes".to_owned(),
        Ok(Some(Viewer::Spectator)) => "as spectator".to_owned(),
        Ok(Some(Viewer::SeatZero)) => "as the seat".to_owned(),
        Ok(Some(viewer)) => format!("as {viewer:?}"),
        Err(status) => {
            status.get_details_error_info().map_or_else(|| format!("{status:?}"), |info| info.reason)
        }
    }
}

#[tokio::test]
async fn each_cell_is_as_it_is_written() {
    let house = House::open().await;
    let mut wrong = Vec::new();
    for (heading, visibilities) in TABLES {
        for row in table(heading) {
            assert_eq!(row.len(), 1 + CALLERS.len(), "{row:?}");
            for (rpc, (visibility, (caller, cell))) in combined(&row, visibilities) {
                let scene = Scene::of(&house, rpc, visibility).await;
                let said = word(calls::make(&house, &scene, rpc, caller).await);
                if &said != cell {
                    wrong.push(format!(
                        "{heading} ({visibility:?}), {rpc}, {caller:?}: `{cell}`, but it is `{said}`"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    house.close().await;
}

/// Every RPC of a row with every visibility and every caller.
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
fn each_rpc_about_a_match_is_in_each_table() {
    let rpcs = wire::DESCRIPTORS.services().flat_map(|service| service.methods().collect::<Vec<_>>());
    let about_a_match = rpcs.filter(|method| method.input().get_field_by_name("match_id").is_some());
    let mut real: Vec<String> = about_a_match.map(|method| method.name().to_owned()).collect();
    real.sort();
    for (heading, _) in TABLES {
        let rows = table(heading);
        let mut written: Vec<String> =
            rows.iter().flat_map(|row| row[0].split(", ")).map(str::to_owned).collect();
        // A second row about games without secrets.
        written.retain(|rpc| !rpc.contains(' '));
        written.sort();
        assert_eq!(written, real, "{heading}");
    }
}

#[tokio::test]
async fn what_the_directory_tells() {
    let house = House::open().await;
    let mut wrong = Vec::new();
    for row in table("ListMatches") {
        for (caller, cell) in CALLERS.into_iter().zip(&row[1..]) {
            let visibility = match row[0].as_str() {
                "finds an unlisted match" => Visibility::Unlisted,
                "finds a private match" => Visibility::Private,
                _ => Visibility::Public,
            };
            let scene = Scene::of(&house, "GetMatch", visibility).await;
            let request = v1::ListMatchesRequest { mine: row[0] == "mine", ..Default::default() };
            let request = sent(request, house.token(&scene, caller));
            let said = match house.stage.client.matches.clone().list_matches(request).await {
                Err(status) => word(Err(status)),
                Ok(_) if row[0] == "mine" => "yes".to_owned(),
                Ok(page) => {
                    let found =
                        page.into_inner().matches.iter().any(|found| found.match_id == scene.table.match_id);
                    (if found { "yes" } else { "no" }).to_owned()
                }
            };
            if &said != cell {
                wrong.push(format!("{}, {caller:?}: `{cell}`, but it is `{said}`", row[0]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    house.close().await;
}

#[tokio::test]
async fn who_may_create() {
    let house = House::open().await;
    let rows = table("CreateMatch");
    let scene = Scene::of(&house, "GetMatch", Visibility::Public).await;
    for row in &rows {
        let visibility = if row[0] == "private" { Visibility::Private } else { Visibility::Public };
        for (caller, cell) in CALLERS.into_iter().zip(&row[1..]) {
            let outcome = house.create(visibility, house.token(&scene, caller)).await;
            assert_eq!(&word(outcome.map(|_| None)), cell, "{row:?}, {caller:?}");
        }
    }
    house.close().await;
}

#[tokio::test]
async fn a_key_that_nobody_configured_is_good_for_nothing() {
    let house = House::open().await;
    for (heading, visibilities) in TABLES {
        for rpc in table(heading).iter().flat_map(|row| row[0].split(", ")) {
            let scene = Scene::of(&house, rpc, visibilities[0]).await;
            let outcome = calls::make_with(&house, &scene, rpc, Some("mbk_unknown")).await;
            refused(outcome).is("bad_token", Code::Unauthenticated, "API key");
        }
    }
    for outcome in [
        house.create(Visibility::Public, Some("mbk_unknown")).await.map(drop),
        house.list(Some("mbk_unknown")).await.map(drop),
    ] {
        refused(outcome).is("bad_token", Code::Unauthenticated, "API key");
    }
    house.close().await;
}
