//! Two rules versions of one game: in one service, across an upgrade, and beside a replica of the old build.
//! The old build is the program `matchbookd`; the later one is a server in the test with a version more.

use std::collections::BTreeMap;

use audit::{CheckOutcome, LogCheck, LogFile, Trust, Verification};
use play::{ApiKey, KeyRing, Role, VersionStatus};
use rstest::rstest;
use rules::Games;
use serde_json::{Value, json};
use tonic::{Code, Streaming};
use wire::games::angels_and_demons::v1 as game;
use wire::v1::{self, stream_feed_response as feed_frame, watch_match_response as watch_frame};

use crate::stage::{
    Backend, Client, GAME, Http, Process, Stage, Storage, Table, create_request, later_build, refused, run,
    sent, submit_request,
};

/// Starts a server of the later build.
async fn upgraded(storage: &Storage) -> Stage {
    let mut config = storage.config();
    config.games = later_build();
    Stage::with(config).await
}

fn create(turns: u32, rules_version: Option<u32>) -> v1::CreateMatchRequest {
    let options = game::Options { rows: Some(4), cols: Some(4), turns: Some(turns) };
    v1::CreateMatchRequest { rules_version, ..create_request(options) }
}

/// Creates a match of a version, the current one by default, and claims both seats.
async fn table(client: &Client, turns: u32, rules_version: Option<u32>) -> Table {
    let created = client.matches.clone().create_match(create(turns, rules_version)).await.unwrap();
    let match_id = created.into_inner().r#match.unwrap().match_id;
    let zero = client.claim(&match_id, 0, "Ann").await.unwrap();
    let one = client.claim(&match_id, 1, "Ben").await.unwrap();
    Table { match_id, tokens: [zero, one] }
}

async fn get(client: &Client, match_id: &str) -> v1::Match {
    let request = v1::GetMatchRequest { match_id: match_id.to_owned() };
    client.matches.clone().get_match(request).await.unwrap().into_inner().r#match.unwrap()
}

/// Plays the last turn, in which seat 1 covers more spaces, and returns the winner.
async fn last_turn(client: &Client, table: &Table) -> u32 {
    client.turn(table, "1,1", "3,3").await;
    get(client, &table.match_id).await.result.unwrap().winner().unwrap()
}

async fn exported(stage: &Stage, match_id: &str) -> LogFile {
    let log = Http::of(&stage.address).get(&format!("/v1/matches/{match_id}/log"), &[]).await;
    LogFile::read(&log.body).unwrap().0
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn old_matches_keep_their_rules_across_an_upgrade(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let Some(storage) = Storage::of(backend).await else { return };
    let old = Process::serve(&storage, &[]);
    let client = Client::of(&old.address).await;
    let (finished, running) = (table(&client, 1, None).await, table(&client, 2, None).await);
    assert_eq!(last_turn(&client, &finished).await, 1, "the build's own rules");
    client.turn(&running, "2,2", "2,2").await;
    assert_eq!(old.terminate().0, Some(0));

    let stage = upgraded(&storage).await;
    let client = &stage.client;
    let (kept, current) = (table(client, 1, Some(1)).await, table(client, 1, None).await);
    for (table, version, winner) in [(&running, 1, 1), (&kept, 1, 1), (&current, 2, 0)] {
        assert_eq!(last_turn(client, table).await, winner, "rules version {version}");
        assert_eq!(get(client, &table.match_id).await.rules_version(), version);
    }
    let old_result = get(client, &finished.match_id).await.result.unwrap();
    assert_eq!(old_result.winner(), Some(1));

    // A later reader replays every match; an earlier one lacks a version, and says so.
    for (table, status) in [(&running, VersionStatus::Kept), (&current, VersionStatus::Current)] {
        let file = exported(&stage, &table.match_id).await;
        let report = file.verify(&Trust { games: later_build(), ..Trust::default() });
        assert_eq!((report.version_status, report.verdict), (status, Verification::KeyUnknown), "{report:?}");
        assert!(matches!(report.outcome(LogCheck::Digests), CheckOutcome::Ok(1..)), "{report:?}");
    }
    let file = exported(&stage, &current.match_id).await;
    let report = file.verify(&Trust { games: Games::built_in(), ..Trust::default() });
    assert_eq!((report.version_status, &report.failure), (VersionStatus::Missing, &None));
    assert!(matches!(report.outcome(LogCheck::Moves), CheckOutcome::NotCheckable(_)), "{report:?}");
    stage.close().await;
    check_rules_tells_versions_apart(&storage).await;
}

/// Three matches of version 1 and one of version 2 are stored.
async fn check_rules_tells_versions_apart(storage: &Storage) {
    let database = storage.config().database;
    let reader = database.open_reader(None).await.unwrap();
    let check = async |games| {
        let summary = play::check_rules(&reader, games, &Default::default(), |_| {}).await.unwrap();
        let of_game = summary.rules.into_iter().filter(|rules| rules.game == GAME);
        let rules = of_game.map(|rules| (rules.rules_version.unwrap(), rules.version_status, rules.over));
        (summary.different, rules.collect::<Vec<_>>())
    };
    let (kept, current) = ((1, VersionStatus::Kept, 3), (2, VersionStatus::Current, 1));
    assert_eq!(check(later_build()).await, (0, vec![kept, current]));
    let (current, missing) = ((1, VersionStatus::Current, 3), (2, VersionStatus::Missing, 1));
    assert_eq!(check(Games::built_in()).await, (1, vec![current, missing]));
    reader.close().await;
    let (code, stdout, _) = run(&["check-rules", "--database", storage.url()]);
    assert_eq!(code, 9);
    for line in [
        "angels-and-demons, rules version 1: 0 open, 0 running, 3 over; current",
        "angels-and-demons, rules version 2: 0 open, 0 running, 1 over; NOT IN THIS BUILD",
    ] {
        assert!(stdout.contains(line), "{stdout}");
    }
}

#[tokio::test]
async fn a_version_is_chosen_by_the_caller_the_current_rules_or_the_parent() {
    let storage = Storage::here(Backend::Sqlite).await;
    let stage = upgraded(&storage).await;
    let (client, http) = (&stage.client, Http::of(&stage.address));
    let catalog = http.get("/v1/games", &[]).await.json();
    for game in catalog["games"].as_array().unwrap() {
        let versions = if game["gameId"] == GAME { json!([2, 1]) } else { json!([1]) };
        assert_eq!(game["rulesVersions"], versions, "{game}");
    }
    let created = http.post("/v1/matches", &[], &json!({"gameId": GAME, "rulesVersion": 1})).await.json();
    assert_eq!(created["match"]["rulesVersion"], 1);
    let created = http.post("/v1/matches", &[], &json!({"gameId": GAME})).await.json();
    assert_eq!(created["match"]["rulesVersion"], 2);
    let unknown = http.post("/v1/matches", &[], &json!({"gameId": GAME, "rulesVersion": 3})).await;
    assert!(unknown.refused(400, "INVALID_ARGUMENT").to_string().contains("\"rulesVersion\""));
    refused(client.matches.clone().create_match(create(1, Some(3))).await)
        .is("INVALID_ARGUMENT", Code::InvalidArgument, "this build: 2, 1")
        .at("rules_version")
        .has("rules_versions", "2, 1");

    // A repeated request finds its match, unless it names another version.
    let asked = create(2, Some(1));
    let first = client.matches.clone().create_match(asked.clone()).await.unwrap().into_inner();
    let unnamed = v1::CreateMatchRequest { rules_version: None, ..asked.clone() };
    assert_eq!(client.matches.clone().create_match(unnamed).await.unwrap().into_inner(), first);
    let other = v1::CreateMatchRequest { rules_version: Some(2), ..asked };
    refused(client.matches.clone().create_match(other).await).is(
        "REQUEST_ID_REUSED",
        Code::AlreadyExists,
        "",
    );

    let old = table(client, 2, Some(1)).await;
    client.turn(&old, "2,2", "2,2").await;
    last_turn(client, &old).await;
    let fork = v1::ForkMatchRequest { match_id: old.match_id.clone(), at_seq: Some(7), ..Default::default() };
    let fork = client.matches.clone().fork_match(fork).await.unwrap().into_inner().r#match.unwrap();
    assert_eq!(fork.rules_version(), 1);
    let rematch = async |table: &Table, rules_version| {
        let match_id = table.match_id.clone();
        let request = v1::CreateRematchRequest { match_id, rules_version, ..Default::default() };
        client.matches.clone().create_rematch(sent(request, Some(&table.tokens[0]))).await
    };
    refused(rematch(&old, Some(9)).await).at("rules_version");
    let current = rematch(&old, None).await.unwrap().into_inner().r#match.unwrap();
    assert_eq!(current.rules_version(), 2);
    refused(rematch(&old, Some(1)).await)
        .is("INVALID_ARGUMENT", Code::InvalidArgument, "must be 2 or absent")
        .at("rules_version");
    let old = table(client, 1, Some(1)).await;
    last_turn(client, &old).await;
    let kept = rematch(&old, Some(1)).await.unwrap().into_inner().r#match.unwrap();
    assert_eq!(kept.rules_version(), 1);
    stage.close().await;
}

/// Asserts that a replica of the old build refuses this match of version 2, by every kind of call.
async fn refuses(address: &str, newer: &Table) {
    let client = Client::of(address).await;
    let is_unknown = |outcome: Result<(), tonic::Status>| {
        refused(outcome)
            .is("UNKNOWN_RULES_VERSION", Code::Unimplemented, "lacks")
            .has("game_id", GAME)
            .has("rules_version", 2);
    };
    let match_id = newer.match_id.clone();
    let request = v1::GetMatchRequest { match_id: match_id.clone() };
    is_unknown(client.matches.clone().get_match(request).await.map(drop));
    let submit = sent(submit_request(newer, "1,1"), Some(&newer.tokens[0]));
    is_unknown(client.matches.clone().submit_move(submit).await.map(drop));
    is_unknown(client.claim(&match_id, 0, "Eve").await.map(drop));
    is_unknown(client.watch(&match_id, None, None).await.map(drop));
    let fork = v1::ForkMatchRequest { match_id: match_id.clone(), ..Default::default() };
    is_unknown(client.matches.clone().fork_match(fork).await.map(drop));
    let http = Http::of(address);
    for part in ["", "/view", "/events", "/log", "/head"] {
        http.get(&format!("/v1/matches/{match_id}{part}"), &[]).await.refused(501, "UNKNOWN_RULES_VERSION");
    }
}

/// Asserts that a replica serves this match of version 1, the directory and the feed beside the newer match.
async fn serves(address: &str, own: &Table, newer: &Table) {
    let client = Client::of(address).await;
    last_turn(&client, own).await;
    let http = Http::of(address);
    let listed = http.get("/v1/matches", &[]).await.json()["matches"].to_string();
    let feed = http.get("/v1/feed?follow=false", &[]).await;
    for id in [&own.match_id, &newer.match_id] {
        assert!(listed.contains(id.as_str()), "{listed}");
        assert!(feed.text().contains(id.as_str()), "{}", feed.text());
    }
    assert!(feed.text().lines().last().unwrap().contains("\"caughtUp\":true"), "{}", feed.text());
    let created = client.matches.clone().create_match(create(1, None)).await.unwrap().into_inner();
    assert_eq!(created.r#match.unwrap().rules_version(), 1, "the current version of the old build");
}

#[tokio::test]
async fn an_old_replica_refuses_newer_matches_and_serves_the_rest() {
    let Some(storage) = Storage::of(Backend::Postgres).await else { return };
    let old = Process::serve(&storage, &[]);
    let own = table(&Client::of(&old.address).await, 2, None).await;
    let stage = upgraded(&storage).await;
    let newer = table(&stage.client, 1, None).await;
    refuses(&old.address, &newer).await;
    // Both replicas play the old match, the later one the newer match.
    stage.client.turn(&own, "2,2", "2,2").await;
    serves(&old.address, &own, &newer).await;
    assert_eq!(last_turn(&stage.client, &newer).await, 0);
    assert_eq!(get(&stage.client, &own.match_id).await.result.unwrap().winner(), Some(1));
    refuses(&old.address, &newer).await;
    stage.close().await;
    let (code, log) = old.terminate();
    assert_eq!(code, Some(0));
    assert!(!log.iter().any(|line| line.contains("does not replay")), "taken for corruption: {log:?}");
}

/// Reads a feed until both matches are over; returns the newest seq of each.
async fn followed(mut feed: Streaming<v1::StreamFeedResponse>, heads: [(&Table, u32); 2]) -> Vec<u32> {
    let mut seqs = vec![0; heads.len()];
    while seqs.iter().zip(heads).any(|(seq, (_, head))| *seq < head) {
        let frame = feed.message().await.unwrap().expect("the feed goes on").frame.unwrap();
        let feed_frame::Frame::Event(event) = frame else { continue };
        let known = heads.iter().position(|(table, _)| table.match_id == event.match_id).unwrap();
        let seq = event.event.unwrap().seq;
        assert_eq!(seq, seqs[known] + 1, "each event once and in order");
        seqs[known] = seq;
    }
    seqs
}

#[tokio::test(flavor = "multi_thread")]
async fn open_streams_of_an_old_replica_go_on_through_an_upgrade() {
    let Some(storage) = Storage::of(Backend::Postgres).await else { return };
    let old = Process::serve(&storage, &[]);
    let client = Client::of(&old.address).await;
    let own = table(&client, 2, None).await;
    let mut watch = client.watch(&own.match_id, Some(0), None).await.unwrap();
    let feed = client.logs.clone().stream_feed(v1::StreamFeedRequest::default()).await.unwrap().into_inner();
    let stage = upgraded(&storage).await;
    let newer = table(&stage.client, 1, None).await;
    assert_eq!(last_turn(&stage.client, &newer).await, 0, "by the newer rules");
    stage.client.turn(&own, "2,2", "2,2").await;
    assert_eq!(last_turn(&client, &own).await, 1, "by the older rules");

    let mut watched = Vec::new();
    while let Some(frame) = watch.message().await.unwrap() {
        if let Some(watch_frame::Frame::Event(event)) = frame.frame {
            watched.push(event.seq);
        }
    }
    let own_head = get(&client, &own.match_id).await.head_seq();
    let newer_head = get(&stage.client, &newer.match_id).await.head_seq();
    assert_eq!(watched, (1..=own_head).collect::<Vec<_>>(), "moves of both replicas, to the end");
    let heads = [(&own, own_head), (&newer, newer_head)];
    assert_eq!(followed(feed, heads).await, [own_head, newer_head]);

    let exports = Http::of(&old.address).get("/v1/logs", &[]).await;
    let skipped = json!({"matchId": newer.match_id, "reason": "ERROR_REASON_UNKNOWN_RULES_VERSION"});
    let frames: Vec<Value> = exports.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(frames.iter().any(|frame| frame["skipped"] == skipped), "{frames:?}");
    assert_eq!(frames.last().unwrap()["end"], json!({"exported": "1", "skipped": "1"}));
    stage.close().await;
    assert_eq!(old.terminate().0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_downgrade_newer_matches_wait_unharmed() {
    let storage = Storage::here(Backend::Sqlite).await;
    let stage = upgraded(&storage).await;
    let own = table(&stage.client, 1, Some(1)).await;
    let newer = table(&stage.client, 1, None).await;
    stage.close().await;
    let old = Process::serve(&storage, &[]);
    refuses(&old.address, &newer).await;
    serves(&old.address, &own, &newer).await;
    assert_eq!(old.terminate().0, Some(0));
    let stage = upgraded(&storage).await;
    assert_eq!(last_turn(&stage.client, &newer).await, 0);
    stage.close().await;
}

#[tokio::test]
async fn a_private_match_of_a_missing_version_stays_hidden_from_strangers_alone() {
    let storage = Storage::here(Backend::Sqlite).await;
    let (key, secret) = ApiKey::generate("app", Role::App).unwrap();
    let (stranger, other) = ApiKey::generate("other", Role::App).unwrap();
    let (audit, auditor) = ApiKey::generate("audit", Role::Audit).unwrap();
    let bearer = format!("Bearer {secret}");
    let mut config = storage.config();
    config.api_keys = KeyRing::new(vec![key, stranger, audit]).unwrap();
    config.games = later_build();
    let stage = Stage::with(config.clone()).await;
    let (mut created, mut tokens) = (Vec::new(), BTreeMap::new());
    for visibility in [v1::Visibility::Unlisted, v1::Visibility::Private] {
        let request = v1::CreateMatchRequest { visibility: Some(visibility.into()), ..create(1, None) };
        let answer = stage.client.matches.clone().create_match(sent(request, Some(&secret))).await;
        let match_id = answer.unwrap().into_inner().r#match.unwrap().match_id;
        let claim = v1::ClaimSeatRequest {
            match_id: match_id.clone(),
            seat: Some(0),
            player: Some(v1::Player::named("Ann")),
            ..Default::default()
        };
        let claimed = stage.client.matches.clone().claim_seat(sent(claim, Some(&secret))).await.unwrap();
        tokens.insert(match_id.clone(), claimed.into_inner().seat_token);
        created.push(match_id);
    }
    stage.close().await;
    config.games = Games::built_in();
    let stage = Stage::with(config).await;
    let http = Http::of(&stage.address);
    let mut matches = stage.client.matches.clone();
    for (match_id, stranger) in created.into_iter().zip(["UNKNOWN_RULES_VERSION", "UNKNOWN_MATCH"]) {
        for (credential, reason) in [
            (None, stranger),
            (Some(other.as_str()), stranger),
            (Some("mbs_invented"), stranger),
            (Some(secret.as_str()), "UNKNOWN_RULES_VERSION"),
            (Some(auditor.as_str()), "UNKNOWN_RULES_VERSION"),
        ] {
            let get = sent(v1::GetMatchRequest { match_id: match_id.clone() }, credential);
            assert_eq!(refused(matches.get_match(get).await).reason, reason, "{credential:?}");
            let watch = v1::WatchMatchRequest { match_id: match_id.clone(), ..Default::default() };
            assert_eq!(refused(matches.watch_match(sent(watch, credential)).await).reason, reason);
            let resign = v1::ResignRequest { match_id: match_id.clone(), ..Default::default() };
            assert_eq!(refused(matches.resign(sent(resign, credential)).await).reason, reason);
        }
        let seat = Some(tokens[&match_id].as_str());
        let get = sent(v1::GetMatchRequest { match_id: match_id.clone() }, seat);
        assert_eq!(refused(matches.get_match(get).await).reason, "UNKNOWN_RULES_VERSION");
        let answer = http.get(&format!("/v1/matches/{match_id}"), &[("authorization", &bearer)]).await;
        answer.refused(501, "UNKNOWN_RULES_VERSION");
    }
    stage.close().await;
}
