//! Requests with malformed HTTP or JSON: each gets its status, its reason and a helpful message.

use http::Method;
use serde_json::{Value, json};

use crate::stage::{Backend, Http, Stage};

const JSON: (&str, &str) = ("content-type", "application/json");

async fn stage() -> (Stage, Http) {
    let stage = Stage::on(Backend::Memory).await;
    let http = Http::of(&stage.address);
    (stage, http)
}

/// What a duration must be.
const DURATION: &str = "must be a duration in seconds with the unit, such as \"2.5s\"";

/// Method, path, body, and a part of the message that refuses it; `ID` is a match's id.
const MALFORMED: [(Method, &str, &str, &str); 19] = [
    (Method::GET, "/v1/matches?pageSize=ten", "", "pageSize: must be an integer from 0 to 4294967295"),
    (Method::GET, "/v1/matches?mine=yes", "", "mine: must be true or false; `yes` is not"),
    (
        Method::GET,
        "/v1/matches?status=open",
        "",
        "status: must be MATCH_STATUS_OPEN, MATCH_STATUS_RUNNING or MATCH_STATUS_OVER; `open` is not",
    ),
    (
        Method::GET,
        "/v1/matches?createdSince=today",
        "",
        "createdSince: must be a time as in RFC 3339, such as \"2026-11-23T12:00:00Z\"; `today` is not",
    ),
    (Method::GET, "/v1/matches?seatToAct=9x", "", "seatToAct: must be an integer from 0 to 7; `9x` is not"),
    (
        Method::GET,
        "/v1/matches/ID/view?viewer=0",
        "",
        "viewer: set one of its fields, as in `name.field=value`; it has: kind, seat",
    ),
    (
        Method::GET,
        "/v1/matches:batchGet?matchIds=a,b",
        "",
        "matchIds[0]: must be one id; in a query, repeat matchIds for each",
    ),
    (
        Method::POST,
        "/v1/matches",
        r#"{"gameId": "ludus-magus", "options": {"angelsAndDemons": {}}}"#,
        "options: must be options of ludus-magus: set options.ludusMagus, or leave it out",
    ),
    (Method::POST, "/v1/matches/ID/moves", "{}", "move: must be set, unless `notation`"),
    (Method::GET, "/v1/matches?mine=true&mine=true", "", "mine: set more than once; send it once"),
    (
        Method::POST,
        "/v1/matches/ID/seats/one:claim",
        "{}",
        "seat: must be an integer from 0 to 7; `one` is not",
    ),
    (Method::GET, "/v1/matches/ID/watch?afterHash=%25", "", "afterHash: must be bytes in base64"),
    (Method::POST, "/v1/matches", r#"{"timeControl": {"perMove": {"moveTime": "30"}}}"#, DURATION),
    (Method::POST, "/v1/matches", r#"{"timeControl": {"perMove": {"moveTime": 30}}}"#, DURATION),
    (
        Method::POST,
        "/v1/matches",
        r#"{"visibility": "PUBLIC"}"#,
        "visibility: must be VISIBILITY_PUBLIC, VISIBILITY_UNLISTED or VISIBILITY_PRIVATE; `PUBLIC` is \
         not",
    ),
    (
        Method::POST,
        "/v1/matches",
        r#"{"labels": {"round": 2}}"#,
        "labels.round: must be a string in double quotes",
    ),
    (Method::POST, "/v1/matches", r#"{"claim": {"claimSecret": 1}}"#, "claim.claimSecret: must be a string"),
    (Method::POST, "/v1/matches/ID/choices", r#"{"path": "b1"}"#, "path: must be a list, each a string"),
    (Method::POST, "/v1/matches/ID/proposals:answer", r#"{"accept": "no"}"#, "accept: must be true or false"),
];

/// Returns the fields at fault.
fn fields(error: &Value) -> Vec<&str> {
    let details = error["details"].as_array().unwrap();
    let bad = details.iter().find(|detail| detail["@type"] == "type.googleapis.com/google.rpc.BadRequest");
    let violations = bad.map_or(&[][..], |bad| bad["fieldViolations"].as_array().unwrap());
    violations.iter().map(|violation| violation["field"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn bodies_that_do_not_match_the_message_are_refused() {
    let (stage, http) = stage().await;
    for (body, field, piece) in [
        ("{", "", "not JSON"),
        ("[]", "", "JSON object"),
        ("{\"game\": \"angels-and-demons\"} x", "", "not JSON"),
        (r#"{"gmae": "angels-and-demons"}"#, "gmae", "it has: gameId, options, requestId"),
        (
            r#"{"options": {"angelsAndDemons": {"rowz": 3}}}"#,
            "options.angelsAndDemons.rowz",
            "no such field in Options; it has: rows, cols, turns",
        ),
        (r#"{"gameId": 3}"#, "gameId", "string"),
        (r#"{"gameId": "a", "gameId": "b"}"#, "gameId", "more than once"),
        (r#"{"options": {"angelsAndDemons": {"rows": -1}}}"#, "options.angelsAndDemons.rows", ""),
        (r#"{"options": {"angelsAndDemons": {"rows": 4294967296}}}"#, "options.angelsAndDemons.rows", ""),
        (r#"{"options": {"angelsAndDemons": {"rows": 1.5}}}"#, "options.angelsAndDemons.rows", ""),
        (r#"{"options": {"angelsAndDemons": {"rows": "six"}}}"#, "options.angelsAndDemons.rows", ""),
        (
            r#"{"options": {"angelsAndDemons": {}, "ludusMagus": {}}}"#,
            "options.ludusMagus",
            "angelsAndDemons",
        ),
        (r#"{"claim": {"seat": "two"}}"#, "claim.seat", ""),
    ] {
        let response = http.send(Method::POST, "/v1/matches", &[JSON], body).await;
        let error = response.refused(400, "INVALID_ARGUMENT");
        assert!(error["message"].as_str().unwrap().contains(piece), "{body}: {error}");
        let expected: &[&str] = if field.is_empty() { &[] } else { &[field] };
        assert_eq!(fields(&error), expected, "{body}");
    }
    // Protobuf's JSON form accepts integers as strings and with a fraction of zero.
    let body =
        json!({"gameId": "angels-and-demons", "options": {"angelsAndDemons": {"rows": "6", "cols": 6.0}}});
    let response = http.post("/v1/matches", &[], &body).await.json();
    assert_eq!(response["match"]["options"]["angelsAndDemons"]["rows"], 6);
    stage.close().await;
}

#[tokio::test]
async fn bodies_of_another_media_type_or_too_large_are_refused() {
    let (stage, http) = stage().await;
    let body = r#"{"gameId": "angels-and-demons"}"#;
    for headers in [
        &[][..],
        &[("content-type", "text/plain")],
        &[("content-type", "application/x-www-form-urlencoded")],
        &[("content-type", "application/json; charset=latin-1")],
        &[JSON, ("content-encoding", "gzip")],
    ] {
        let response = http.send(Method::POST, "/v1/matches", headers, body).await;
        let error = response.refused(415, "UNSUPPORTED_MEDIA_TYPE");
        assert!(error["message"].as_str().unwrap().contains("application/json"), "{error}");
    }
    let large = format!(r#"{{"gameId": "{}"}}"#, "x".repeat(300_000));
    let error =
        http.send(Method::POST, "/v1/matches", &[JSON], large).await.refused(413, "MESSAGE_TOO_LARGE");
    assert_eq!(error["details"][0]["metadata"]["max_bytes"], "262144");
    let long = "x".repeat(20_000);
    http.get("/v1/games", &[("x-long", &long)]).await.refused(413, "MESSAGE_TOO_LARGE");
    let response = http.send(Method::GET, "/v1/games", &[JSON], "{}").await;
    response.refused(400, "INVALID_ARGUMENT");
    stage.close().await;
}

#[tokio::test]
async fn unknown_paths_and_methods_are_refused() {
    let (stage, http) = stage().await;
    for target in
        ["/v1/nothing", "/v1/matches/", "/v2/games", "/v1/games/a/b", "/docs/x", "/v1/matches/a/seats/1:take"]
    {
        http.get(target, &[]).await.refused(404, "UNKNOWN_ROUTE");
    }
    for (method, target, allow) in [
        (Method::DELETE, "/v1/games", "GET, HEAD, OPTIONS"),
        (Method::GET, "/v1/matches/a/moves", "POST, OPTIONS"),
        (Method::POST, "/v1/matches/a/board.txt", "GET, HEAD, OPTIONS"),
        (Method::POST, "/livez", "GET, HEAD, OPTIONS"),
    ] {
        let response = http.send(method.clone(), target, &[], "").await;
        let error = response.refused(405, "METHOD_NOT_ALLOWED");
        assert_eq!(response.header("allow"), allow, "{method} {target}");
        let supported = allow.strip_suffix(", OPTIONS").unwrap();
        assert!(error["message"].as_str().unwrap().ends_with(&format!("supports {supported}")), "{error}");
    }
    let of_match = "/v1/matches/0198f2c0-5b1e-7c3a-9d51-3f0a64c1e2b7";
    for (method, verb) in [(Method::POST, "win"), (Method::POST, "Resign"), (Method::DELETE, "resign2")] {
        let response = http.send(method, &format!("{of_match}:{verb}"), &[JSON], "{}").await;
        let error = response.refused(404, "UNKNOWN_ROUTE");
        assert!(error["message"].as_str().unwrap().contains(&format!("`:{verb}`")), "{error}");
        assert_eq!(response.header("allow"), "");
    }
    let response = http.get(&format!("{of_match}:resign"), &[]).await;
    response.refused(405, "METHOD_NOT_ALLOWED");
    assert_eq!(response.header("allow"), "POST, OPTIONS");
    for target in ["/v1/games/%zz", "/v1/games/%ff", "/v1/games?%zz", "/v1/games/%"] {
        http.get(target, &[]).await.refused(400, "INVALID_ARGUMENT");
    }
    stage.close().await;
}

#[tokio::test]
async fn invalid_parameters_are_refused() {
    let (stage, http) = stage().await;
    let table = stage.client.table(3, 3, 1).await;
    let id = &table.match_id;
    for (query, field) in [
        ("atSeq=x", "atSeq"),
        ("atSeq=-1", "atSeq"),
        ("atSeq=1&atSeq=2", "atSeq"),
        ("atSeq=4294967296", "atSeq"),
        ("viewer.seat=nine", "viewer.seat"),
        ("viewer.kind=yes", "viewer.kind"),
        ("nope=1", "nope"),
        ("matchId=other", "matchId"),
    ] {
        let error =
            http.get(&format!("/v1/matches/{id}/view?{query}"), &[]).await.refused(400, "INVALID_ARGUMENT");
        assert_eq!(fields(&error), [field], "{query}");
        http.get(&format!("/v1/matches/{id}/board.txt?{query}"), &[]).await.refused(400, "INVALID_ARGUMENT");
    }
    for strategy in ["STRATEGY_BEST", "99", "random", ""] {
        let target = format!("/v1/matches/{id}/moves:suggest?strategy={strategy}");
        let error = http.get(&target, &[]).await.refused(400, "INVALID_ARGUMENT");
        assert_eq!(fields(&error), ["strategy"], "{strategy}");
    }
    for list in ["games", "keys", "matches", &format!("matches/{id}/events")] {
        let error = http.get(&format!("/v1/{list}?pageToken=mbp_AAAABA"), &[]).await;
        assert_eq!(fields(&error.refused(400, "INVALID_ARGUMENT")), ["pageToken"], "{list}");
    }
    let moves = format!("/v1/matches/{id}/legalMoves?pageToken=mbp_AAAABA");
    let error = http.get(&moves, &[("matchbook-seat-token", &table.tokens[0])]).await;
    assert_eq!(fields(&error.refused(400, "INVALID_ARGUMENT")), ["pageToken"]);
    http.get("/v1/matches/nonsense/board.txt", &[]).await.refused(400, "INVALID_ARGUMENT");
    let nobody = "/v1/matches/0198f2c0-5b1e-7c3a-9d51-3f0a64c1e2b7";
    http.get(&format!("{nobody}/board.txt"), &[]).await.refused(404, "UNKNOWN_MATCH");
    http.get(&format!("{nobody}/watch"), &[]).await.refused(404, "UNKNOWN_MATCH");
    let body = json!({"matchId": "another", "player": {"displayName": "Ann"}});
    let error = http.post(&format!("/v1/matches/{id}/seats/0:claim"), &[], &body).await;
    assert_eq!(fields(&error.refused(400, "INVALID_ARGUMENT")), ["matchId"]);
    stage.close().await;
}

#[tokio::test]
async fn a_refused_value_is_told_what_it_must_be_in_the_words_of_the_api() {
    let (stage, http) = stage().await;
    let id = stage.client.table(3, 3, 1).await.match_id;
    for (method, target, body, expected) in MALFORMED {
        let target = target.replace("ID", &id);
        let headers: &[_] = if body.is_empty() { &[] } else { &[JSON] };
        let error = http.send(method, &target, headers, body).await.refused(400, "INVALID_ARGUMENT");
        assert!(error["message"].as_str().unwrap().contains(expected), "{target} {body}: {error}");
        assert_eq!(fields(&error).len(), 1, "{error}");
    }
    let many = vec![format!("matchIds={id}"); 101].join("&");
    let error = http.get(&format!("/v1/matches:batchGet?{many}"), &[]).await.refused(400, "INVALID_ARGUMENT");
    let expected = "matchIds: must have 1 to 100 ids and has 101; get more in several calls";
    assert_eq!(error["message"], expected, "{error}");
    let headers = [JSON, ("idempotency-key", "once")];
    let body = r#"{"gameId": "ludus-magus"}"#;
    let error = http.send(Method::POST, "/v1/matches", &headers, body).await.refused(400, "INVALID_ARGUMENT");
    assert_eq!(fields(&error), ["Idempotency-Key"]);
    assert!(error["message"].as_str().unwrap().starts_with("Idempotency-Key: must be a UUID"), "{error}");
    stage.close().await;
}

#[tokio::test]
async fn unsupported_response_types_and_event_ids_are_refused() {
    let (stage, http) = stage().await;
    http.get("/v1/games", &[("accept", "text/html")]).await.refused(406, "NOT_ACCEPTABLE");
    let id = stage.client.table(3, 3, 1).await.match_id;
    let watch = format!("/v1/matches/{id}/watch");
    let response = http.get(&watch, &[("accept", "application/json")]).await;
    let error = response.refused(406, "NOT_ACCEPTABLE");
    assert!(error["message"].as_str().unwrap().contains("text/event-stream"), "{error}");
    for wrong in ["x", "-1", "1.5", "99999999999"] {
        let headers = [("accept", "text/event-stream"), ("last-event-id", wrong)];
        let error = http.get(&watch, &headers).await.refused(400, "INVALID_ARGUMENT");
        assert_eq!(fields(&error), ["Last-Event-ID"], "{wrong}");
    }
    let response = http.get(&watch, &[("accept", "text/event-stream"), ("last-event-id", "99")]).await;
    response.refused(404, "UNKNOWN_SEQ");
    stage.close().await;
}

#[tokio::test]
async fn malformed_and_missing_tokens_are_refused() {
    let (stage, http) = stage().await;
    let id = stage.client.table(3, 3, 1).await.match_id;
    let view = format!("/v1/matches/{id}/view");
    let response = http.get(&view, &[("authorization", "Basic abc")]).await;
    response.refused(401, "BAD_TOKEN");
    assert_eq!(response.header("www-authenticate"), "Bearer");
    let (key, seat) = (("authorization", "Bearer mbk_unknown"), ("matchbook-seat-token", "mbs_unknown"));
    for (target, headers, challenge) in [
        (&view, &[key][..], "Bearer"),
        (&view, &[seat], "Matchbook-Seat-Token"),
        (&view, &[("authorization", "Bearer mbs_a")], "Bearer"),
        (&view, &[("matchbook-seat-token", "mbk_a")], "Matchbook-Seat-Token"),
        (&format!("/v1/matches/{id}/moves:suggest"), &[], "Matchbook-Seat-Token"),
    ] {
        let response = http.get(target, headers).await;
        assert_eq!(response.status, 401, "{headers:?}");
        assert_eq!(response.header("www-authenticate"), challenge, "{headers:?}");
    }
    for wrong in [
        &[("authorization", "Bearer nonsense")][..],
        &[("matchbook-seat-token", "")],
        &[("matchbook-seat-token", "nonsense")],
        &[("matchbook-seat-token", "mbs_a"), ("matchbook-seat-token", "mbs_a")],
        &[("authorization", "Bearer mbk_a"), ("authorization", "Bearer mbk_a")],
        &[("authorization", "Bearer mbk_a"), ("matchbook-seat-token", "mbs_a")],
    ] {
        http.get(&view, wrong).await.refused(401, "BAD_TOKEN");
    }
    for (header, value, advice) in [
        ("authorization", "Bearer mbs_a", "send it as `matchbook-seat-token: TOKEN`"),
        ("matchbook-seat-token", "mbk_a", "send it as `authorization: Bearer KEY`"),
    ] {
        let error = http.get(&view, &[(header, value)]).await.refused(401, "BAD_TOKEN");
        assert!(error["message"].as_str().unwrap().contains(advice), "{error}");
    }
    let response = http.post(&format!("/v1/matches/{id}/moves"), &[], &json!({"notation": "1,1"})).await;
    let error = response.refused(401, "MISSING_TOKEN");
    assert_eq!((&error["code"], &error["status"]), (&json!(401), &json!("UNAUTHENTICATED")));
    stage.close().await;
}

#[tokio::test]
async fn a_media_type_that_only_begins_like_grpc_is_answered_as_http() {
    let (stage, http) = stage().await;
    let call = "/matchbook.v1.GameService/ListGames";
    let headers = [("content-type", "application/grpcfoo")];
    http.send(Method::POST, call, &headers, "").await.refused(404, "UNKNOWN_ROUTE");
    http.send(Method::POST, "/v1/matches", &headers, "x").await.refused(415, "UNSUPPORTED_MEDIA_TYPE");
    for media_type in ["application/grpc-web", "application/grpc-web+proto", "application/grpc-web-text"] {
        for method in [Method::GET, Method::PUT] {
            let response = http.send(method, call, &[("content-type", media_type)], "").await;
            response.refused(405, "METHOD_NOT_ALLOWED");
            assert_eq!(response.header("allow"), "POST, OPTIONS", "{media_type}");
            assert!(!response.header("matchbook-call-id").is_empty());
        }
    }
    stage.close().await;
}
