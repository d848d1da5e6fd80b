//! The calls: a match of one turn on a 4 x 4 board with calls that are refused, a match that is resigned, one
//! that is aborted, and a webhook. The first call of each RPC succeeds and is its example.

use http::Method;
use serde_json::{Value, json};

/// A call in its gRPC and its REST form.
pub(super) struct Step {
    pub(super) rpc: &'static str,
    pub(super) method: Method,
    pub(super) target: &'static str,
    pub(super) request: Value,
    pub(super) caller: Caller,
}

/// Who makes a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    Nobody,
    App,
    Seat(usize),
}

impl Caller {
    /// Returns the security scheme of its credential.
    pub(crate) fn scheme(self) -> Option<&'static str> {
        match self {
            Self::Nobody => None,
            Self::App => Some("apiKey"),
            Self::Seat(_) => Some("seatToken"),
        }
    }

    /// Returns the seat whose token it sends.
    pub(crate) fn seat(self) -> Option<usize> {
        match self {
            Self::Nobody | Self::App => None,
            Self::Seat(seat) => Some(seat),
        }
    }
}

fn step(method: Method, rpc: &'static str, target: &'static str, request: Value) -> Step {
    Step { rpc, method, target, request, caller: Caller::Nobody }
}

fn get(rpc: &'static str, target: &'static str, request: Value) -> Step {
    step(Method::GET, rpc, target, request)
}

fn post(rpc: &'static str, target: &'static str, request: Value) -> Step {
    step(Method::POST, rpc, target, request)
}

impl Step {
    fn by(self, seat: usize) -> Self {
        Self { caller: Caller::Seat(seat), ..self }
    }

    fn by_app(self) -> Self {
        Self { caller: Caller::App, ..self }
    }
}

/// Placeholder for the match's id.
const MATCH: &str = "$MATCH";

/// Placeholder for the webhook's id.
const WEBHOOK: &str = "$WEBHOOK";

/// Returns all calls in order.
pub(super) fn script() -> Vec<Step> {
    [opening(), finding(), playing(), after_the_match(), resigning(), aborting(), webhooks()]
        .into_iter()
        .flatten()
        .collect()
}

fn uuid(number: u8) -> String {
    format!("00000000-0000-4000-8000-0000000000{number:02}")
}

fn create(n: u8) -> Step {
    let options = json!({"angelsAndDemons": {"rows": 4, "cols": 4, "turns": 1}});
    let request = json!({"gameId": "angels-and-demons", "options": options, "requestId": uuid(n)});
    post("MatchService/CreateMatch", "/v1/matches", request).by_app()
}

fn claim(seat: u8, name: &str, n: u8) -> Step {
    let target =
        if seat == 0 { "/v1/matches/$MATCH/seats/0:claim" } else { "/v1/matches/$MATCH/seats/1:claim" };
    let request = json!({
        "matchId": MATCH,
        "seat": seat,
        "player": {"displayName": name},
        "requestId": uuid(n),
        "claimSecret": format!("claim-secret-{n}-of-mine"),
    });
    post("MatchService/ClaimSeat", target, request)
}

/// Reads the catalog, creates a match and claims its seats.
fn opening() -> Vec<Step> {
    let matches = "MatchService/GetMatch";
    let too_many_rows = json!({"angelsAndDemons": {"rows": 99}});
    vec![
        get("GameService/ListGames", "/v1/games?pageSize=2", json!({"pageSize": 2})),
        get("GameService/GetGame", "/v1/games/angels-and-demons", json!({"gameId": "angels-and-demons"})),
        get("GameService/GetGame", "/v1/games/go", json!({"gameId": "go"})),
        create(1),
        post(
            "MatchService/CreateMatch",
            "/v1/matches",
            json!({"gameId": "angels-and-demons", "options": too_many_rows}),
        )
        .by_app(),
        claim(0, "Gabriel", 2),
        claim(1, "Lilith", 3),
        claim(1, "Mara", 4),
        get(matches, "/v1/matches/$MATCH", json!({"matchId": MATCH})),
        get(matches, "/v1/matches/nonsense", json!({"matchId": "nonsense"})),
    ]
}

/// Labels the match and finds it.
fn finding() -> Vec<Step> {
    let labels = json!({"round": "2", "tenant": "acme"});
    vec![
        post(
            "MatchService/UpdateMatchLabels",
            "/v1/matches/$MATCH:updateLabels",
            json!({"matchId": MATCH, "labels": labels}),
        )
        .by_app(),
        get(
            "MatchService/ListMatches",
            "/v1/matches?labels=tenant%3Dacme&status=MATCH_STATUS_RUNNING&pageSize=10",
            json!({"labels": ["tenant=acme"], "status": "MATCH_STATUS_RUNNING", "pageSize": 10}),
        )
        .by_app(),
        get(
            "MatchService/BatchGetMatches",
            "/v1/matches:batchGet?matchIds=$MATCH",
            json!({"matchIds": [MATCH]}),
        ),
    ]
}

/// Plays one turn and reads its results.
fn playing() -> Vec<Step> {
    let submit = |notation, n| json!({"matchId": MATCH, "notation": notation, "requestId": uuid(n)});
    let answered = |mut request: Value, answer| {
        request["answer"] = Value::from(answer);
        request
    };
    let moves = "/v1/matches/$MATCH/moves";
    let view = |more: Value| {
        let mut request = json!({"matchId": MATCH});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    vec![
        get(
            "MatchService/ListLegalMoves",
            "/v1/matches/$MATCH/legalMoves?pageSize=2",
            json!({"matchId": MATCH, "pageSize": 2}),
        )
        .by(0),
        post("MatchService/GetChoices", "/v1/matches/$MATCH/choices", json!({"matchId": MATCH, "path": []}))
            .by(0),
        post(
            "MatchService/CheckMove",
            "/v1/matches/$MATCH/moves:check",
            json!({"matchId": MATCH, "notation": "1,2"}),
        )
        .by(0),
        get(
            "MatchService/SuggestMove",
            "/v1/matches/$MATCH/moves:suggest?strategy=STRATEGY_GREEDY&seed=7",
            json!({"matchId": MATCH, "strategy": "STRATEGY_GREEDY", "seed": "7"}),
        )
        .by(1),
        post("MatchService/SubmitMove", moves, submit("1,1", 5)).by(0),
        post("MatchService/SubmitMove", moves, submit("1,1", 5)).by(0),
        post("MatchService/SubmitMove", moves, submit("3,3", 6)).by(0),
        post("MatchService/SubmitMove", moves, submit("1,2", 7)).by(1),
        post("MatchService/SubmitMove", moves, submit("3,3", 8)),
        get("MatchService/GetView", "/v1/matches/$MATCH/view", view(json!({}))).by(0),
        get("MatchService/GetView", "/v1/matches/$MATCH/view", view(json!({}))),
        get(
            "MatchService/GetView",
            "/v1/matches/$MATCH/view?viewer.seat=1",
            view(json!({"viewer": {"seat": 1}})),
        )
        .by(0),
        get("MatchService/GetView", "/v1/matches/$MATCH/view?atSeq=99", view(json!({"atSeq": 99}))),
        post(
            "MatchService/SubmitMoves",
            "/v1/moves:submit",
            json!({"callId": "1", "move": answered(submit("3,3", 9), "MOVE_ANSWER_RECEIPT")}),
        )
        .by(1),
        get(
            "MatchService/GetView",
            "/v1/matches/$MATCH/view?viewer.kind=KIND_OPEN",
            view(json!({"viewer": {"kind": "KIND_OPEN"}})),
        ),
        get(
            "MatchService/ListEvents",
            "/v1/matches/$MATCH/events?afterSeq=4",
            json!({"matchId": MATCH, "afterSeq": 4}),
        ),
        get(
            "MatchService/WatchMatch",
            "/v1/matches/$MATCH/watch?afterSeq=6",
            json!({"matchId": MATCH, "afterSeq": 6}),
        ),
    ]
}

/// Reads what is left of the match: log, signature, keys and feed.
fn after_the_match() -> Vec<Step> {
    vec![
        get("LogService/ExportLog", "/v1/matches/$MATCH/log", json!({"matchId": MATCH})),
        get("LogService/SignHead", "/v1/matches/$MATCH/head", json!({"matchId": MATCH})),
        get("LogService/ListKeys", "/v1/keys", json!({})),
        get(
            "LogService/ExportMatches",
            "/v1/logs?status=MATCH_STATUS_OVER",
            json!({"status": "MATCH_STATUS_OVER"}),
        )
        .by_app(),
        get("LogService/StreamFeed", "/v1/feed?follow=false", json!({"follow": false})).by_app(),
    ]
}

/// A second match: a declined draw, a new token, an erased player, a resignation, a fork and a rematch.
fn resigning() -> Vec<Step> {
    let draw = "PROPOSAL_KIND_DRAW";
    let request = |n| json!({"matchId": MATCH, "requestId": uuid(n)});
    let with = |mut request: Value, name: &str, value: Value| {
        request[name] = value;
        request
    };
    let answer = with(with(request(24), "kind", draw.into()), "accept", false.into());
    let rotate = with(with(request(25), "seat", 0.into()), "claimSecret", "rotation-secret-of-mine".into());
    let rematch = with(request(28), "claimSecret", "rematch-secret-of-mine".into());
    vec![
        create(20),
        claim(0, "Gabriel", 21),
        claim(1, "Lilith", 22),
        post(
            "MatchService/MakeProposal",
            "/v1/matches/$MATCH/proposals",
            with(request(23), "kind", draw.into()),
        )
        .by(0),
        post("MatchService/AnswerProposal", "/v1/matches/$MATCH/proposals:answer", answer).by(1),
        post("MatchService/RotateSeatToken", "/v1/matches/$MATCH/seats/0:rotate", rotate).by(0),
        post(
            "MatchService/RedactPlayer",
            "/v1/matches/$MATCH/seats/1:redactPlayer",
            json!({"matchId": MATCH, "seat": 1}),
        )
        .by_app(),
        post("MatchService/Resign", "/v1/matches/$MATCH:resign", request(26)).by(1),
        post("MatchService/ForkMatch", "/v1/matches/$MATCH:fork", with(request(27), "atSeq", 4.into()))
            .by_app(),
        post("MatchService/CreateRematch", "/v1/matches/$MATCH:rematch", rematch).by(0),
    ]
}

/// A third match, which is called off before its first move.
fn aborting() -> Vec<Step> {
    let request = json!({"matchId": MATCH, "requestId": uuid(32)});
    vec![
        create(30),
        claim(0, "Gabriel", 31),
        post("MatchService/AbortMatch", "/v1/matches/$MATCH:abort", request).by(0),
    ]
}

fn webhooks() -> Vec<Step> {
    let of = |name: &str, value: Value| json!({"webhookId": WEBHOOK, name: value});
    let only = || json!({"webhookId": WEBHOOK});
    let one = "/v1/webhooks/$WEBHOOK";
    let steps = vec![
        post(
            "WebhookService/CreateWebhook",
            "/v1/webhooks",
            json!({"url": "$RECEIVER", "kinds": ["match_ended"], "requestId": uuid(40)}),
        ),
        get("WebhookService/ListWebhooks", "/v1/webhooks", json!({})),
        get("WebhookService/GetWebhook", one, only()),
        step(
            Method::PATCH,
            "WebhookService/UpdateWebhook",
            one,
            of("kinds", json!({"kinds": ["match_started", "match_ended"]})),
        ),
        post("WebhookService/PingWebhook", "/v1/webhooks/$WEBHOOK:ping", only()),
        post(
            "WebhookService/RotateWebhookSecret",
            "/v1/webhooks/$WEBHOOK:rotateSecret",
            of("currentGeneration", 1.into()),
        ),
        get(
            "WebhookService/ListDeadLetters",
            "/v1/webhooks/$WEBHOOK/deadLetters?pageSize=10",
            of("pageSize", 10.into()),
        ),
        post("WebhookService/RetryDeadLetters", "/v1/webhooks/$WEBHOOK/deadLetters:retry", only()),
        step(Method::DELETE, "WebhookService/DeleteWebhook", one, only()),
    ];
    steps.into_iter().map(Step::by_app).collect()
}
