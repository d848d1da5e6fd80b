//! A client over REST that submits the first listed move until the match is over, and looks at nothing else.

use serde_json::{Value, json};

use crate::stage::{Backend, Http, Stage};

#[tokio::test]
async fn the_first_listed_move_leads_to_the_end_of_every_game() {
    let stage = Stage::on(Backend::Memory).await;
    let http = Http::of(&stage.address);
    for (game, options) in [
        ("angels-and-demons", json!({"angelsAndDemons": {"rows": 3, "cols": 3, "turns": 3}})),
        ("ace-exorcist", Value::Null),
        ("ludus-magus", json!({"ludusMagus": {"maxTurns": 40}})),
        ("cresnovian-chess", json!({"cresnovianChess": {"maxTurns": 40}})),
    ] {
        play(&http, game, options).await;
    }
    stage.close().await;
}

async fn play(http: &Http, game: &str, options: Value) {
    let created = http.post("/v1/matches", &[], &json!({"gameId": game, "options": options})).await.json();
    let at = format!("/v1/matches/{}", created["match"]["matchId"].as_str().unwrap());
    let mut tokens = Vec::new();
    for seat in 0..2 {
        let body = json!({"player": {"displayName": "Ann"}});
        let claimed = http.post(&format!("{at}/seats/{seat}:claim"), &[], &body).await.json();
        tokens.push(claimed["seatToken"].as_str().unwrap().to_owned());
    }
    loop {
        let view = http.get(&format!("{at}/view"), &[]).await.json()["view"].clone();
        let Some(seat) = view["toAct"].get(0) else {
            assert_eq!(view["status"], "MATCH_STATUS_OVER", "{game}");
            return;
        };
        let token =
            [("matchbook-seat-token", tokens[usize::try_from(seat.as_u64().unwrap()).unwrap()].as_str())];
        let listed = http.get(&format!("{at}/legalMoves?pageSize=1"), &token).await.json();
        let first = &listed["moves"][0]["move"];
        assert!(first.is_object(), "{game} at {}: {listed}", view["seq"]);
        let moved = http.post(&format!("{at}/moves"), &token, &json!({"move": first})).await;
        assert_eq!(moved.status, 200, "{game}: {}", moved.text());
    }
}
