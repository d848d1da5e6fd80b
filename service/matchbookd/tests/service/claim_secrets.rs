//! Claim secrets over gRPC and REST: they return a token again, and are found in no response, log or
//! database.

use std::fs;

use serde_json::{Value, json};
use tonic::Code;
use uuid::Uuid;

use crate::stage::{Backend, CLAIM_SECRET, Client, Http, Process, Storage, claim_secret, grpc_json, refused};

/// Claims a seat over gRPC or REST and returns the JSON of the response or of the refusal.
struct Door<'a> {
    client: &'a Client,
    address: &'a str,
    rest: bool,
}

impl Door<'_> {
    async fn claim(&self, match_id: &str, request_id: Uuid, secret: Option<&str>) -> Result<Value, Value> {
        let mut request = json!({
            "matchId": match_id,
            "seat": 0,
            "player": {"displayName": "Ann"},
            "requestId": request_id.to_string(),
        });
        if let Some(secret) = secret {
            request["claimSecret"] = secret.into();
        }
        if self.rest {
            let target = format!("/v1/matches/{match_id}/seats/0:claim");
            let answer = Http::of(self.address).post(&target, &[], &request).await;
            return if answer.status.is_success() { Ok(answer.json()) } else { Err(answer.json()) };
        }
        let channel = crate::stage::connect(self.address).await;
        grpc_json(channel, "MatchService/ClaimSeat", &request, None).await.map_err(|status| {
            let refusal = refused::<()>(Err(status));
            json!(format!("{refusal:?}"))
        })
    }

    async fn check(&self) {
        let match_id = self.client.create(Default::default()).await;
        let (request_id, secret) = (Uuid::new_v4(), claim_secret().unwrap());
        let first = self.claim(&match_id, request_id, Some(&secret)).await.unwrap();
        assert!(first["seatToken"].as_str().unwrap().starts_with("mbs_"));
        assert_eq!(self.claim(&match_id, request_id, Some(&secret)).await.as_ref(), Ok(&first));
        let mut without_token = first.clone();
        without_token["seatToken"] = "".into();
        for other in [None, claim_secret()] {
            let retried = self.claim(&match_id, request_id, other.as_deref()).await;
            assert_eq!(retried.as_ref(), Ok(&without_token));
        }
        let taken = self.claim(&match_id, Uuid::new_v4(), Some(&secret)).await.unwrap_err();
        let malformed =
            self.claim(&match_id, request_id, Some(&format!("{CLAIM_SECRET} "))).await.unwrap_err();
        assert!(malformed.to_string().contains("visible ASCII characters"), "{malformed}");
        for answer in [&first, &without_token, &taken, &malformed] {
            assert!(!answer.to_string().contains(CLAIM_SECRET), "{answer}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_secret_returns_the_token_and_is_shown_and_stored_nowhere() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = Process::serve(&storage, &["--log", "trace", "--log-format", "json"]);
    let client = Client::of(&process.address).await;
    for rest in [false, true] {
        Door { client: &client, address: &process.address, rest }.check().await;
    }
    let folder = storage.key_file().parent().unwrap().to_owned();
    let mut files = 0;
    for file in fs::read_dir(folder).unwrap() {
        let bytes = fs::read(file.unwrap().path()).unwrap();
        files += 1;
        let found = bytes.windows(CLAIM_SECRET.len()).any(|window| window == CLAIM_SECRET.as_bytes());
        assert!(!found, "a file of the database contains a claim secret");
    }
    assert!(files > 1, "the database's files were read");
    let (code, lines) = process.terminate();
    assert_eq!(code, Some(0));
    assert!(lines.iter().any(|line| line.contains("ClaimSeat")), "the log was captured");
    assert!(!lines.iter().any(|line| line.contains(CLAIM_SECRET)), "the log contains a claim secret");
}

#[tokio::test]
async fn the_refusal_of_a_malformed_secret_names_its_field() {
    let stage = crate::stage::Stage::on(Backend::Memory).await;
    let match_id = stage.client.create(Default::default()).await;
    let request = wire::v1::ClaimSeatRequest {
        match_id,
        seat: Some(0),
        player: Some(wire::v1::Player::named("Ann")),
        claim_secret: Some("too short".to_owned()),
        ..Default::default()
    };
    let rejection = refused(stage.client.matches.clone().claim_seat(request).await);
    rejection.is("INVALID_ARGUMENT", Code::InvalidArgument, "16 to 128").at("claim_secret");
    stage.close().await;
}
