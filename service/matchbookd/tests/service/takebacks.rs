//! A takeback by consent, made over gRPC and REST alike, and in the exported log.

use audit::{LogFile, Trust, Verification};
use serde_json::{Value, json};
use wire::v1;

use crate::stage::{Backend, Http, Stage, grpc_json};

/// How a call is made.
#[derive(Clone, Copy, Debug)]
enum Door {
    Grpc,
    Rest,
}

/// Calls an RPC of a match as a seat.
async fn call(stage: &Stage, door: Door, rpc: &str, path: &str, body: &Value, token: &str) -> Value {
    match door {
        Door::Grpc => {
            let rpc = format!("MatchService/{rpc}");
            grpc_json(stage.connect().await, &rpc, body, Some(token)).await.unwrap()
        }
        Door::Rest => {
            let target = format!("/v1/matches/{}/{path}", body["matchId"].as_str().unwrap());
            Http::of(&stage.address).post(&target, &[("matchbook-seat-token", token)], body).await.json()
        }
    }
}

#[tokio::test]
async fn a_takeback_is_asked_for_and_accepted_over_both_protocols() {
    for door in [Door::Grpc, Door::Rest] {
        let stage = Stage::on(Backend::Memory).await;
        let create = v1::CreateMatchRequest { game_id: "ludus-magus".to_owned(), ..Default::default() };
        let created = stage.client.matches.clone().create_match(create).await.unwrap().into_inner();
        let match_id = created.r#match.unwrap().match_id;
        let white = stage.client.claim(&match_id, 0, "Merlin").await.unwrap();
        let black = stage.client.claim(&match_id, 1, "Morgana").await.unwrap();

        let submit = |notation: &str| json!({"matchId": match_id, "notation": notation});
        let moved = call(&stage, door, "SubmitMove", "moves", &submit("a1-a2"), &white).await;
        assert_eq!(moved["view"]["toAct"], json!([1]));
        let ask = json!({"matchId": match_id, "kind": "PROPOSAL_KIND_TAKEBACK"});
        let asked = call(&stage, door, "MakeProposal", "proposals", &ask, &white).await;
        let open = json!([{"kind": "PROPOSAL_KIND_TAKEBACK", "seat": 0}]);
        assert_eq!(asked["view"]["proposals"], open, "{door:?}");
        let accept = json!({"matchId": match_id, "kind": "PROPOSAL_KIND_TAKEBACK", "accept": true});
        let answered = call(&stage, door, "AnswerProposal", "proposals:answer", &accept, &black).await;
        let event = &answered["events"][0]["proposalAnswered"];
        let expected =
            json!({"seat": 1, "kind": "PROPOSAL_KIND_TAKEBACK", "accepted": true, "movesTakenBack": 1});
        assert_eq!(event, &expected, "{door:?}");
        assert_eq!((&answered["view"]["toAct"], &answered["view"]["proposals"]), (&json!([0]), &json!([])));

        call(&stage, door, "SubmitMove", "moves", &submit("b1-b2"), &white).await;
        let resign = v1::ResignRequest { match_id: match_id.clone(), request_id: None };
        let mut matches = stage.client.matches.clone();
        matches.resign(crate::stage::sent(resign, Some(&black))).await.unwrap();
        let exported = Http::of(&stage.address).get(&format!("/v1/matches/{match_id}/log"), &[]).await;
        let (file, _) = LogFile::read(&exported.body).unwrap();
        let trust = Trust { keys: vec![file.public_key.parse().unwrap()], ..Trust::default() };
        let report = file.verify(&trust);
        assert_eq!(report.verdict, Verification::Verified, "{:?}", report.failure);
        stage.close().await;
    }
}
