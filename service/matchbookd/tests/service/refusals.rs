//! Refusals over gRPC and REST: both carry the same, each in its form.

use http::Method;
use play::{ApiKey, KeyRing, Role};
use serde_json::{Value, json};
use server::WebhookSwitch;
use transcode::code_name;
use wire::v1::{self, Visibility};

use crate::stage::{
    Answer, Backend, GAME, Http, Stage, Storage, Table, create_request, credential_header, grpc_json,
    json_spelling, refused, sent,
};

/// Status over HTTP, reason, RPC, request, token.
type Case<'a> = (u16, &'static str, &'static str, Value, Option<&'a str>);

/// A match id that no service has.
const NO_MATCH: &str = "0198f2c0-5b1e-7c3a-9d51-3f0a64c1e2b7";

/// Returns the method and path of an RPC; names in braces are fields of the request.
fn route(rpc: &str) -> (Method, &'static str) {
    match rpc {
        "GameService/GetGame" => (Method::GET, "/v1/games/{gameId}"),
        "LogService/SignHead" => (Method::GET, "/v1/matches/{matchId}/head"),
        "WebhookService/CreateWebhook" => (Method::POST, "/v1/webhooks"),
        "WebhookService/GetWebhook" => (Method::GET, "/v1/webhooks/{webhookId}"),
        "MatchService/CreateMatch" => (Method::POST, "/v1/matches"),
        "MatchService/ListMatches" => (Method::GET, "/v1/matches"),
        "MatchService/GetMatch" => (Method::GET, "/v1/matches/{matchId}"),
        "MatchService/GetView" => (Method::GET, "/v1/matches/{matchId}/view"),
        "MatchService/ListEvents" => (Method::GET, "/v1/matches/{matchId}/events"),
        "MatchService/ListLegalMoves" => (Method::GET, "/v1/matches/{matchId}/legalMoves"),
        "MatchService/GetChoices" => (Method::POST, "/v1/matches/{matchId}/choices"),
        "MatchService/SubmitMove" => (Method::POST, "/v1/matches/{matchId}/moves"),
        "MatchService/ClaimSeat" => (Method::POST, "/v1/matches/{matchId}/seats/{seat}:claim"),
        "MatchService/RotateSeatToken" => (Method::POST, "/v1/matches/{matchId}/seats/{seat}:rotate"),
        "MatchService/MakeProposal" => (Method::POST, "/v1/matches/{matchId}/proposals"),
        "MatchService/AnswerProposal" => (Method::POST, "/v1/matches/{matchId}/proposals:answer"),
        "MatchService/AbortMatch" => (Method::POST, "/v1/matches/{matchId}:abort"),
        "MatchService/ForkMatch" => (Method::POST, "/v1/matches/{matchId}:fork"),
        _ => panic!("no route: {rpc}"),
    }
}

fn submission(match_id: &str, notation: &str, request_id: Option<&str>) -> Value {
    json!({"matchId": match_id, "notation": notation, "requestId": request_id})
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Makes a call over REST.
async fn by_rest(stage: &Stage, rpc: &str, request: &Value, token: Option<&str>) -> Answer {
    let (method, path) = route(rpc);
    let (mut target, mut query) = (path.to_owned(), Vec::new());
    for (name, value) in request.as_object().unwrap() {
        let variable = format!("{{{name}}}");
        if target.contains(&variable) {
            target = target.replace(&variable, &text(value));
        } else if let Some(fields) = value.as_object() {
            query.extend(fields.iter().map(|(field, value)| format!("{name}.{field}={}", text(value))));
        } else {
            query.push(format!("{name}={}", text(value)));
        }
    }
    let header = token.map(credential_header);
    let headers: Vec<(&str, &str)> = header.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let http = Http::of(&stage.address);
    if method == Method::POST {
        return http.post(&target, &headers, request).await;
    }
    let target = if query.is_empty() { target } else { format!("{target}?{}", query.join("&")) };
    http.get(&target, &headers).await
}

/// Makes a call over both protocols, asserts that both refuse it alike, and returns the error over REST.
async fn assert_refused(stage: &Stage, (status, reason, rpc, request, token): Case<'_>) -> Value {
    let outcome = grpc_json(stage.connect().await, rpc, &request, token).await;
    assert!(outcome.is_err(), "{rpc} with {request}: {outcome:?}");
    let grpc = refused(outcome);
    let error = by_rest(stage, rpc, &request, token).await.refused(status, reason);
    assert_eq!(grpc.reason, reason, "{grpc:?}");
    assert_eq!(error["status"], code_name(grpc.code), "{error}");
    assert_eq!(error["message"], json_spelling(&grpc.text), "{error}");
    let info = detail(&error, "ErrorInfo").unwrap();
    assert_eq!((&info["domain"], &info["metadata"]), (&json!("matchbook.v1"), &json!(grpc.metadata)));
    assert_eq!(detail(&error, "RetryInfo").is_some(), grpc.retry_after.is_some(), "{error}");
    error
}

/// Returns a detail of an error over REST.
fn detail<'e>(error: &'e Value, kind: &str) -> Option<&'e Value> {
    let name = format!("type.googleapis.com/google.rpc.{kind}");
    error["details"].as_array().unwrap().iter().find(|detail| detail["@type"] == name)
}

#[tokio::test]
async fn a_running_match_refuses_alike_over_both_protocols() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(8, 8, 20).await;
    stage.client.turn(&table, "1,1", "3,3").await;
    let Table { match_id, tokens } = table;
    let [angels, demons] = [0, 1].map(|seat: usize| Some(tokens[seat].as_str()));
    let request_id = "00000000-0000-4000-8000-000000000001";
    let submit = |notation: &str, id: Option<&str>| submission(&match_id, notation, id);
    let first = submit("5,5", Some(request_id));
    grpc_json(stage.connect().await, "MatchService/SubmitMove", &first, angels).await.unwrap();
    let of_match = json!({"matchId": match_id});
    let draw = json!({"matchId": match_id, "kind": "PROPOSAL_KIND_DRAW"});
    let accept = json!({"matchId": match_id, "kind": "PROPOSAL_KIND_DRAW", "accept": true});
    grpc_json(stage.connect().await, "MatchService/MakeProposal", &draw, angels).await.unwrap();

    let moves = "MatchService/SubmitMove";
    let late = json!({"matchId": match_id, "notation": "7,7", "expectedSeq": 4});
    let claim = json!({"matchId": match_id, "seat": 1, "player": {"displayName": "Eve"}});
    let view = |name: &str, value: Value| json!({"matchId": match_id, name: value});
    let path = json!({"matchId": match_id, "path": ["nonsense"]});
    let cases: [Case<'_>; 20] = [
        (404, "UNKNOWN_GAME", "GameService/GetGame", json!({"gameId": "go"}), None),
        (404, "UNKNOWN_MATCH", "MatchService/GetMatch", json!({"matchId": NO_MATCH}), None),
        (400, "INVALID_ARGUMENT", "MatchService/GetMatch", json!({"matchId": "nonsense"}), None),
        (400, "INVALID_ARGUMENT", "MatchService/ListMatches", json!({"mine": true}), None),
        (401, "MISSING_TOKEN", moves, submit("3,3", None), None),
        (401, "BAD_TOKEN", moves, submit("3,3", None), Some("mbs_of-another-match")),
        (403, "NOT_ALLOWED", "MatchService/GetView", view("viewer", json!({"seat": 1})), angels),
        (409, "SEAT_TAKEN", "MatchService/ClaimSeat", claim, None),
        (409, "MATCH_NOT_OVER", "MatchService/GetView", view("viewer", json!({"kind": "KIND_OPEN"})), None),
        (409, "NO_PROPOSAL", "MatchService/AnswerProposal", accept, angels),
        (409, "ALREADY_PROPOSED", "MatchService/MakeProposal", draw, angels),
        (409, "TOO_LATE_TO_ABORT", "MatchService/AbortMatch", of_match.clone(), demons),
        (409, "NOT_FORKABLE", "MatchService/ForkMatch", of_match.clone(), None),
        (409, "NOT_YOUR_TURN", moves, submit("7,7", None), angels),
        (409, "REQUEST_ID_REUSED", moves, submit("7,7", Some(request_id)), angels),
        (422, "ILLEGAL_MOVE", moves, submit("1,2", None), demons),
        (400, "ILLEGAL_CHOICE", "MatchService/GetChoices", path, demons),
        (409, "STALE_POSITION", moves, late, demons),
        (404, "UNKNOWN_SEQ", "MatchService/GetView", view("atSeq", json!(99)), None),
        (404, "UNKNOWN_SEQ", "MatchService/GetView", view("minSeq", json!(99)), None),
    ];
    for case in cases {
        assert_refused(&stage, case).await;
    }
    stage.close().await;
}

#[tokio::test]
async fn a_seat_of_a_rematch_is_refused_alike_to_all_but_its_player() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(4, 4, 3).await;
    let zero = Some(table.tokens[0].as_str());
    let of_match = json!({"matchId": table.match_id});
    grpc_json(stage.connect().await, "MatchService/Resign", &of_match, zero).await.unwrap();
    let created =
        grpc_json(stage.connect().await, "MatchService/CreateRematch", &of_match, zero).await.unwrap();
    let rematch = created["match"]["matchId"].as_str().unwrap();
    let rpc = "MatchService/ClaimSeat";
    let claim = |seat: u32| json!({"matchId": rematch, "seat": seat, "player": {"displayName": "Eve"}});
    let anonymous = assert_refused(&stage, (401, "MISSING_TOKEN", rpc, claim(0), None)).await;
    let other = assert_refused(&stage, (403, "NOT_ALLOWED", rpc, claim(0), zero)).await;
    let mut metadata = json!({"rematch_of": table.match_id, "seat": "1"});
    assert_eq!(detail(&anonymous, "ErrorInfo").unwrap()["metadata"], metadata);
    metadata["needs"] = "seat_token,owner_api_key".into();
    assert_eq!(detail(&other, "ErrorInfo").unwrap()["metadata"], metadata);
    let taken = assert_refused(&stage, (409, "SEAT_TAKEN", rpc, claim(1), None)).await;
    let metadata = &detail(&taken, "ErrorInfo").unwrap()["metadata"];
    assert_eq!(metadata, &json!({"match_id": rematch, "seat": "1"}));
    let claimed = by_rest(&stage, rpc, &claim(0), Some(&table.tokens[1])).await;
    assert_eq!(claimed.json()["match"]["status"], "MATCH_STATUS_RUNNING");
    stage.close().await;
}

#[tokio::test]
async fn only_a_missing_newer_state_is_worth_a_retry() {
    let stage = Stage::on(Backend::Memory).await;
    let Table { match_id, tokens } = stage.client.table(3, 3, 1).await;
    let token = Some(tokens[0].as_str());
    let asking = |name: &str| json!({"matchId": match_id, name: 99});
    for (rpc, name, delay) in [
        ("MatchService/GetView", "minSeq", Some("0.100s")),
        ("MatchService/ListEvents", "minSeq", Some("0.100s")),
        ("MatchService/ListLegalMoves", "minSeq", Some("0.100s")),
        ("LogService/SignHead", "minSeq", Some("0.100s")),
        ("MatchService/GetView", "atSeq", None),
    ] {
        let error = assert_refused(&stage, (404, "UNKNOWN_SEQ", rpc, asking(name), token)).await;
        let retry_delay = detail(&error, "RetryInfo").map(|info| info["retryDelay"].as_str().unwrap());
        assert_eq!(retry_delay, delay, "{rpc}: {error}");
        let advised = error["message"].as_str().unwrap().contains("retry");
        assert_eq!(advised, delay.is_some(), "{rpc}: {error}");
    }
    stage.close().await;
}

#[tokio::test]
async fn matches_before_and_after_play_refuse_alike_over_both_protocols() {
    let stage = Stage::on(Backend::Memory).await;
    let open = stage.client.create(Default::default()).await;
    let waiting = stage.client.claim(&open, 0, "Ann").await.unwrap();
    let over = stage.client.table(8, 8, 20).await;
    let token = Some(over.tokens[0].as_str());
    let resign = json!({"matchId": over.match_id});
    grpc_json(stage.connect().await, "MatchService/Resign", &resign, token).await.unwrap();
    let moves = "MatchService/SubmitMove";
    let not_started =
        (409, "MATCH_NOT_STARTED", moves, submission(&open, "1,1", None), Some(waiting.as_str()));
    assert_refused(&stage, not_started).await;
    assert_refused(&stage, (409, "MATCH_OVER", moves, submission(&over.match_id, "1,1", None), token)).await;
    stage.close().await;
}

#[tokio::test]
async fn who_is_not_to_act_learns_what_to_wait_for() {
    let stage = Stage::on(Backend::Memory).await;
    for (game, cause) in [
        ("angels-and-demons", "this seat has already chosen in this turn"),
        ("ludus-magus", "it is the other seat's turn"),
        ("ace-exorcist", "it is the Summoner's turn"),
        ("cresnovian-chess", "it is the other player's turn"),
    ] {
        let game = json!({"gameId": game});
        let created =
            grpc_json(stage.connect().await, "MatchService/CreateMatch", &game, None).await.unwrap();
        let match_id = created["match"]["matchId"].as_str().unwrap().to_owned();
        let mut tokens = Vec::new();
        for seat in 0..2 {
            tokens.push(stage.client.claim(&match_id, seat, "Ann").await.unwrap());
        }
        if cause.contains("chosen") {
            let chosen = submission(&match_id, "1,1", None);
            grpc_json(stage.connect().await, "MatchService/SubmitMove", &chosen, Some(&tokens[1]))
                .await
                .unwrap();
        }
        let token = Some(tokens[1].as_str());
        let early =
            (409, "NOT_YOUR_TURN", "MatchService/SubmitMove", submission(&match_id, "1,1", None), token);
        let error = assert_refused(&stage, early).await;
        let text = error["message"].as_str().unwrap();
        assert!(text.starts_with(cause) && text.ends_with("; wait for the other seat to move"), "{text}");
    }
    stage.close().await;
}

#[tokio::test]
async fn takebacks_refuse_alike_over_both_protocols() {
    let stage = Stage::on(Backend::Memory).await;
    let ask = |match_id: &str| json!({"matchId": match_id, "kind": "PROPOSAL_KIND_TAKEBACK"});
    let make = "MatchService/MakeProposal";
    let angels = stage.client.table(8, 8, 20).await;
    let token = Some(angels.tokens[0].as_str());
    let error = assert_refused(&stage, (409, "TAKEBACK_FORBIDDEN", make, ask(&angels.match_id), token)).await;
    assert_eq!(detail(&error, "ErrorInfo").unwrap()["metadata"]["paragraph"], "G-10", "{error}");
    let refusals = [(409, "NOTHING_TO_TAKE_BACK", false), (409, "TAKEBACK_FORBIDDEN", true)];
    for (status, reason, forbid_takebacks) in refusals {
        let create = v1::CreateMatchRequest {
            game_id: "ludus-magus".to_owned(),
            forbid_takebacks,
            ..Default::default()
        };
        let created = stage.client.matches.clone().create_match(create).await.unwrap().into_inner();
        let match_id = created.r#match.unwrap().match_id;
        let white = stage.client.claim(&match_id, 0, "Merlin").await.unwrap();
        stage.client.claim(&match_id, 1, "Morgana").await.unwrap();
        let error = assert_refused(&stage, (status, reason, make, ask(&match_id), Some(&white))).await;
        assert_eq!(detail(&error, "ErrorInfo").unwrap()["metadata"]["paragraph"], "G-10", "{error}");
    }
    stage.close().await;
}

#[tokio::test]
async fn a_key_of_the_wrong_role_is_not_a_missing_key() {
    let roles = [("shop", Role::App), ("auditor", Role::Audit)];
    let [(shop, owner), (auditor, audit)] = roles.map(|(name, role)| ApiKey::generate(name, role).unwrap());
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.api_keys = KeyRing::new(vec![shop, auditor]).unwrap();
    let stage = Stage::with(config).await;
    let create = sent(create_request(Default::default()), Some(&owner));
    let created = stage.client.matches.clone().create_match(create).await.unwrap().into_inner();
    let match_id = created.r#match.unwrap().match_id;
    let new = json!({"gameId": GAME, "visibility": Visibility::Unlisted.as_str_name()});
    let (mine, fork) = (json!({"mine": true}), json!({"matchId": match_id, "atSeq": 1}));
    let key = Some(audit.as_str());
    for (rpc, request) in [
        ("MatchService/CreateMatch", new),
        ("MatchService/ListMatches", mine),
        ("MatchService/ForkMatch", fork),
    ] {
        assert_refused(&stage, (401, "MISSING_KEY", rpc, request.clone(), None)).await;
        let error = assert_refused(&stage, (403, "NOT_ALLOWED", rpc, request, key)).await;
        assert_eq!(detail(&error, "ErrorInfo").unwrap()["metadata"]["roles"], "app,admin", "{error}");
    }
    let rotate = json!({"matchId": match_id, "seat": 1});
    let unclaimed = (409, "SEAT_NOT_CLAIMED", "MatchService/RotateSeatToken", rotate, Some(owner.as_str()));
    assert_refused(&stage, unclaimed).await;
    stage.close().await;
}

#[tokio::test]
async fn a_seat_that_was_rotated_too_often_is_refused_alike_over_both_protocols() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(4, 4, 9).await;
    let mut token = table.tokens[0].clone();
    let request = json!({"matchId": table.match_id, "seat": 0});
    let rpc = "MatchService/RotateSeatToken";
    for _ in 0..64 {
        let answer = grpc_json(stage.connect().await, rpc, &request, Some(&token)).await.unwrap();
        token = answer["seatToken"].as_str().unwrap().to_owned();
    }
    assert_refused(&stage, (409, "TOO_MANY_ROTATIONS", rpc, request, Some(&token))).await;
    stage.close().await;
}

#[tokio::test]
async fn webhooks_refuse_alike_over_both_protocols() {
    let (shop, key) = ApiKey::generate("shop", Role::App).unwrap();
    let key = Some(key.as_str());
    let new = json!({"url": "https://shop.example/"});
    for (webhooks, per_key) in [(WebhookSwitch::On, 1), (WebhookSwitch::Off, 1)] {
        let storage = Storage::here(Backend::Memory).await;
        let mut config = storage.config();
        config.api_keys = KeyRing::new(vec![shop.clone()]).unwrap();
        config.webhooks.webhooks = webhooks;
        config.webhooks.webhooks_per_key = per_key;
        let stage = Stage::with(config).await;
        let create = "WebhookService/CreateWebhook";
        if webhooks == WebhookSwitch::Off {
            assert_refused(&stage, (501, "WEBHOOKS_OFF", create, new.clone(), key)).await;
            stage.close().await;
            continue;
        }
        assert_refused(&stage, (401, "MISSING_KEY", create, new.clone(), None)).await;
        let unknown = json!({"webhookId": NO_MATCH});
        let get = "WebhookService/GetWebhook";
        assert_refused(&stage, (404, "UNKNOWN_WEBHOOK", get, unknown, key)).await;
        grpc_json(stage.connect().await, create, &new, key).await.unwrap();
        assert_refused(&stage, (409, "TOO_MANY_WEBHOOKS", create, new.clone(), key)).await;
        stage.close().await;
    }
}
