//! Matches with clocks over both doors: clocks in the frames of a watch, and entity tags while time passes.

use serde_json::{Value, json};

use crate::stage::{Backend, Http, Stage, grpc_json};

/// A running match of Ludus Magus with a budget and an increment.
struct Timed {
    stage: Stage,
    http: Http,
    id: String,
    tokens: [String; 2],
}

impl Timed {
    async fn start() -> Self {
        let stage = Stage::on(Backend::Memory).await;
        let http = Http::of(&stage.address);
        let time_control = json!({"bank": {"budget": "300s", "increment": "3s"}});
        let body = json!({"gameId": "ludus-magus", "timeControl": time_control});
        let created = http.post("/v1/matches", &[], &body).await.json();
        let id = created["match"]["matchId"].as_str().unwrap().to_owned();
        let tokens = [
            stage.client.claim(&id, 0, "Ann").await.unwrap(),
            stage.client.claim(&id, 1, "Ben").await.unwrap(),
        ];
        Self { stage, http, id, tokens }
    }

    /// Makes a call as a seat.
    async fn post(&self, seat: usize, method: &str, body: Value) -> Value {
        let target = format!("/v1/matches/{}{method}", self.id);
        let token = ("matchbook-seat-token", &*self.tokens[seat]);
        let answer = self.http.post(&target, &[token], &body).await;
        assert_eq!(answer.status, 200, "{method}: {}", answer.text());
        answer.json()
    }

    async fn suggested_move(&self, seat: usize) -> Value {
        let target = format!("/v1/matches/{}/moves:suggest?seed=7", self.id);
        let token = ("matchbook-seat-token", &*self.tokens[seat]);
        json!({"notation": self.http.get(&target, &[token]).await.json()["notation"]})
    }
}

/// Returns the frames of a watch without the time at which each was made.
fn without_times(frames: Value) -> Vec<Value> {
    let Value::Array(mut frames) = frames else { panic!("{frames}") };
    for frame in &mut frames {
        assert!(frame["serverTime"].is_string(), "{frame}");
        frame.as_object_mut().unwrap().remove("serverTime");
    }
    frames
}

#[tokio::test]
async fn frames_of_a_watch_have_clocks_over_both_doors() {
    let timed = Timed::start().await;
    for seat in [0, 1] {
        let chosen = timed.suggested_move(seat).await;
        timed.post(seat, "/moves", chosen).await;
    }
    timed.post(0, ":resign", json!({})).await;
    let request = json!({"matchId": timed.id, "afterSeq": 2});
    let over_grpc = grpc_json(timed.stage.connect().await, "MatchService/WatchMatch", &request, None).await;
    let over_grpc = without_times(over_grpc.unwrap());
    let target = format!("/v1/matches/{}/watch?afterSeq=2", timed.id);
    let lines = timed.http.get(&target, &[]).await;
    let lines = lines.text().lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    assert_eq!(without_times(lines.collect()), over_grpc, "NDJSON");
    let events = timed.http.get(&target, &[("accept", "text/event-stream")]).await;
    let data = events.text().lines().filter_map(|line| line.strip_prefix("data: "));
    let data = data.map(|line| serde_json::from_str::<Value>(line).unwrap());
    assert_eq!(without_times(data.collect()), over_grpc, "server-sent events");

    // The start, the second claim, the start of play, two moves and the end.
    let running = |frame: &Value| {
        let seats = frame["clocks"]["seats"].as_array().cloned().unwrap_or_default();
        let due = seats.iter().map(|seat| (seat["remaining"].is_string(), seat["dueTime"].is_string()));
        due.collect::<Vec<_>>()
    };
    let (first, second) = (vec![(true, true), (true, false)], vec![(true, false), (true, true)]);
    let expected = [vec![], vec![], first.clone(), second, first, vec![]];
    assert_eq!(over_grpc.iter().map(running).collect::<Vec<_>>(), expected, "{over_grpc:#?}");
    let spent = &over_grpc[3]["clocks"]["seats"][0]["remaining"];
    let seconds: f64 = spent.as_str().unwrap().trim_end_matches('s').parse().unwrap();
    assert!((3.0..=303.0).contains(&seconds), "the increment is added: {spent}");
    timed.stage.close().await;
}

#[tokio::test]
async fn a_match_with_budgets_is_sent_again_only_after_something_happened() {
    let timed = Timed::start().await;
    let chosen = timed.suggested_move(0).await;
    let draw = json!({"kind": "PROPOSAL_KIND_DRAW"});
    let decline = json!({"kind": "PROPOSAL_KIND_DRAW", "accept": false});
    // What happens, who does it, and whether GetMatch shows it: as the newest seq it always does.
    let happenings = [
        (0, "/moves", chosen),
        (0, "/proposals", draw),
        (1, "/proposals:answer", decline),
        (1, ":resign", json!({})),
    ];
    for (seat, method, body) in happenings {
        let targets = [format!("/v1/matches/{}", timed.id), format!("/v1/matches/{}/view", timed.id)];
        let mut tags = Vec::new();
        for target in &targets {
            let tag = timed.http.get(target, &[]).await.header("etag").to_owned();
            assert_ne!(tag, "");
            for _ in 0..3 {
                let again = timed.http.get(target, &[("if-none-match", &tag)]).await;
                assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{target} before {method}");
            }
            tags.push(tag);
        }
        timed.post(seat, method, body).await;
        for (target, tag) in targets.iter().zip(&tags) {
            let changed = timed.http.get(target, &[("if-none-match", tag)]).await;
            assert_eq!(changed.status, 200, "{target} after {method}");
            assert_ne!(changed.header("etag"), tag, "{target} after {method}");
        }
    }
    timed.stage.close().await;
}
