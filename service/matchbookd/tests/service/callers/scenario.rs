//! A service with API keys, the kinds of caller, and matches in which a call can succeed.

use play::{ApiKey, KeyRing, Role};
use tonic::{Response, Status};
use uuid::Uuid;
use wire::v1::{self, Visibility};

use crate::stage::{Backend, GAME, Stage, Storage, Table, claim_secret, sent, sent_with, submit_request};

/// The kinds of caller, in the order of the page's columns.
pub(super) const CALLERS: [Caller; 9] = [
    Caller::Anonymous,
    Caller::Seat,
    Caller::Owner,
    Caller::OtherApp,
    Caller::Audit,
    Caller::Admin,
    Caller::OwnerAndSeat,
    Caller::OtherAppAndSeat,
    Caller::OtherMatch,
];

/// A kind of caller.
#[derive(Debug, Clone, Copy)]
pub(super) enum Caller {
    Anonymous,
    /// Seat 0 of the match.
    Seat,
    /// The app that created the match.
    Owner,
    OtherApp,
    Audit,
    Admin,
    /// Seat 0 of the match, with the key of the app that created it.
    OwnerAndSeat,
    /// Seat 0 of the match, with the key of another app.
    OtherAppAndSeat,
    /// Seat 0 of another match.
    OtherMatch,
}

/// A service with two app keys, an audit key and an admin key.
pub(super) struct KeyedService {
    pub(super) stage: Stage,
    keys: [String; 4],
    other_match: String,
}

/// A match in which one call can succeed.
pub(super) struct Scenario {
    pub(super) table: Table,
    /// The match's rematch, if the call is about that.
    pub(super) rematch: Option<String>,
}

impl KeyedService {
    pub(super) async fn open() -> Self {
        let roles =
            [("shop", Role::App), ("rival", Role::App), ("auditor", Role::Audit), ("boss", Role::Admin)];
        let generated = roles.map(|(name, role)| ApiKey::generate(name, role).unwrap());
        let keys = generated.clone().map(|(_, secret)| secret);
        let storage = Storage::here(Backend::Memory).await;
        let mut config = storage.config();
        config.api_keys = KeyRing::new(generated.map(|(key, _)| key).to_vec()).unwrap();
        let mut service = Self { stage: Stage::with(config).await, keys, other_match: String::new() };
        service.other_match =
            Scenario::of(&service, "GetMatch", Visibility::Public).await.table.tokens[0].clone();
        service
    }

    /// Returns the credentials that a caller sends.
    pub(super) fn credentials<'a>(&'a self, scenario: &'a Scenario, caller: Caller) -> Vec<&'a str> {
        let [shop, rival, auditor, boss] = self.keys.each_ref().map(String::as_str);
        let seat = scenario.table.tokens[0].as_str();
        match caller {
            Caller::Anonymous => vec![],
            Caller::Seat => vec![seat],
            Caller::Owner => vec![shop],
            Caller::OtherApp => vec![rival],
            Caller::Audit => vec![auditor],
            Caller::Admin => vec![boss],
            Caller::OwnerAndSeat => vec![shop, seat],
            Caller::OtherAppAndSeat => vec![rival, seat],
            Caller::OtherMatch => vec![&self.other_match],
        }
    }

    pub(super) async fn create(
        &self,
        visibility: Visibility,
        credentials: &[&str],
    ) -> Result<Response<v1::CreateMatchResponse>, Status> {
        self.create_game(GAME, visibility, credentials).await
    }

    async fn create_game(
        &self,
        game: &str,
        visibility: Visibility,
        credentials: &[&str],
    ) -> Result<Response<v1::CreateMatchResponse>, Status> {
        let visibility = Some(visibility.into());
        let request = v1::CreateMatchRequest { game_id: game.to_owned(), visibility, ..Default::default() };
        self.stage.client.matches.clone().create_match(sent_with(request, credentials)).await
    }

    pub(super) async fn list(
        &self,
        credentials: &[&str],
    ) -> Result<Response<v1::ListMatchesResponse>, Status> {
        let request = sent_with(v1::ListMatchesRequest::default(), credentials);
        self.stage.client.matches.clone().list_matches(request).await
    }

    async fn claim(&self, match_id: &str, seat: u32) -> String {
        let request = claim_request(match_id, seat);
        let answer = self.stage.client.matches.clone().claim_seat(sent(request, Some(&self.keys[0]))).await;
        answer.unwrap().into_inner().seat_token
    }

    async fn rematch(&self, match_id: &str) -> String {
        let request = v1::CreateRematchRequest { match_id: match_id.to_owned(), ..Default::default() };
        let mut matches = self.stage.client.matches.clone();
        let answer = matches.create_rematch(sent(request, Some(&self.keys[0]))).await.unwrap();
        answer.into_inner().r#match.unwrap().match_id
    }

    pub(super) async fn close(self) {
        self.stage.close().await;
    }
}

pub(super) fn claim_request(match_id: &str, seat: u32) -> v1::ClaimSeatRequest {
    v1::ClaimSeatRequest {
        match_id: match_id.to_owned(),
        seat: Some(seat),
        player: Some(v1::Player::named("Ann")),
        request_id: Some(Uuid::new_v4().to_string()),
        claim_secret: claim_secret(),
        ..Default::default()
    }
}

impl Scenario {
    /// Creates a match of the app `shop` and advances it to where `rpc` can succeed.
    pub(super) async fn of(service: &KeyedService, rpc: &str, visibility: Visibility) -> Self {
        let game = if rpc.contains("without secrets") { "ludus-magus" } else { GAME };
        let created = service.create_game(game, visibility, &[&service.keys[0]]).await.unwrap().into_inner();
        let match_id = created.r#match.unwrap().match_id;
        let zero = service.claim(&match_id, 0).await;
        let one = match rpc {
            "ClaimSeat" => String::new(),
            _ => service.claim(&match_id, 1).await,
        };
        let table = Table { match_id, tokens: [zero, one] };
        let mut matches = service.stage.client.matches.clone();
        match rpc {
            "AnswerProposal" => {
                let (match_id, kind) = (table.match_id.clone(), v1::ProposalKind::Draw.into());
                let request = v1::MakeProposalRequest { match_id, kind, request_id: None };
                matches.make_proposal(sent(request, Some(&table.tokens[1]))).await.unwrap();
            }
            "ForkMatch" | "CreateRematch" | "ClaimSeat in its rematch" => {
                let request = v1::ResignRequest { match_id: table.match_id.clone(), request_id: None };
                matches.resign(sent(request, Some(&table.tokens[1]))).await.unwrap();
            }
            // Only its own seat sees a sealed choice, so the choice reveals the viewer.
            "ListEvents" | "ExportLog" => {
                let request = submit_request(&table, "1,1");
                matches.submit_move(sent(request, Some(&table.tokens[0]))).await.unwrap();
            }
            _ => {}
        }
        let rematch = match rpc {
            "ClaimSeat in its rematch" => Some(service.rematch(&table.match_id).await),
            _ => None,
        };
        Self { table, rematch }
    }
}
