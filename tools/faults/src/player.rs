//! The player of one seat: makes random legal moves, each until it is acknowledged.

use matchbook_client::v1;
use matchbook_client::v1::submit_move_request::Input;
use matchbook_client::{Client, Error, claim_secret, request_id};
use rand::RngExt;
use uuid::Uuid;

use crate::caller::{CallFailure, Completed, RetryingCaller};
use crate::history::{AcknowledgedCall, EventHash};
use crate::routes::ServiceRoute;

/// One acknowledged move in this many is sent again.
const RESEND_ONE_IN: u32 = 16;

/// A seat and its token.
pub(crate) struct SeatPlayer {
    pub(crate) caller: RetryingCaller,
    pub(crate) token: String,
}

/// An acknowledged change and the position after it.
pub(crate) struct AcknowledgedChange {
    pub(crate) call: AcknowledgedCall,
    pub(crate) view: v1::View,
    /// Set if the same call, sent again, got another response.
    pub(crate) problem: Option<String>,
}

impl SeatPlayer {
    /// Makes a random legal move.
    pub(crate) async fn make_move(&mut self, match_id: &str) -> Result<AcknowledgedChange, CallFailure> {
        let seed = Some(self.caller.rng.random());
        let strategy = v1::Strategy::Random.into();
        let suggestion = v1::SuggestMoveRequest { match_id: match_id.to_owned(), strategy, seed };
        let suggest_move = |client: Client, message| async move { client.suggest_move(message).await };
        let suggested = self.caller.call(&suggestion, Some(&self.token), suggest_move).await?.response;
        let request = v1::SubmitMoveRequest {
            match_id: match_id.to_owned(),
            input: suggested.r#move.map(Input::Move),
            request_id: Some(request_id()),
            expected_seq: Some(suggested.seq),
            ..Default::default()
        };
        let completed = self.caller.call(&request, Some(&self.token), submit_move).await?;
        let events = hashes(&completed.response.events);
        let problem = match self.caller.rng.random_ratio(1, RESEND_ONE_IN) {
            true => self.resend(&request, &events).await?,
            false => None,
        };
        let view = completed.response.view.clone().unwrap_or_default();
        Ok(AcknowledgedChange { call: acknowledged(&completed, events), view, problem })
    }

    /// Sends an acknowledged call again. Returns a description if the response differs.
    async fn resend(
        &mut self,
        request: &v1::SubmitMoveRequest,
        events: &[EventHash],
    ) -> Result<Option<String>, CallFailure> {
        self.caller.tally.resent += 1;
        let again = self.caller.call(request, Some(&self.token), submit_move).await?.response;
        let equal = hashes(&again.events) == events;
        Ok((!equal).then(|| "the same call, sent again, returned other events".to_owned()))
    }

    /// Resigns the match.
    pub(crate) async fn resign(&mut self, match_id: &str) -> Result<AcknowledgedChange, CallFailure> {
        let request = v1::ResignRequest { match_id: match_id.to_owned(), request_id: Some(request_id()) };
        let resign = |client: Client, message| async move { client.resign(message).await };
        let completed = self.caller.call(&request, Some(&self.token), resign).await?;
        let events = hashes(&completed.response.events);
        let view = completed.response.view.clone().unwrap_or_default();
        Ok(AcknowledgedChange { call: acknowledged(&completed, events), view, problem: None })
    }
}

/// A match with both seats claimed.
pub(crate) struct OpenedMatch {
    pub(crate) match_id: String,
    pub(crate) opening: Vec<EventHash>,
    pub(crate) tokens: [String; 2],
    /// How far the clock in the match's id is ahead of the database's, in milliseconds.
    pub(crate) lead_ms: i64,
    pub(crate) to_act: Vec<u32>,
}

/// Creates a match, on this route if it works, and claims both seats.
pub(crate) async fn open(
    caller: &mut RetryingCaller,
    route: ServiceRoute,
    game: &str,
    time_control: Option<v1::TimeControl>,
) -> Result<OpenedMatch, CallFailure> {
    let request = v1::CreateMatchRequest {
        game_id: game.to_owned(),
        request_id: Some(request_id()),
        time_control,
        ..Default::default()
    };
    let create = |client: Client, message| async move { client.create_match(message).await };
    let created = caller.call_first_on(route, &request, create).await?.response.r#match.unwrap_or_default();
    let mut opening = vec![head_of(&created)];
    let mut tokens = [const { String::new() }; 2];
    for (seat, token) in [0, 1].into_iter().zip(&mut tokens) {
        let request = v1::ClaimSeatRequest {
            match_id: created.match_id.clone(),
            seat: Some(seat),
            player: Some(v1::Player::named("Ann")),
            request_id: Some(request_id()),
            claim_secret: Some(claim_secret()),
            ..Default::default()
        };
        let claim = |client: Client, message| async move { client.claim_seat(message).await };
        let claimed = caller.call(&request, None, claim).await?.response;
        opening.push(head_of(&claimed.r#match.unwrap_or_default()));
        *token = claimed.seat_token;
    }
    let request = v1::GetViewRequest { match_id: created.match_id.clone(), ..Default::default() };
    let get_view = |client: Client, message| async move { client.get_view(message).await };
    let view = caller.call(&request, None, get_view).await?.response.view.unwrap_or_default();
    let lead_ms = lead_ms(&created);
    Ok(OpenedMatch { match_id: created.match_id, opening, tokens, lead_ms, to_act: view.to_act })
}

/// Compares the id, made by the replica's clock (UUID version 7), with the creation time, from the database's
/// clock.
fn lead_ms(created: &v1::Match) -> i64 {
    let id = Uuid::try_parse(&created.match_id).ok().and_then(|id| id.get_timestamp());
    let (seconds, nanos) = id.map_or((0, 0), |timestamp| timestamp.to_unix());
    let created = created.create_time.unwrap_or_default();
    let seconds = i64::try_from(seconds).unwrap_or(i64::MAX).saturating_sub(created.seconds);
    seconds.saturating_mul(1000) + (i64::from(nanos) - i64::from(created.nanos)) / 1_000_000
}

fn head_of(of: &v1::Match) -> EventHash {
    EventHash { seq: of.head_seq.unwrap_or_default(), hash: of.head_hash().to_vec() }
}

fn hashes(events: &[v1::Event]) -> Vec<EventHash> {
    events.iter().map(EventHash::of).collect()
}

fn acknowledged<A>(completed: &Completed<A>, events: Vec<EventHash>) -> AcknowledgedCall {
    AcknowledgedCall { route: completed.route, sent: completed.sent, received: completed.received, events }
}

async fn submit_move(
    client: Client,
    message: v1::SubmitMoveRequest,
) -> Result<v1::SubmitMoveResponse, Error> {
    client.submit_move(message).await
}
