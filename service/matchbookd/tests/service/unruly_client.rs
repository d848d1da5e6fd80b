//! A client with an unreliable connection: it resends calls without a response, sends calls twice at once,
//! and repeats old ones. Every call takes effect once and always returns the same response.

use rstest::rstest;
use tonic::{Code, Status};
use uuid::Uuid;
use wire::v1::event::Kind;
use wire::v1::{self};

use crate::stage::{Backend, Client, CuttingProxy, Stage, Storage, claim_secret, create_request, sent};

const TURNS: u32 = 6;

#[rstest]
#[case::memory(Backend::Memory)]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_call_takes_effect_once(#[case] backend: Backend) {
    let Some(storage) = Storage::of(backend).await else { return };
    let stage = Stage::open(&storage).await;
    let proxy = CuttingProxy::before(&stage.address, 7).await;
    let unruly = UnrulyClient { address: proxy.address };

    let options = wire::games::angels_and_demons::v1::Options { turns: Some(TURNS), ..Default::default() };
    let create = create_request(options);
    let created = unruly.create(&create).await;
    let match_id = created.r#match.as_ref().unwrap().match_id.clone();
    let claims = [0, 1].map(|seat| claim(&match_id, seat));
    let mut tokens = Vec::new();
    for claim in &claims {
        tokens.push(unruly.claim(claim).await.seat_token);
    }
    let mut sent_before: Vec<(String, v1::SubmitMoveRequest, v1::SubmitMoveResponse)> = Vec::new();
    for turn in 0..TURNS {
        for (seat, token) in tokens.iter().enumerate() {
            let request = submit(&match_id, seat, turn);
            let (one, other) = tokio::join!(unruly.submit(&request, token), unruly.submit(&request, token));
            assert_eq!(one, other, "concurrent retries return the same response");
            // Resend a much older move.
            if let Some((token, late, first)) =
                sent_before.get((turn as usize * 7 + seat) % sent_before.len().max(1))
            {
                assert_eq!(unruly.submit(late, token).await, *first);
            }
            sent_before.push((token.clone(), request, one));
        }
    }
    assert_eq!(unruly.create(&create).await, created);
    assert_eq!(unruly.claim(&claims[1]).await.seat_token, tokens[1]);

    check_log(&stage.client, &match_id).await;
    stage.close().await;
}

/// Asserts that the log contains the effect of every call exactly once.
async fn check_log(client: &Client, match_id: &str) {
    let events = client.events(match_id, None, 500).await;
    let count = |kind: fn(&Kind) -> bool| {
        events.iter().filter_map(|event| event.kind.as_ref()).filter(|of| kind(of)).count()
    };
    assert_eq!(count(|kind| matches!(kind, Kind::SeatClaimed(_))), 2);
    assert_eq!(count(|kind| matches!(kind, Kind::MoveSealed(_))), 2 * TURNS as usize);
    assert_eq!(count(|kind| matches!(kind, Kind::TurnRevealed(_))), TURNS as usize);
    assert_eq!(count(|kind| matches!(kind, Kind::MatchEnded(_))), 1);
    assert!(events.iter().zip(1..).all(|(event, seq)| event.seq == seq));
}

fn claim(match_id: &str, seat: u32) -> v1::ClaimSeatRequest {
    v1::ClaimSeatRequest {
        match_id: match_id.to_owned(),
        seat: Some(seat),
        player: Some(v1::Player::named("Ann")),
        entropy: Vec::new(),
        request_id: Some(Uuid::new_v4().to_string()),
        claim_secret: claim_secret(),
    }
}

/// Returns a move: the Angels choose along the first row of the board, the Demons along the last.
fn submit(match_id: &str, seat: usize, turn: u32) -> v1::SubmitMoveRequest {
    let row = if seat == 0 { 1 } else { 8 };
    let notation = format!("{row},{}", if seat == 0 { 1 + 2 * (turn % 4) } else { 2 + 2 * (turn % 4) });
    v1::SubmitMoveRequest {
        match_id: match_id.to_owned(),
        input: Some(v1::submit_move_request::Input::Notation(notation)),
        request_id: Some(Uuid::new_v4().to_string()),
        ..Default::default()
    }
}

/// A client that repeats every call until it gets a response.
struct UnrulyClient {
    address: String,
}

impl UnrulyClient {
    async fn create(&self, request: &v1::CreateMatchRequest) -> v1::CreateMatchResponse {
        self.until_response(async |client| client.matches.clone().create_match(request.clone()).await).await
    }

    async fn claim(&self, request: &v1::ClaimSeatRequest) -> v1::ClaimSeatResponse {
        self.until_response(async |client| client.matches.clone().claim_seat(request.clone()).await).await
    }

    async fn submit(&self, request: &v1::SubmitMoveRequest, token: &str) -> v1::SubmitMoveResponse {
        self.until_response(async |client| {
            client.matches.clone().submit_move(sent(request.clone(), Some(token))).await
        })
        .await
    }

    async fn until_response<A>(&self, call: impl AsyncFn(Client) -> Result<tonic::Response<A>, Status>) -> A {
        for _ in 0..1_000 {
            // A connection that is cut during the handshake yields no channel.
            let Some(channel) = connect_if_possible(&self.address).await else { continue };
            match call(Client::over(channel)).await {
                Ok(response) => return response.into_inner(),
                Err(status) => assert!(is_cut(&status), "refused: {status:?}"),
            }
        }
        panic!("no response after a thousand attempts");
    }
}

/// Returns whether the connection broke, as opposed to a refusal by the service.
fn is_cut(status: &Status) -> bool {
    matches!(status.code(), Code::Unavailable | Code::Unknown | Code::Internal | Code::Cancelled)
}

async fn connect_if_possible(address: &str) -> Option<tonic::transport::Channel> {
    tonic::transport::Endpoint::from_shared(format!("http://{address}")).unwrap().connect().await.ok()
}
