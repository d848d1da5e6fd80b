//! The names of invalid fields: proto names over gRPC, JSON names over REST, for the same refusals.

use serde_json::{Value, json};

use crate::stage::{Backend, Http, Stage, grpc_json, refused};

const MATCH: &str = "0192f0c1-2b3a-7c4d-8e5f-60718293a4b5";

/// Calls that `play` refuses: RPC, its REST path, the request, the invalid field over gRPC and over REST.
fn calls() -> [(&'static str, &'static str, Value, &'static str, &'static str); 7] {
    let create = "MatchService/CreateMatch";
    let long = "x".repeat(2001);
    [
        (
            create,
            "/v1/matches",
            json!({"gameId": "ludus-magus", "options": {"ludusMagus": {"firstSeat": 2}}}),
            "options.ludus_magus.first_seat",
            "options.ludusMagus.firstSeat",
        ),
        (
            create,
            "/v1/matches",
            json!({"gameId": "ludus-magus", "claim": {"seat": 0, "player": {"displayName": ""}}}),
            "claim.player.display_name",
            "claim.player.displayName",
        ),
        (
            create,
            "/v1/matches",
            json!({"gameId": "ludus-magus", "timeControl": {"perMove": {"moveTime": "-1s"}}}),
            "time_control.per_move.move_time",
            "timeControl.perMove.moveTime",
        ),
        (
            create,
            "/v1/matches",
            json!({"gameId": "ludus-magus", "requestId": "7"}),
            "request_id",
            "requestId",
        ),
        (
            "MatchService/GetChoices",
            "/v1/matches/MATCH/choices",
            json!({"matchId": MATCH, "path": ["1", long]}),
            "path[1]",
            "path[1]",
        ),
        (
            "MatchService/SubmitMove",
            "/v1/matches/MATCH/moves",
            json!({"matchId": MATCH, "requestId": "7", "notation": "1,1"}),
            "request_id",
            "requestId",
        ),
        (
            "MatchService/ClaimSeat",
            "/v1/matches/MATCH/seats/0:claim",
            json!({"matchId": MATCH, "seat": 0, "player": {"displayName": "a "}, "claimSecret": "short"}),
            "player.display_name",
            "player.displayName",
        ),
    ]
}

#[tokio::test]
async fn the_same_refusal_names_its_field_in_the_spelling_of_the_door() {
    let stage = Stage::on(Backend::Memory).await;
    let http = Http::of(&stage.address);
    for (rpc, path, request, proto, json) in calls() {
        let answer = refused(grpc_json(stage.connect().await, rpc, &request, None).await);
        assert_eq!(answer.fields, [proto], "{rpc} {request}");
        let path = path.replace("MATCH", MATCH);
        let error = http.post(&path, &[], &request).await.refused(400, "INVALID_ARGUMENT");
        assert_eq!(named(&error), [json], "{request}: {error}");
        let start = error["message"].as_str().unwrap().split(": ").next().unwrap();
        assert_eq!(start, json, "{error}");
        assert_eq!(answer.text.split(": ").next().unwrap(), proto);
    }
    stage.close().await;
}

#[tokio::test]
async fn a_stream_and_a_drawing_name_fields_as_json_does() {
    let stage = Stage::on(Backend::Memory).await;
    let http = Http::of(&stage.address);
    let table = stage.client.table(4, 4, 9).await;
    for target in ["view?atSeq=0", "board.svg?atSeq=0", "board.txt?at_seq=0"] {
        let target = format!("/v1/matches/{}/{target}", table.match_id);
        let error = http.get(&target, &[]).await.refused(400, "INVALID_ARGUMENT");
        assert_eq!(named(&error), ["atSeq"], "{target}: {error}");
    }
    for target in ["/v1/matches/7/watch", "/v1/matches/7/board.svg"] {
        let error = http.get(target, &[]).await.refused(400, "INVALID_ARGUMENT");
        assert_eq!(named(&error), ["matchId"], "{target}: {error}");
    }
    stage.close().await;
}

fn named(error: &Value) -> Vec<&str> {
    let details = error["details"].as_array().unwrap().iter();
    let violations = details.filter_map(|detail| detail["fieldViolations"].as_array()).flatten();
    violations.map(|violation| violation["field"].as_str().unwrap()).collect()
}
