//! The limits in the OpenAPI document, which come from the rules of fields in the protos, compared with the
//! service: it accepts the limit and refuses the next value, naming the field. The service does not read the
//! rules itself: it would have to decode each request twice, the second time as a message without a type, and
//! its own checks say more, such as which characters a name may have.

use std::collections::BTreeSet;

use play::{ApiKey, KeyRing, Role};
use serde_json::{Map, Value, json};

use crate::stage::{Backend, Http, Stage, Storage, credential_header};

const MOVES: &str = "/v1/matches/MATCH/moves";
const CLAIM: &str = "/v1/matches/OPEN/seats/0:claim";
const CREATE: &str = "/v1/matches";

/// Where each limited property is sent, with `VALUE` in its place: schema and property, path, and body.
/// Properties of a name that all requests share are sent once.
const SENT: [(&str, &str, &str); 18] = [
    ("SubmitMoveRequest.requestId", MOVES, r#"{"notation": "9,9", "requestId": "VALUE"}"#),
    ("SubmitMoveRequest.notation", MOVES, r#"{"notation": "VALUE"}"#),
    ("CheckMoveRequest.notation", "/v1/matches/MATCH/moves:check", r#"{"notation": "VALUE"}"#),
    ("GetChoicesRequest.path", "/v1/matches/MATCH/choices", r#"{"path": "VALUE"}"#),
    ("Player.displayName", CLAIM, r#"{"player": {"displayName": "VALUE"}}"#),
    ("ClaimSeatRequest.claimSecret", CLAIM, r#"{"player": {"displayName": "Ann"}, "claimSecret": "VALUE"}"#),
    ("ClaimSeatRequest.entropy", CLAIM, r#"{"player": {"displayName": "Ann"}, "entropy": "VALUE"}"#),
    (
        "Player.displayName",
        CREATE,
        r#"{"gameId": "angels-and-demons", "claim": {"seat": 0, "player": {"displayName": "VALUE"}}}"#,
    ),
    (
        "SeatClaim.seat",
        CREATE,
        r#"{"gameId": "angels-and-demons", "claim": {"seat": "VALUE", "player": {"displayName": "Ann"}}}"#,
    ),
    (
        "PerMove.moveTime",
        CREATE,
        r#"{"gameId": "angels-and-demons", "timeControl": {"perMove": {"moveTime": "VALUE"}}}"#,
    ),
    (
        "Bank.budget",
        CREATE,
        r#"{"gameId": "angels-and-demons", "timeControl": {"bank": {"budget": "VALUE"}}}"#,
    ),
    (
        "Bank.increment",
        CREATE,
        r#"{"gameId": "angels-and-demons", "timeControl": {"bank": {"budget": "9s", "increment": "VALUE"}}}"#,
    ),
    (
        "AngelsAndDemonsOptions.rows",
        CREATE,
        r#"{"gameId": "angels-and-demons",
            "options": {"angelsAndDemons": {"rows": "VALUE", "cols": "VALUE"}}}"#,
    ),
    (
        "AngelsAndDemonsOptions.cols",
        CREATE,
        r#"{"gameId": "angels-and-demons",
            "options": {"angelsAndDemons": {"rows": "PEER", "cols": "VALUE"}}}"#,
    ),
    (
        "AngelsAndDemonsOptions.turns",
        CREATE,
        r#"{"gameId": "angels-and-demons", "options": {"angelsAndDemons": {"turns": "VALUE"}}}"#,
    ),
    (
        "CresnovianChessOptions.maxTurns",
        CREATE,
        r#"{"gameId": "cresnovian-chess", "options": {"cresnovianChess": {"maxTurns": "VALUE"}}}"#,
    ),
    (
        "LudusMagusOptions.maxTurns",
        CREATE,
        r#"{"gameId": "ludus-magus", "options": {"ludusMagus": {"maxTurns": "VALUE"}}}"#,
    ),
    (
        "LudusMagusOptions.firstSeat",
        CREATE,
        r#"{"gameId": "ludus-magus", "options": {"ludusMagus": {"firstSeat": "VALUE"}}}"#,
    ),
];

/// The same of properties that only an API key may send.
const SENT_WITH_KEY: [(&str, &str, &str); 4] = [
    ("Player.playerId", CLAIM, r#"{"player": {"displayName": "Ann", "playerId": "VALUE"}}"#),
    ("CreateMatchRequest.labels", CREATE, r#"{"gameId": "ludus-magus", "labels": "VALUE"}"#),
    ("CreateMatchRequest.externalId", CREATE, r#"{"gameId": "ludus-magus", "externalId": "VALUE"}"#),
    ("UpdateMatchLabelsRequest.labels", "/v1/matches/OPEN:updateLabels", r#"{"labels": "VALUE"}"#),
];

/// Properties that every request has with the same rule.
const SHARED: [&str; 2] = ["requestId", "claimSecret"];

/// Values at the limits of a property, and values beyond them.
#[derive(Default)]
struct Limits {
    accepted: Vec<Value>,
    refused: Vec<Value>,
}

impl Limits {
    fn of(property: &Value) -> Self {
        let mut limits = Self::default();
        let number = |keyword: &str| property[keyword].as_u64();
        let encoded = property["contentEncoding"] == "base64";
        if let Some(most) = number("maximum").filter(|most| *most != u64::from(u32::MAX)) {
            limits.at(json!(most), json!(most + 1));
        }
        if let Some(least) = number("minimum").filter(|least| *least > 0) {
            limits.at(json!(least), json!(least - 1));
        }
        if let Some(most) = number("maxLength") {
            // In base64 the limit is rounded up to a group of four characters.
            let (less, more) = if encoded { (4, 4) } else { (0, 1) };
            limits.at(text(most - less), text(most + more));
        }
        if let Some(least) = number("minLength") {
            limits.at(text(least), text(least - 1));
            if property["pattern"].is_string() {
                limits.refused.push(" ".repeat(usize::try_from(least).unwrap()).into());
            }
        }
        if let Some(most) = number("maxItems") {
            let items = |count: u64| json!((0..count).map(|_| "1").collect::<Vec<_>>());
            limits.at(items(most), items(most + 1));
            let longest = property["items"]["maxLength"].as_u64().unwrap();
            limits.at(json!([text(longest)]), json!([text(longest + 1)]));
        }
        if let Some(longest) = property["x-maximum"].as_str() {
            limits.at(longest.into(), format!("{}.001s", longest.trim_end_matches('s')).into());
        }
        if let Some(shortest) = property["x-minimum"].as_str() {
            let seconds: f64 = shortest.trim_end_matches('s').parse().unwrap();
            limits.at(shortest.into(), format!("{:.3}s", seconds - 0.001).into());
        }
        if let Some(most) = number("maxProperties") {
            let entries = |count: u64| (0..count).map(|n| (format!("k{n}"), json!("1"))).collect::<Value>();
            limits.at(entries(most), entries(most + 1));
            let longest = property["propertyNames"]["maxLength"].as_u64().unwrap();
            let key = |length: u64| json!({"k".repeat(usize::try_from(length).unwrap()): "1"});
            limits.at(key(longest), key(longest + 1));
            let longest = property["additionalProperties"]["maxLength"].as_u64().unwrap();
            limits.at(json!({"k": text(longest)}), json!({"k": text(longest + 1)}));
            limits.refused.push(json!({"K": "1"}));
        }
        if property["format"] == "uuid" {
            limits.at(json!("0192f0c1-2b3a-7c4d-8e5f-60718293a4b5"), json!("0192f0c1"));
        }
        limits
    }

    fn at(&mut self, limit: Value, beyond: Value) {
        self.accepted.push(limit);
        self.refused.push(beyond);
    }
}

fn text(length: u64) -> Value {
    "A".repeat(usize::try_from(length).unwrap()).into()
}

/// Returns the names of all limited properties in messages that requests can contain.
fn limited(schemas: &Map<String, Value>) -> BTreeSet<String> {
    let mut limited = BTreeSet::new();
    let mut waiting: Vec<&str> =
        schemas.keys().map(String::as_str).filter(|name| name.ends_with("Request")).collect();
    let mut seen = BTreeSet::new();
    while let Some(name) = waiting.pop() {
        if !seen.insert(name) {
            continue;
        }
        for (property, schema) in schemas[name]["properties"].as_object().into_iter().flatten() {
            if !Limits::of(schema).refused.is_empty() && !SHARED.contains(&property.as_str()) {
                limited.insert(format!("{name}.{property}"));
            }
            let inner = schema["$ref"].as_str().or(schema["items"]["$ref"].as_str());
            waiting.extend(inner.map(|inner| inner.rsplit('/').next().unwrap()));
        }
    }
    limited
}

#[tokio::test]
async fn the_service_enforces_the_limits_of_the_document() {
    let stage = Stage::on(Backend::Memory).await;
    let http = Http::of(&stage.address);
    let document = http.get("/openapi.json", &[]).await.json();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let sent = SENT.iter().chain(&SENT_WITH_KEY).map(|(name, ..)| (*name).to_owned());
    let sent: BTreeSet<String> = sent.filter(|name| !SHARED.iter().any(|one| name.ends_with(one))).collect();
    assert_eq!(sent, limited(schemas), "every limit in the document is tried here");
    let table = stage.client.table(4, 4, 9).await;
    let open = http.post(CREATE, &[], &json!({"gameId": "ace-exorcist"})).await.json();
    let open = open["match"]["matchId"].as_str().unwrap();
    let token = [("matchbook-seat-token", table.tokens[0].as_str())];
    for sent in SENT {
        let path = sent.1.replace("MATCH", &table.match_id).replace("OPEN", open);
        // Nobody claims a seat with a seat's token.
        let token = if path.contains("/moves") || path.contains("/choices") { &token[..] } else { &[] };
        check_limits(&http, schemas, sent, &path, token).await;
    }
    stage.close().await;
}

#[tokio::test]
async fn seats_in_paths_and_parameters_have_the_documented_limit() {
    let stage = Stage::on(Backend::Memory).await;
    let http = Http::of(&stage.address);
    let document = http.get("/openapi.json", &[]).await.json();
    let table = stage.client.table(4, 4, 9).await;
    for (path, method, name) in [
        ("/v1/matches/{matchId}/seats/{seat}:claim", "post", "seat"),
        ("/v1/matches/{matchId}/seats/{seat}:rotate", "post", "seat"),
        ("/v1/matches/{matchId}/legalMoves", "get", "seat"),
        ("/v1/matches/{matchId}/view", "get", "viewer.seat"),
    ] {
        let parameters = document["paths"][path][method]["parameters"].as_array().unwrap();
        let seat = parameters.iter().find(|parameter| parameter["name"] == name).unwrap();
        assert_eq!(seat["schema"]["maximum"], 7, "{path}");
        let target = path.replace("{matchId}", &table.match_id).replace("{seat}", "8");
        let answer = if method == "post" {
            let claims = path.ends_with("claim");
            let body = if claims { json!({"player": {"displayName": "Ann"}}) } else { json!({}) };
            http.post(&target, &[], &body).await
        } else {
            http.get(&format!("{target}?{name}=8"), &[]).await
        };
        let error = answer.refused(400, "INVALID_ARGUMENT");
        assert!(error["message"].as_str().unwrap().starts_with(&format!("{name}: ")), "{path}: {error}");
    }
    stage.close().await;
}

#[tokio::test]
async fn the_service_enforces_the_limits_of_what_needs_a_key() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    let (key, secret) = ApiKey::generate("shop", Role::App).unwrap();
    config.api_keys = KeyRing::new(vec![key]).unwrap();
    let stage = Stage::with(config).await;
    let http = Http::of(&stage.address);
    let document = http.get("/openapi.json", &[]).await.json();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let (header, value) = credential_header(&secret);
    let key = [(header, value.as_str())];
    let open = http.post(CREATE, &key, &json!({"gameId": "ace-exorcist"})).await.json();
    let open = open["match"]["matchId"].as_str().unwrap();
    for sent in SENT_WITH_KEY {
        check_limits(&http, schemas, sent, &sent.1.replace("OPEN", open), &key).await;
    }
    stage.close().await;
}

/// Sends the limits of a property, and what is beyond them.
async fn check_limits(
    http: &Http,
    schemas: &Map<String, Value>,
    (name, _, body): (&str, &str, &str),
    path: &str,
    credential: &[(&str, &str)],
) {
    let (schema, property) = name.split_once('.').unwrap();
    let limits = Limits::of(&schemas[schema]["properties"][property]);
    assert!(!limits.refused.is_empty(), "{name} has no limit");
    let body = |value: &Value| {
        // Rows and columns are both even or both odd.
        let peer = 4 - value.as_u64().unwrap_or_default() % 2;
        let body = body.replace("\"VALUE\"", &value.to_string()).replace("\"PEER\"", &peer.to_string());
        body.parse::<Value>().unwrap()
    };
    // A match of two seats refuses seats that a larger match would have.
    let accepted = if property == "seat" { vec![json!(1)] } else { limits.accepted };
    for value in accepted {
        let answer = http.post(path, credential, &body(&value)).await.json();
        assert_ne!(answer["error"]["reason"], "INVALID_ARGUMENT", "{name} {value}: {answer}");
    }
    for value in limits.refused {
        let error = http.post(path, credential, &body(&value)).await.refused(400, "INVALID_ARGUMENT");
        let details = error["details"].as_array().unwrap().iter();
        let named = details.filter_map(|detail| detail["fieldViolations"][0]["field"].as_str());
        let named: Vec<String> = named.map(|path| path.replace('_', "").to_lowercase()).collect();
        let names = named.iter().any(|path| path.contains(&property.to_lowercase()));
        assert!(names, "{name} {value}: {error}");
    }
}
