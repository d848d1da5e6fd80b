//! One match as a list of calls that can be made over gRPC or REST.

use http::Method;
use serde_json::{Value, json};

use crate::stage::{Http, Stage, grpc_json, refused};

/// A call in its gRPC and its REST form.
pub(crate) struct Step {
    pub(crate) rpc: &'static str,
    method: Method,
    target: &'static str,
    request: Value,
    seat: Option<usize>,
}

/// The protocol of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    Grpc,
    Rest,
}

/// The outcome of a call: a response, all frames of a stream, or `{"code", "message", "reason"}`.
pub(crate) struct Outcome {
    pub(crate) rpc: &'static str,
    pub(crate) request: Option<Value>,
    pub(crate) response: Result<Value, Value>,
}

fn get(rpc: &'static str, target: &'static str, request: Value) -> Step {
    Step { rpc, method: Method::GET, target, request, seat: None }
}

fn post(rpc: &'static str, target: &'static str, request: Value) -> Step {
    Step { rpc, method: Method::POST, target, request, seat: None }
}

impl Step {
    fn by(self, seat: usize) -> Self {
        Self { seat: Some(seat), ..self }
    }
}

/// Placeholder for the match id.
const MATCH: &str = "MATCH";

/// A match of one turn on a 4 x 4 board, including calls that are refused.
fn script() -> Vec<Step> {
    [opening(), playing()].into_iter().flatten().collect()
}

fn uuid(number: u8) -> String {
    format!("00000000-0000-4000-8000-0000000000{number:02}")
}

/// Reads the catalog, creates a match and claims its seats.
fn opening() -> Vec<Step> {
    let options = json!({"angelsAndDemons": {"rows": 4, "cols": 4, "turns": 1}});
    let claim = |seat, name, n| {
        let (request_id, secret) = (uuid(n), format!("claim-secret-{n}-of-mine"));
        json!({
            "matchId": MATCH,
            "seat": seat,
            "player": {"displayName": name},
            "requestId": request_id,
            "claimSecret": secret,
        })
    };
    let (games, matches) = ("GameService/ListGames", "MatchService/GetMatch");
    vec![
        get(games, "/v1/games", json!({})),
        get("GameService/GetGame", "/v1/games/angels-and-demons", json!({"gameId": "angels-and-demons"})),
        get("GameService/GetGame", "/v1/games/go", json!({"gameId": "go"})),
        post(
            "MatchService/CreateMatch",
            "/v1/matches",
            json!({"gameId": "angels-and-demons", "options": options, "requestId": uuid(1)}),
        ),
        post(
            "MatchService/CreateMatch",
            "/v1/matches",
            json!({"gameId": "angels-and-demons", "options": {"angelsAndDemons": {"rows": 99}}}),
        ),
        post("MatchService/ClaimSeat", "/v1/matches/MATCH/seats/0:claim", claim(0, "Gabriel", 2)),
        post("MatchService/ClaimSeat", "/v1/matches/MATCH/seats/1:claim", claim(1, "Lilith", 3)),
        post("MatchService/ClaimSeat", "/v1/matches/MATCH/seats/1:claim", claim(1, "Mara", 4)),
        get(matches, "/v1/matches/MATCH", json!({"matchId": MATCH})),
        get(matches, "/v1/matches/nonsense", json!({"matchId": "nonsense"})),
    ]
}

/// Plays one turn and reads its results.
fn playing() -> Vec<Step> {
    let submit = |notation, n| json!({"matchId": MATCH, "notation": notation, "requestId": uuid(n)});
    let moves = "/v1/matches/MATCH/moves";
    let view = |more: Value| {
        let mut request = json!({"matchId": MATCH});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    vec![
        get(
            "MatchService/ListLegalMoves",
            "/v1/matches/MATCH/legalMoves?pageSize=2",
            json!({"matchId": MATCH, "pageSize": 2}),
        )
        .by(0),
        post("MatchService/GetChoices", "/v1/matches/MATCH/choices", json!({"matchId": MATCH, "path": []}))
            .by(0),
        post(
            "MatchService/CheckMove",
            "/v1/matches/MATCH/moves:check",
            json!({"matchId": MATCH, "notation": "1,2"}),
        )
        .by(0),
        get(
            "MatchService/SuggestMove",
            "/v1/matches/MATCH/moves:suggest?strategy=STRATEGY_RANDOM&seed=7",
            json!({"matchId": MATCH, "strategy": "STRATEGY_RANDOM", "seed": "7"}),
        )
        .by(1),
        post("MatchService/SubmitMove", moves, submit("1,1", 5)).by(0),
        post("MatchService/SubmitMove", moves, submit("1,1", 5)).by(0),
        post("MatchService/SubmitMove", moves, submit("3,3", 6)).by(0),
        post("MatchService/SubmitMove", moves, submit("1,2", 7)).by(1),
        post("MatchService/SubmitMove", moves, submit("3,3", 8)),
        get("MatchService/GetView", "/v1/matches/MATCH/view", view(json!({}))).by(0),
        get("MatchService/GetView", "/v1/matches/MATCH/view", view(json!({}))),
        get(
            "MatchService/GetView",
            "/v1/matches/MATCH/view?viewer.seat=1",
            view(json!({"viewer": {"seat": 1}})),
        )
        .by(0),
        get("MatchService/GetView", "/v1/matches/MATCH/view?atSeq=99", view(json!({"atSeq": 99}))),
        post("MatchService/SubmitMove", moves, submit("3,3", 9)).by(1),
        get(
            "MatchService/GetView",
            "/v1/matches/MATCH/view?viewer.kind=KIND_OPEN",
            view(json!({"viewer": {"kind": "KIND_OPEN"}})),
        ),
        get(
            "MatchService/ListEvents",
            "/v1/matches/MATCH/events?afterSeq=4",
            json!({"matchId": MATCH, "afterSeq": 4}),
        ),
        get(
            "MatchService/WatchMatch",
            "/v1/matches/MATCH/watch?afterSeq=6",
            json!({"matchId": MATCH, "afterSeq": 6}),
        ),
    ]
}

/// Makes all calls of the script over one protocol.
pub(crate) async fn run_script(stage: &Stage, transport: Transport) -> Vec<Outcome> {
    let (mut match_id, mut tokens) = (String::new(), Vec::new());
    let mut outcomes = Vec::new();
    for step in script() {
        let request: Value =
            serde_json::from_str(&step.request.to_string().replace("MATCH", &match_id)).unwrap();
        let token: Option<&String> = step.seat.map(|seat| &tokens[seat]);
        let response = match transport {
            Transport::Grpc => by_grpc(stage, step.rpc, &request, token).await,
            Transport::Rest => {
                let target = step.target.replace("MATCH", &match_id);
                by_rest(stage, &step, &target, &request, token).await
            }
        };
        if let Ok(response) = &response {
            if step.rpc.ends_with("CreateMatch") {
                match_id = response["match"]["matchId"].as_str().unwrap().to_owned();
            }
            tokens
                .extend(response["seatToken"].as_str().filter(|token| !token.is_empty()).map(str::to_owned));
        }
        let request = (step.method == Method::POST).then_some(request);
        outcomes.push(Outcome { rpc: step.rpc, request, response });
    }
    outcomes
}

async fn by_grpc(stage: &Stage, rpc: &str, request: &Value, token: Option<&String>) -> Result<Value, Value> {
    let outcome = grpc_json(stage.connect().await, rpc, request, token.map(String::as_str)).await;
    outcome.map_err(|status| {
        let (code, message) = (status.code(), status.message().to_owned());
        let reason = refused(Err::<(), _>(status)).reason;
        json!({"code": format!("{code:?}").to_lowercase(), "message": message, "reason": reason})
    })
}

async fn by_rest(
    stage: &Stage,
    step: &Step,
    target: &str,
    request: &Value,
    token: Option<&String>,
) -> Result<Value, Value> {
    let http = Http::of(&stage.address);
    let headers: Vec<(&str, &str)> =
        token.map(|token| ("matchbook-seat-token", token.as_str())).into_iter().collect();
    let response = match step.method {
        Method::POST => http.post(target, &headers, request).await,
        _ => http.get(target, &headers).await,
    };
    if response.status.is_success() {
        let mut lines = response.text().lines().map(|line| serde_json::from_str(line).unwrap());
        let streams = response.header("content-type") == "application/x-ndjson";
        return Ok(if streams { lines.collect() } else { lines.next().unwrap() });
    }
    let error = response.json()["error"].clone();
    let code = error["status"].as_str().unwrap().replace('_', "").to_lowercase();
    Err(json!({"code": code, "message": error["message"], "reason": error["reason"]}))
}
