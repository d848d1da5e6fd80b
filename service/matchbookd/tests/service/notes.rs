//! Labels, external ids and ids of players over gRPC and REST: marks planted in them reach the owner,
//! auditors and admins, and nobody else in any response.

use play::{ApiKey, KeyRing, Role};
use serde_json::{Value, json};
use tonic::Code;
use wire::v1;

use crate::stage::{Backend, Http, Stage, Storage, credential_header, refused, sent, sent_with};

/// Part of every planted label, external id and id of a player.
const MARK: &str = "planted-note";

/// A service with keys, and the callers' secrets.
struct Keyed {
    stage: Stage,
    http: Http,
    owner: String,
    overseers: Vec<String>,
    rival: String,
}

impl Keyed {
    async fn open() -> Self {
        let roles =
            [("shop", Role::App), ("rival", Role::App), ("auditor", Role::Audit), ("boss", Role::Admin)];
        let generated = roles.map(|(name, role)| ApiKey::generate(name, role).unwrap());
        let [owner, rival, auditor, boss] = generated.clone().map(|(_, secret)| secret);
        let storage = Storage::here(Backend::Memory).await;
        let mut config = storage.config();
        config.api_keys = KeyRing::new(generated.map(|(key, _)| key).to_vec()).unwrap();
        let stage = Stage::with(config).await;
        let http = Http::of(&stage.address);
        Self { stage, http, owner, overseers: vec![auditor, boss], rival }
    }

    async fn post(&self, path: &str, secret: &str, body: &Value) -> Value {
        let (name, value) = credential_header(secret);
        self.http.post(path, &[(name, value.as_str())], body).await.json()
    }

    /// Returns the text of a response to a GET.
    async fn text(&self, path: &str, secret: Option<&str>) -> String {
        let header = secret.map(credential_header);
        let headers: Vec<(&str, &str)> = header.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.http.get(path, &headers).await.text().to_owned()
    }

    /// Creates a match with notes, claims its seats and ends it. Returns its id and the seats' tokens.
    async fn noted_match(&self, visibility: &str) -> (String, [String; 2]) {
        let create = json!({
            "gameId": "ludus-magus",
            "visibility": visibility,
            "labels": {"tenant": format!("{MARK}-{visibility}")},
            "externalId": format!("{MARK} {visibility}"),
        });
        let created = self.post("/v1/matches", &self.owner, &create).await;
        assert_eq!(created["match"]["labels"], create["labels"], "{created}");
        assert_eq!(created["match"]["externalId"], create["externalId"]);
        let match_id = created["match"]["matchId"].as_str().unwrap().to_owned();
        let mut tokens = Vec::new();
        for seat in 0..2 {
            let path = format!("/v1/matches/{match_id}/seats/{seat}:claim");
            let player = json!({"displayName": "Ann", "playerId": format!("{MARK}:{visibility}:{seat}")});
            let claimed = self.post(&path, &self.owner, &json!({"player": player})).await;
            assert_eq!(claimed["match"]["seats"][seat]["player"], player, "{claimed}");
            tokens.push(claimed["seatToken"].as_str().unwrap().to_owned());
        }
        let tokens: [String; 2] = tokens.try_into().unwrap();
        self.post(&format!("/v1/matches/{match_id}:resign"), &tokens[0], &json!({})).await;
        (match_id, tokens)
    }
}

#[tokio::test]
async fn notes_reach_nobody_but_their_owner_auditors_and_admins() {
    let keyed = Keyed::open().await;
    for visibility in ["VISIBILITY_PUBLIC", "VISIBILITY_PRIVATE"] {
        let (match_id, tokens) = keyed.noted_match(visibility).await;
        let of_match = format!("/v1/matches/{match_id}");
        for secret in keyed.overseers.iter().chain([&keyed.owner]) {
            for path in [&*of_match, "/v1/matches"] {
                let text = keyed.text(path, Some(secret)).await;
                assert_eq!(text.matches(&format!("{MARK}-{visibility}")).count(), 1, "{path}: {text}");
                assert_eq!(text.matches(&format!("{MARK} {visibility}")).count(), 1, "{path}: {text}");
                assert_eq!(text.matches(&format!("{MARK}:{visibility}")).count(), 2, "{path}: {text}");
            }
        }
        let paths =
            ["", "/view", "/events", "/log", "/head", "/watch", "/legalMoves", "/board.txt", "/board.svg"];
        let paths = paths.iter().map(|path| format!("{of_match}{path}"));
        let mut paths: Vec<String> = paths.collect();
        paths.extend(["/v1/matches".to_owned(), "/v1/feed?follow=false".to_owned()]);
        for secret in [None, Some(&keyed.rival), Some(&tokens[0]), Some(&tokens[1])] {
            for path in &paths {
                let text = keyed.text(path, secret.map(String::as_str)).await;
                assert!(!text.contains(MARK), "{path}: {text}");
            }
        }
        // What follows the game has none of them for the owner either.
        for path in &paths {
            if [&of_match, "/v1/matches"].contains(&path.as_str()) || path.ends_with("/legalMoves") {
                continue;
            }
            let text = keyed.text(path, Some(&keyed.owner)).await;
            assert!(!text.contains(MARK) && !text.is_empty(), "{path}: {text}");
        }
    }
    keyed.stage.close().await;
}

#[tokio::test]
async fn both_doors_take_a_players_id_and_refuse_it_alike() {
    let keyed = Keyed::open().await;
    let created = keyed.post("/v1/matches", &keyed.owner, &json!({"gameId": "ludus-magus"})).await;
    let match_id = created["match"]["matchId"].as_str().unwrap().to_owned();
    let player = v1::Player { player_id: Some(MARK.to_owned()), ..v1::Player::named("Ann") };
    let request = v1::ClaimSeatRequest {
        match_id: match_id.clone(),
        seat: Some(0),
        player: Some(player),
        ..Default::default()
    };
    let path = format!("/v1/matches/{match_id}/seats/0:claim");
    let body = json!({"player": {"displayName": "Ann", "playerId": MARK}});
    let mut matches = keyed.stage.client.matches.clone();
    for (secret, status, reason, code) in [
        (None, 401, "MISSING_KEY", Code::Unauthenticated),
        (Some(&keyed.rival), 403, "NOT_ALLOWED", Code::PermissionDenied),
        (Some(&keyed.overseers[0]), 403, "NOT_ALLOWED", Code::PermissionDenied),
        (Some(&keyed.overseers[1]), 403, "NOT_ALLOWED", Code::PermissionDenied),
    ] {
        let outcome = matches.claim_seat(sent(request.clone(), secret.map(String::as_str))).await;
        refused(outcome).is(reason, code, "player_id");
        let header = secret.map(|secret| credential_header(secret));
        let headers: Vec<(&str, &str)> = header.iter().map(|(name, value)| (*name, value.as_str())).collect();
        keyed.http.post(&path, &headers, &body).await.refused(status, reason);
    }
    let long = json!({"player": {"displayName": "Ann", "playerId": "a b"}});
    let (header, value) = credential_header(&keyed.owner);
    keyed.http.post(&path, &[(header, value.as_str())], &long).await.refused(400, "INVALID_ARGUMENT");
    let claimed = matches.claim_seat(sent(request, Some(&keyed.owner))).await.unwrap().into_inner();
    let player = claimed.r#match.unwrap().seats.remove(0).player.unwrap();
    assert_eq!(player.player_id.as_deref(), Some(MARK));
    let mut hidden = keyed.text(&format!("/v1/matches/{match_id}"), None).await;
    hidden.retain(|char| char != ' ');
    assert!(hidden.contains(r#""player":{"displayName":"Ann"}"#), "{hidden}");
    keyed.stage.close().await;
}

#[tokio::test]
async fn a_rematch_keeps_the_ids_of_players_who_claim_its_seats_over_either_door() {
    let keyed = Keyed::open().await;
    let (before, tokens) = keyed.noted_match("VISIBILITY_PRIVATE").await;
    let asked = keyed.post(&format!("/v1/matches/{before}:rematch"), &keyed.owner, &json!({})).await;
    let match_id = asked["match"]["matchId"].as_str().unwrap().to_owned();
    let claim = v1::ClaimSeatRequest {
        match_id: match_id.clone(),
        seat: Some(1),
        player: Some(v1::Player::named("Ann")),
        ..Default::default()
    };
    let claimed = keyed.stage.client.matches.clone().claim_seat(sent(claim, Some(&tokens[0]))).await.unwrap();
    let new_token = claimed.into_inner().seat_token;
    let path = format!("/v1/matches/{match_id}/seats/0:claim");
    let claimed = keyed.post(&path, &tokens[1], &json!({"player": {"displayName": "Ann"}})).await;
    assert_eq!(claimed["match"]["seats"][0]["player"], json!({"displayName": "Ann"}), "{claimed}");

    for (seat, of_seat_before) in [(0, 1), (1, 0)] {
        let player_id = format!("{MARK}:VISIBILITY_PRIVATE:{of_seat_before}");
        let listed = keyed.text(&format!("/v1/matches?playerId={player_id}"), Some(&keyed.owner)).await;
        let listed: Value = serde_json::from_str(&listed).unwrap();
        let rematch = &listed["matches"][0];
        assert_eq!(rematch["matchId"], json!(match_id), "{listed}");
        assert_eq!(rematch["seats"][seat]["player"]["playerId"], json!(player_id), "{listed}");
    }
    let of_match = format!("/v1/matches/{match_id}");
    let text = keyed.text(&of_match, Some(&new_token)).await;
    assert!(text.contains(&match_id) && !text.contains(MARK), "{text}");
    keyed.stage.close().await;
}

#[tokio::test]
async fn both_doors_update_labels_and_refuse_alike() {
    let keyed = Keyed::open().await;
    let (match_id, _) = keyed.noted_match("VISIBILITY_PUBLIC").await;
    let update = |pairs: &[(&str, &str)]| v1::UpdateMatchLabelsRequest {
        match_id: match_id.clone(),
        labels: pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect(),
        update_mask: None,
    };
    let mut matches = keyed.stage.client.matches.clone();
    let updated = matches.update_match_labels(sent(update(&[("a", "1")]), Some(&keyed.owner))).await;
    assert_eq!(updated.unwrap().into_inner().r#match.unwrap().labels["a"], "1");
    let path = format!("/v1/matches/{match_id}:updateLabels");
    let updated = keyed.post(&path, &keyed.owner, &json!({"labels": {"b": "2"}})).await;
    assert_eq!(updated["match"]["labels"], json!({"b": "2"}));
    let shown = keyed.text(&format!("/v1/matches/{match_id}"), Some(&keyed.owner)).await;
    assert!(shown.contains(r#""labels":{"b":"2"}"#), "{shown}");

    let stranger = update(&[("c", "3")]);
    let stranger = matches.update_match_labels(sent_with(stranger, &[keyed.rival.as_str()])).await;
    refused(stranger)
        .is("NOT_ALLOWED", Code::PermissionDenied, "the API key that owns the match")
        .has("needs", "owner_api_key");
    let stranger = keyed.post(&path, &keyed.rival, &json!({"labels": {"c": "3"}})).await;
    assert_eq!(stranger["error"]["reason"], "NOT_ALLOWED");

    // Labels are not removed by leaving them out.
    let nothing = matches.update_match_labels(sent_with(update(&[]), &[keyed.owner.as_str()])).await;
    refused(nothing).is("INVALID_ARGUMENT", Code::InvalidArgument, "update_mask").at("labels");
    for (body, field) in [
        (json!({}), "labels"),
        (json!({"labels": {}}), "labels"),
        (json!({"labels": {"b": "2"}, "updateMask": "externalId"}), "updateMask"),
        (json!({"labels": {"b": "2", "B": "2"}}), "labels.B"),
    ] {
        let refused = keyed.post(&path, &keyed.owner, &body).await;
        assert_eq!(refused["error"]["details"][1]["fieldViolations"][0]["field"], field, "{body}: {refused}");
    }
    let shown = keyed.text(&format!("/v1/matches/{match_id}"), Some(&keyed.owner)).await;
    assert!(shown.contains(r#""labels":{"b":"2"}"#), "{shown}");
    let updated = keyed.post(&path, &keyed.owner, &json!({"updateMask": "labels"})).await;
    assert_eq!(updated["match"]["labels"], json!({}));

    // The second match of an external id is refused with the first one's id.
    let again = json!({"gameId": "ludus-magus", "externalId": format!("{MARK} VISIBILITY_PUBLIC")});
    let (header, value) = credential_header(&keyed.owner);
    let taken = keyed.http.post("/v1/matches", &[(header, value.as_str())], &again).await;
    let taken = taken.refused(409, "EXTERNAL_ID_TAKEN");
    assert_eq!(taken["details"][0]["metadata"]["match_id"], json!(match_id), "{taken}");
    let request = v1::CreateMatchRequest {
        game_id: "ludus-magus".to_owned(),
        external_id: Some(format!("{MARK} VISIBILITY_PUBLIC")),
        ..Default::default()
    };
    let taken = matches.create_match(sent(request, Some(&keyed.owner))).await;
    refused(taken).is("EXTERNAL_ID_TAKEN", Code::AlreadyExists, &match_id);
    keyed.stage.close().await;
}
