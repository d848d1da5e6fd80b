//! HTTP features around the calls: entity tags, idempotency keys, compression, HEAD and OPTIONS, pages.

use http::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::hidden_hands;
use crate::stage::{Answer, Backend, Http, Stage, Table};

async fn stage() -> (Stage, Http) {
    let stage = Stage::on(Backend::Memory).await;
    let http = Http::of(&stage.address);
    (stage, http)
}

#[tokio::test]
async fn an_unchanged_resource_is_not_sent_again() {
    let (stage, http) = stage().await;
    let table = stage.client.table(3, 3, 2).await;
    let token = ("matchbook-seat-token", table.tokens[0].as_str());
    for page in ["view", "legalMoves", "events", "board.txt", "board.svg"] {
        let target = format!("/v1/matches/{}/{page}", table.match_id);
        let first = http.get(&target, &[token]).await;
        assert_eq!(first.status, 200, "{page}");
        assert_eq!(first.header("cache-control"), "private, no-cache", "{page}");
        assert!(first.header("vary").contains("Authorization, Matchbook-Seat-Token, Accept"), "{page}");
        let tag = first.header("etag").to_owned();
        for known in [tag.clone(), format!("\"other\", {tag}"), "*".to_owned(), tag.replace("W/", "")] {
            let again = http.get(&target, &[token, ("if-none-match", &known)]).await;
            assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{page}: {known}");
            assert_eq!(again.header("etag"), tag);
        }
        stage.client.submit(&table, usize::from(page != "view" && page != "events"), "1,1").await.ok();
        if page == "view" {
            let other = http.get(&target, &[token, ("if-none-match", &tag)]).await;
            assert_eq!(other.status, 200, "the view contains the seat's own choice");
        }
    }
    let created = http.post("/v1/matches", &[], &json!({"gameId": "angels-and-demons"})).await;
    assert_eq!((created.header("etag"), created.header("cache-control")), ("", "no-store"));
    stage.close().await;
}

#[tokio::test]
async fn a_timed_match_is_not_sent_again_while_only_time_passes() {
    let (stage, http) = stage().await;
    let body = json!({"gameId": "angels-and-demons", "timeControl": {"perMove": {"moveTime": "3600s"}}});
    let created = http.post("/v1/matches", &[], &body).await.json();
    let match_id = created["match"]["matchId"].as_str().unwrap().to_owned();
    let mut tokens = [String::new(), String::new()];
    for (seat, token) in [0, 1].into_iter().zip(&mut tokens) {
        *token = stage.client.claim(&match_id, seat, "Ann").await.unwrap();
    }
    let table = Table { match_id, tokens };
    let token = ("matchbook-seat-token", table.tokens[0].as_str());
    let path = format!("/v1/matches/{}", table.match_id);
    let view = format!("{path}/view");

    let first = http.get(&view, &[token]).await;
    let later = http.get(&view, &[token]).await;
    let time = |response: &Answer| response.json()["serverTime"].as_str().unwrap().to_owned();
    assert_ne!(time(&first), time(&later));
    let tag = first.header("etag").to_owned();
    assert_eq!(later.header("etag"), tag);
    let unchanged = http.get(&view, &[token, ("if-none-match", &tag)]).await;
    assert_eq!((unchanged.status.as_u16(), unchanged.body.len()), (304, 0));
    assert_ne!(unchanged.header("date"), "", "the time that a 304 leaves out");

    let seen = http.get(&path, &[]).await;
    let watch = stage.client.watch(&table.match_id, None, None).await.unwrap();
    let watched = http.get(&path, &[]).await;
    let counts = [&seen, &watched].map(|response| response.json()["spectatorCount"].clone());
    assert_eq!(counts, [json!(0), json!(1)]);
    assert_eq!(seen.header("etag"), watched.header("etag"), "who watches is no change of the match");
    drop(watch);

    stage.client.submit(&table, 0, "1,1").await.unwrap();
    for (target, known) in [(&view, &tag), (&path, &seen.header("etag").to_owned())] {
        let changed = http.get(target, &[token, ("if-none-match", known)]).await;
        assert_eq!(changed.status, 200, "{target}");
        assert_ne!(changed.header("etag"), known);
    }
    let spectator = http.get(&view, &[]).await;
    assert_ne!(spectator.header("etag"), http.get(&view, &[token]).await.header("etag"));
    stage.close().await;
}

#[tokio::test]
async fn calls_with_the_same_idempotency_key_take_effect_once() {
    let (stage, http) = stage().await;
    let (key, other) = (Uuid::new_v4().to_string(), Uuid::new_v4().to_string());
    let id = |response: &Value| response["match"]["matchId"].as_str().unwrap().to_owned();
    let body = json!({"gameId": "angels-and-demons"});
    let first = http.post("/v1/matches", &[("idempotency-key", &key)], &body).await.json();
    let quoted = format!("\"{key}\"");
    let same_body = json!({"gameId": "angels-and-demons", "requestId": key});
    for (headers, body) in [
        (&[("idempotency-key", key.as_str())][..], &body),
        (&[("idempotency-key", quoted.as_str())], &body),
        (&[("idempotency-key", key.as_str())], &same_body),
        (&[], &same_body),
    ] {
        assert_eq!(id(&http.post("/v1/matches", headers, body).await.json()), id(&first));
    }
    let response = http.post("/v1/matches", &[("idempotency-key", &other)], &same_body).await;
    let error = response.refused(400, "INVALID_ARGUMENT");
    assert!(error["message"].as_str().unwrap().contains("Idempotency-Key"), "{error}");
    let response = http.post("/v1/matches", &[("idempotency-key", "not a uuid")], &body).await;
    response.refused(400, "INVALID_ARGUMENT");
    let twice = [("idempotency-key", key.as_str()), ("idempotency-key", other.as_str())];
    http.post("/v1/matches", &twice, &body).await.refused(400, "INVALID_ARGUMENT");
    let changed = json!({"gameId": "ludus-magus"});
    let response = http.post("/v1/matches", &[("idempotency-key", &key)], &changed).await;
    response.refused(409, "REQUEST_ID_REUSED");
    stage.close().await;
}

#[tokio::test]
async fn long_responses_are_compressed_on_request() {
    let (stage, http) = stage().await;
    let target = "/v1/games/angels-and-demons";
    let plain = http.get(target, &[]).await;
    assert_eq!(plain.header("content-encoding"), "");
    let compressed = http.get(target, &[("accept-encoding", "gzip")]).await;
    assert_eq!(compressed.header("content-encoding"), "gzip");
    assert_eq!(compressed.body[..2], [0x1f, 0x8b], "gzip's magic number");
    assert!(compressed.body.len() < plain.body.len() / 2);
    assert_eq!(compressed.header("etag"), plain.header("etag"));
    stage.close().await;
}

#[tokio::test]
async fn head_returns_the_headers_of_get() {
    let (stage, http) = stage().await;
    for target in ["/v1/games", "/", "/openapi.json", "/livez"] {
        let get = http.get(target, &[]).await;
        let head = http.send(Method::HEAD, target, &[], "").await;
        assert_eq!((head.status, head.body.len()), (get.status, 0), "{target}");
        assert_eq!(head.header("etag"), get.header("etag"), "{target}");
        assert_eq!(head.header("content-length"), get.body.len().to_string(), "{target}");
    }
    assert_eq!(http.send(Method::HEAD, "/v1/games/go", &[], "").await.status, 404);
    for (target, allow) in [("/v1/games", "GET, HEAD, OPTIONS"), ("/v1/matches/a/moves", "POST, OPTIONS")] {
        let options = http.send(Method::OPTIONS, target, &[], "").await;
        assert_eq!((options.status.as_u16(), options.header("allow")), (204, allow), "{target}");
    }
    stage.close().await;
}

#[tokio::test]
async fn pages_and_probes_are_served() {
    let (stage, http) = stage().await;
    let front = http.get("/", &[]).await.json();
    for (_, link) in front["links"].as_object().unwrap() {
        assert_eq!(http.get(link.as_str().unwrap(), &[]).await.status, 200, "{link}");
    }
    assert_eq!(http.get("/livez", &[]).await.text(), "alive\n");
    assert_eq!(http.get("/readyz", &[]).await.text(), "ready\n");
    let docs = http.get("/docs", &[]).await;
    assert!(docs.header("content-security-policy").contains("default-src 'none'"));
    let without_scripts = docs.text().split("<noscript>").nth(1).expect("a sentence").to_owned();
    for piece in ["href=\"/openapi.json\"", "docs/api.md", "docs/calls.md"] {
        assert!(without_scripts.contains(piece), "{piece}: {without_scripts}");
    }
    assert!(!docs.text().contains("Reading"), "without scripts nothing is read");
    for piece in ["/docs/docs.js", "/docs/docs.css"] {
        assert!(docs.text().contains(piece));
        assert_eq!(http.get(piece, &[]).await.status, 200);
    }
    stage.close().await;
}

#[tokio::test]
async fn boards_show_only_what_the_caller_may_see() {
    let (stage, http) = stage().await;
    let (table, other) = (stage.client.table(3, 3, 2).await, stage.client.table(3, 3, 2).await);
    stage.client.submit(&table, 0, "1,1").await.unwrap();
    stage.client.submit(&other, 0, "3,3").await.unwrap();
    let own = [("matchbook-seat-token", table.tokens[0].as_str())];
    for (name, kind) in [("board.svg", "image/svg+xml"), ("board.txt", "text/plain; charset=utf-8")] {
        let target = format!("/v1/matches/{}/{name}", table.match_id);
        let (mine, theirs) = (http.get(&target, &own).await, http.get(&target, &[]).await);
        assert_eq!((mine.status.as_u16(), mine.header("content-type")), (200, kind));
        assert!(mine.text() != theirs.text(), "a seat sees its own sealed choice");
        let elsewhere = http.get(&format!("/v1/matches/{}/{name}", other.match_id), &[]).await;
        assert!(elsewhere.text() == theirs.text(), "a spectator does not see the choice: {name}");
        assert!(http.get(&format!("{target}?atSeq=4"), &[]).await.text() != theirs.text());
        http.get(&format!("{target}?viewer.seat=1"), &own).await.refused(403, "NOT_ALLOWED");
        http.get(&format!("{target}?theme=pink"), &own).await.refused(400, "INVALID_ARGUMENT");
        http.get(&format!("{target}?bottomSeat=2"), &own).await.refused(400, "INVALID_ARGUMENT");
    }
    let dark = http.get(&format!("/v1/matches/{}/board.svg?theme=dark", table.match_id), &[]).await;
    assert!(dark.text().starts_with("<svg") && dark.text().contains("matchbook-dark"), "{}", dark.text());
    let turned = format!("/v1/matches/{}/board.svg?bottomSeat=", table.match_id);
    let [zero, one] =
        [http.get(&format!("{turned}0"), &[]).await, http.get(&format!("{turned}1"), &[]).await];
    let position = |drawing: &str, title: &str| drawing.find(title).unwrap();
    let first_is_above = |drawing: &str| position(drawing, ">Angels<") < position(drawing, ">Demons<");
    assert!(first_is_above(zero.text()) != first_is_above(one.text()), "the seats change places");
    stage.close().await;
}

#[tokio::test]
async fn a_picture_for_a_viewer_is_the_same_whoever_asks_for_it() {
    let (stage, http) = stage().await;
    let table = hidden_hands::deal(&stage.client).await;
    let path = format!("/v1/matches/{}", table.match_id);
    // Its players draw cards of their own: what the last move touched differs from viewer to viewer.
    for _ in 0..16 {
        let view = stage.client.view(&table, None).await;
        let Some(&seat) = view.to_act.first() else { break };
        let token = ("matchbook-seat-token", table.tokens[seat as usize].as_str());
        let suggested = http.get(&format!("{path}/moves:suggest"), &[token]).await.json();
        stage.client.submit(&table, seat as usize, suggested["notation"].as_str().unwrap()).await.unwrap();
    }
    let token = ("matchbook-seat-token", table.tokens[0].as_str());
    http.post(&format!("{path}:resign"), &[token], &json!({})).await;
    let head = stage.client.view(&table, None).await.seq;
    for seq in 4..=head {
        for kind in ["KIND_SPECTATOR", "KIND_OPEN"] {
            let target = format!("{path}/board.svg?atSeq={seq}&viewer.kind={kind}");
            let stranger = http.get(&target, &[]).await;
            assert_eq!(stranger.status, 200);
            for token in &table.tokens {
                let player = http.get(&target, &[("matchbook-seat-token", token)]).await;
                assert!(player.text() == stranger.text(), "event {seq} for {kind}");
            }
        }
    }
    stage.close().await;
}

#[tokio::test]
async fn the_openapi_document_describes_every_route() {
    let (stage, http) = stage().await;
    let document = http.get("/openapi.json", &[]).await.json();
    assert_eq!(document["openapi"], "3.1.0");
    let operations: Vec<&Value> = document["paths"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|path| path.as_object().unwrap().values())
        .collect();
    let described = |rpc: &str| operations.iter().find(|one| one["operationId"] == rpc);
    for service in wire::DESCRIPTORS.services() {
        for rpc in service.methods() {
            let operation = described(rpc.name()).unwrap_or_else(|| panic!("{} is missing", rpc.name()));
            assert!(!operation["description"].as_str().unwrap().is_empty(), "{}", rpc.name());
        }
    }
    assert!(described("GetBoardText").is_some() && described("GetBoardPicture").is_some());
    stage.close().await;
}
