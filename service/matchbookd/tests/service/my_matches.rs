//! An owner's lists over both doors: gRPC and REST find the same matches and refuse the same filters.

use play::{ApiKey, KeyRing, Role};
use serde_json::{Value, json};
use wire::v1;
use wire::v1::export_matches_response::Frame;

use crate::stage::{Backend, Http, Stage, Storage, credential_header, sent};

struct Shop {
    stage: Stage,
    http: Http,
    secret: String,
    _storage: Storage,
}

impl Shop {
    async fn open() -> Self {
        let (key, secret) = ApiKey::generate("shop", Role::App).unwrap();
        let storage = Storage::here(Backend::Sqlite).await;
        let mut config = storage.config();
        config.api_keys = KeyRing::new(vec![key]).unwrap();
        let stage = Stage::with(config).await;
        let http = Http::of(&stage.address);
        Self { stage, http, secret, _storage: storage }
    }

    async fn post(&self, path: &str, body: &Value) -> Value {
        let (name, value) = credential_header(&self.secret);
        self.http.post(path, &[(name, value.as_str())], body).await.json()
    }

    async fn get(&self, query: &str) -> Value {
        let (name, value) = credential_header(&self.secret);
        self.http.get(&format!("/v1/matches{query}"), &[(name, value.as_str())]).await.json()
    }

    /// Lists over both doors and returns the ids that both found.
    async fn found(&self, query: &str, request: v1::ListMatchesRequest) -> Vec<String> {
        let page = self.stage.client.matches.clone().list_matches(sent(request, Some(&self.secret))).await;
        let over_grpc: Vec<String> =
            page.unwrap().into_inner().matches.into_iter().map(|found| found.match_id).collect();
        let answer = self.get(query).await;
        let matches = answer["matches"].as_array().cloned().unwrap_or_default();
        let over_rest: Vec<&str> = matches.iter().map(|found| found["matchId"].as_str().unwrap()).collect();
        assert_eq!(over_rest, over_grpc, "{query}");
        over_grpc
    }

    async fn create(&self, stage: &str, external_id: &str) -> String {
        let labels = json!({"stage": stage, "tenant": "a=b"});
        let body = json!({"gameId": "ludus-magus", "labels": labels, "externalId": external_id});
        let created = self.post("/v1/matches", &body).await;
        created["match"]["matchId"].as_str().unwrap().to_owned()
    }
}

fn labelled(labels: &[&str]) -> v1::ListMatchesRequest {
    let labels = labels.iter().map(|&label| label.to_owned()).collect();
    v1::ListMatchesRequest { labels, ..Default::default() }
}

#[tokio::test]
async fn both_doors_find_an_owners_matches_by_notes_and_turn() {
    let shop = Shop::open().await;
    let first = shop.create("final", "order 1").await;
    let second = shop.create("semifinal", "order 2").await;
    for seat in [0, 1] {
        let path = format!("/v1/matches/{second}/seats/{seat}:claim");
        shop.post(&path, &json!({"player": {"displayName": "Ann", "playerId": format!("user-{seat}")}}))
            .await;
    }
    let all = v1::ListMatchesRequest::default();
    assert_eq!(shop.found("?labels=stage%3Dfinal", labelled(&["stage=final"])).await, [&*first]);
    let both = labelled(&["tenant=a=b", "stage=semifinal"]);
    assert_eq!(shop.found("?labels=tenant=a%3Db&labels=stage=semifinal", both).await, [&*second]);
    let external_id = Some("order 1".to_owned());
    let request = v1::ListMatchesRequest { external_id, ..all.clone() };
    assert_eq!(shop.found("?externalId=order%201", request).await, [&*first]);
    let request = v1::ListMatchesRequest { seat_to_act: Some(0), ..labelled(&["tenant=a=b"]) };
    assert_eq!(shop.found("?seatToAct=0&labels=tenant=a=b", request).await, [&*second]);
    let request = v1::ListMatchesRequest { seat_to_act: Some(1), ..all.clone() };
    assert_eq!(shop.found("?seatToAct=1", request).await, [""; 0]);
    for (id, found) in [("user-0", vec![&*second]), ("user-1", vec![]), ("user-17", vec![])] {
        let player_id = Some(id.to_owned());
        let request = v1::ListMatchesRequest { player_id, player_to_act: true, ..all.clone() };
        assert_eq!(shop.found(&format!("?playerId={id}&playerToAct=true"), request).await, found);
    }
    let player_id = Some("user-1".to_owned());
    let request = v1::ListMatchesRequest { player_id, ..all };
    assert_eq!(shop.found("?playerId=user-1", request).await, [&*second]);
    shop.stage.close().await;
}

#[tokio::test]
async fn both_doors_export_the_logs_of_many_matches() {
    let shop = Shop::open().await;
    let ids = [shop.create("final", "order 1").await, shop.create("semifinal", "order 2").await];
    let request = v1::ExportMatchesRequest { labels: vec!["stage=final".to_owned()], ..Default::default() };
    let mut stream = shop
        .stage
        .client
        .logs
        .clone()
        .export_matches(sent(request, Some(&shop.secret)))
        .await
        .unwrap()
        .into_inner();
    let mut over_grpc = Vec::new();
    while let Some(response) = stream.message().await.unwrap() {
        over_grpc.extend(response.frame);
    }
    let [Frame::Header(header), Frame::Event(_), Frame::Head(_), Frame::End(end)] = &over_grpc[..] else {
        panic!("{over_grpc:?}")
    };
    assert_eq!((&header.match_id, end.exported, end.skipped), (&ids[0], 1, 0));
    let (name, value) = credential_header(&shop.secret);
    let headers = [(name, value.as_str()), ("accept", "application/x-ndjson")];
    let response = shop.http.get("/v1/logs", &headers).await;
    assert_eq!(response.status, 200);
    let lines: Vec<Value> = response.text().lines().map(|line| line.parse().unwrap()).collect();
    let exported = lines.iter().filter_map(|line| line["header"]["matchId"].as_str().map(str::to_owned));
    assert_eq!(exported.collect::<Vec<_>>(), [&*ids[1], &*ids[0]]);
    assert_eq!(lines.last().unwrap()["end"]["exported"], "2");
    let token =
        lines.iter().find(|line| line["head"].is_object()).unwrap()["nextPageToken"].as_str().unwrap();
    let rest = shop.http.get(&format!("/v1/logs?pageToken={token}"), &headers).await;
    assert!(rest.text().contains(&ids[0]) && !rest.text().contains(&ids[1]), "{}", rest.text());
    shop.http.get("/v1/logs", &[]).await.refused(401, "MISSING_KEY");
    shop.stage.close().await;
}

#[tokio::test]
async fn both_doors_return_several_matches() {
    let shop = Shop::open().await;
    let (first, second) = (shop.create("final", "order 1").await, shop.create("final", "order 2").await);
    let match_ids = vec![second.clone(), first.clone()];
    let mut matches = shop.stage.client.matches.clone();
    let over_grpc =
        matches.batch_get_matches(sent(v1::BatchGetMatchesRequest { match_ids }, Some(&shop.secret)));
    let over_grpc = over_grpc.await.unwrap().into_inner().matches;
    let over_rest = shop.get(&format!(":batchGet?matchIds={second}&matchIds={first}")).await;
    for (n, id) in [(0, &second), (1, &first)] {
        assert_eq!((&over_grpc[n].match_id, &over_rest["matches"][n]["matchId"]), (id, &json!(id)));
        assert_eq!(over_rest["matches"][n]["labels"]["stage"], "final");
    }
    let unknown = "01a20442-b915-7566-87fc-c551db5e4d34";
    let refused = shop.get(&format!(":batchGet?matchIds={first}&matchIds={unknown}")).await;
    assert_eq!((&refused["error"]["code"], refused.to_string().contains(unknown)), (&json!(404), true));
    assert_eq!(shop.get(":batchGet").await["error"]["code"], 400);
    shop.stage.close().await;
}

#[tokio::test]
async fn both_doors_refuse_what_is_no_filter() {
    let shop = Shop::open().await;
    for (query, request, field) in [
        ("?labels=stage", labelled(&["stage"]), "labels"),
        ("?labels=a=1&labels=a=2", labelled(&["a=1", "a=2"]), "labels"),
        (
            "?playerToAct=true",
            v1::ListMatchesRequest { player_to_act: true, ..Default::default() },
            "player_id",
        ),
        (
            "?seatToAct=8",
            v1::ListMatchesRequest { seat_to_act: Some(8), ..Default::default() },
            "seat_to_act",
        ),
    ] {
        let status = shop.stage.client.matches.clone().list_matches(sent(request, Some(&shop.secret))).await;
        let status = status.unwrap_err();
        assert!(status.message().contains(field), "{query}: {status}");
        let refused = shop.get(query).await;
        assert_eq!(refused["error"]["code"], 400, "{query}: {refused}");
        assert!(!refused["error"]["message"].as_str().unwrap().contains('_'), "{query}: {refused}");
        shop.http.get(&format!("/v1/matches{query}"), &[]).await.refused(401, "MISSING_KEY");
    }
    shop.stage.close().await;
}
