//! The player in one seat: makes random legal moves, each until it is acknowledged.

use rand::RngExt;
use tonic::transport::Channel;
use tonic::{Request, Response, Status};
use uuid::Uuid;
use wire::v1::match_service_client::MatchServiceClient;
use wire::v1::submit_move_request::Input;
use wire::v1::{self, Seat};

use crate::caller::{Caller, Settled, Token, Unsettled};
use crate::record::{Acknowledged, Receipt};

/// Of so many acknowledged moves one is sent again.
const REPEAT_ONE_IN: u32 = 16;

/// A seat and what proves it.
pub(crate) struct Player {
    pub(crate) caller: Caller,
    pub(crate) token: Token,
}

/// A change that is durable, and the position after it.
pub(crate) struct Made {
    pub(crate) acknowledged: Acknowledged,
    pub(crate) view: v1::View,
    /// The same call, sent again, was answered otherwise.
    pub(crate) trouble: Option<String>,
}

impl Player {
    /// Makes a random legal move.
    pub(crate) async fn make_move(&mut self, match_id: &str) -> Result<Made, Unsettled> {
        let sample =
            v1::SampleMoveRequest { match_id: match_id.to_owned(), seed: Some(self.caller.rng.random()) };
        let sampled = self.caller.settle(&sample, Some(&self.token), sample_move).await?.answer;
        let request = v1::SubmitMoveRequest {
            match_id: match_id.to_owned(),
            input: sampled.r#move.map(Input::Move),
            request_id: Some(new_request_id()),
            expected_seq: Some(sampled.seq),
        };
        let settled = self.caller.settle(&request, Some(&self.token), submit_move).await?;
        let events = receipts(&settled.answer.events);
        let trouble = match self.caller.rng.random_ratio(1, REPEAT_ONE_IN) {
            true => self.repeat(&request, &events).await?,
            false => None,
        };
        let view = settled.answer.view.clone().unwrap_or_default();
        Ok(Made { acknowledged: acknowledged(&settled, events), view, trouble })
    }

    /// Sends an acknowledged call once more: what is wrong with the answer, if anything is.
    async fn repeat(
        &mut self,
        request: &v1::SubmitMoveRequest,
        events: &[Receipt],
    ) -> Result<Option<String>, Unsettled> {
        self.caller.tally.repeated += 1;
        let again = self.caller.settle(request, Some(&self.token), submit_move).await?.answer;
        let same = receipts(&again.events) == events;
        Ok((!same).then(|| "the same call, sent again, was answered with other events".to_owned()))
    }

    /// Gives the match up.
    pub(crate) async fn resign(&mut self, match_id: &str) -> Result<Made, Unsettled> {
        let request = v1::ResignRequest { match_id: match_id.to_owned(), request_id: Some(new_request_id()) };
        let rpc = |channel, request| async { MatchServiceClient::new(channel).resign(request).await };
        let settled = self.caller.settle(&request, Some(&self.token), rpc).await?;
        let events = receipts(&settled.answer.events);
        let view = settled.answer.view.clone().unwrap_or_default();
        Ok(Made { acknowledged: acknowledged(&settled, events), view, trouble: None })
    }
}

/// A match with both seats taken.
pub(crate) struct Opened {
    pub(crate) match_id: String,
    pub(crate) opening: Vec<Receipt>,
    pub(crate) tokens: [Token; 2],
    /// By how many milliseconds the clock of whoever made the match's id was before the database's.
    pub(crate) lead_ms: i64,
    pub(crate) to_act: Vec<i32>,
}

/// Creates a match and claims both seats.
pub(crate) async fn open(
    caller: &mut Caller,
    game: &str,
    time_control: Option<v1::TimeControl>,
) -> Result<Opened, Unsettled> {
    let create = v1::CreateMatchRequest {
        game: game.to_owned(),
        request_id: Some(new_request_id()),
        time_control,
        ..Default::default()
    };
    let rpc = |channel, request| async { MatchServiceClient::new(channel).create_match(request).await };
    let created = caller.settle(&create, None, rpc).await?.answer.r#match.unwrap_or_default();
    let mut opening = vec![head_of(&created)];
    let mut tokens = Vec::new();
    for seat in [Seat::Zero, Seat::One] {
        let claim = v1::ClaimSeatRequest {
            match_id: created.match_id.clone(),
            seat: seat.into(),
            player_name: "Ann".to_owned(),
            request_id: Some(new_request_id()),
            ..Default::default()
        };
        let rpc = |channel, request| async { MatchServiceClient::new(channel).claim_seat(request).await };
        let claimed = caller.settle(&claim, None, rpc).await?.answer;
        opening.push(head_of(&claimed.r#match.unwrap_or_default()));
        let token = format!("Bearer {}", claimed.seat_token).parse();
        tokens.push(token.map_err(|_| Unsettled("a seat's token is no token".to_owned()))?);
    }
    let look = v1::GetViewRequest { match_id: created.match_id.clone(), ..Default::default() };
    let rpc = |channel, request| async { MatchServiceClient::new(channel).get_view(request).await };
    let view = caller.settle(&look, None, rpc).await?.answer.view.unwrap_or_default();
    let lead_ms = lead_ms(&created);
    let tokens = tokens.try_into().expect("two seats were claimed");
    Ok(Opened { match_id: created.match_id, opening, tokens, lead_ms, to_act: view.to_act })
}

/// A UUID that no other call has.
pub(crate) fn new_request_id() -> String {
    Uuid::new_v4().to_string()
}

/// The id was made by the replica's own clock (UUID version 7), the time by the database's.
fn lead_ms(created: &v1::Match) -> i64 {
    let id = Uuid::try_parse(&created.match_id).ok().and_then(|id| id.get_timestamp());
    let (seconds, nanos) = id.map_or((0, 0), |timestamp| timestamp.to_unix());
    let created = created.created_time.unwrap_or_default();
    let seconds = i64::try_from(seconds).unwrap_or(i64::MAX).saturating_sub(created.seconds);
    seconds.saturating_mul(1000) + (i64::from(nanos) - i64::from(created.nanos)) / 1_000_000
}

fn head_of(of: &v1::Match) -> Receipt {
    Receipt { seq: of.head_seq, hash: of.head_hash.clone().unwrap_or_default().value }
}

fn receipts(events: &[v1::Event]) -> Vec<Receipt> {
    events.iter().map(Receipt::of).collect()
}

fn acknowledged<A>(settled: &Settled<A>, events: Vec<Receipt>) -> Acknowledged {
    Acknowledged { way: settled.way, sent: settled.sent, answered: settled.answered, events }
}

async fn sample_move(
    channel: Channel,
    request: Request<v1::SampleMoveRequest>,
) -> Result<Response<v1::SampleMoveResponse>, Status> {
    MatchServiceClient::new(channel).sample_move(request).await
}

async fn submit_move(
    channel: Channel,
    request: Request<v1::SubmitMoveRequest>,
) -> Result<Response<v1::SubmitMoveResponse>, Status> {
    MatchServiceClient::new(channel).submit_move(request).await
}
