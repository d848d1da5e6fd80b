//! A service on a journal of its own, a match with two players, and the requests that tests send.

use journal::{Journal, JournalConfig};
use play::{Caller, Capacity, Play, Refusal, ServiceKey, Settings};
use uuid::Uuid;
use wire::v1 as proto;

/// Starts a service on a new journal in memory.
pub(crate) async fn in_memory() -> Play {
    with_capacity(Capacity::default()).await
}

/// Starts a service of this capacity on a new journal in memory.
pub(crate) async fn with_capacity(capacity: Capacity) -> Play {
    on(open("memory:").await, capacity).await
}

/// Opens a journal.
pub(crate) async fn open(url: &str) -> Journal {
    Journal::open(JournalConfig::new(url.parse().unwrap())).await.unwrap()
}

/// Starts a service on an open journal, with an empty cache, as after a restart.
pub(crate) async fn on(journal: Journal, capacity: Capacity) -> Play {
    with_settings(journal, Settings { capacity, ..Settings::default() }).await
}

/// Starts a service on an open journal with these settings.
pub(crate) async fn with_settings(journal: Journal, settings: Settings) -> Play {
    Play::start(journal, ServiceKey::from_bytes([9; 32]), settings).await.unwrap()
}

/// A running match and its players' credentials.
pub(crate) struct Fixture {
    pub match_id: String,
    pub angels: Caller,
    pub demons: Caller,
}

impl Fixture {
    pub(crate) async fn start(play: &Play, turns: u32) -> Self {
        Self::start_with(play, create(turns)).await
    }

    pub(crate) async fn start_with(play: &Play, create: proto::CreateMatchRequest) -> Self {
        let created = play.create_match(&Caller::anonymous(), create).await.unwrap();
        let match_id = created.r#match.unwrap().match_id;
        let mut tokens = Vec::new();
        for free in [0, 1] {
            let claimed = play.claim_seat(&Caller::anonymous(), claim(&match_id, free)).await.unwrap();
            tokens.push(claimed.seat_token);
        }
        let demons = seat(tokens.pop().unwrap());
        let angels = seat(tokens.pop().unwrap());
        Self { match_id, angels, demons }
    }

    pub(crate) async fn submit(
        &self,
        play: &Play,
        caller: &Caller,
        notation: &str,
    ) -> Result<proto::SubmitMoveResponse, Refusal> {
        play.submit_move(caller, submit(&self.match_id, notation, Some(Uuid::new_v4()))).await
    }

    /// Plays a turn: both seats choose, the Angels first.
    pub(crate) async fn play_turn(&self, play: &Play) {
        self.submit(play, &self.angels, "1,1").await.unwrap();
        self.submit(play, &self.demons, "3,3").await.unwrap();
    }

    pub(crate) async fn events(&self, play: &Play) -> Vec<proto::Event> {
        let request = proto::ListEventsRequest {
            match_id: self.match_id.clone(),
            page_size: 500,
            ..Default::default()
        };
        play.list_events(&Caller::anonymous(), request).await.unwrap().events
    }
}

/// A claim secret of a player.
pub(crate) const SECRET: &str = "0123456789-my-own-secret";

/// Returns a caller with this seat's token.
pub(crate) fn seat(token: impl Into<String>) -> Caller {
    Caller::anonymous().with_seat_token(token)
}

/// Returns a caller with this API key.
pub(crate) fn app(key: impl Into<String>) -> Caller {
    Caller::anonymous().with_key(key)
}

pub(crate) fn create(turns: u32) -> proto::CreateMatchRequest {
    let options =
        wire::games::angels_and_demons::v1::Options { rows: Some(4), cols: Some(4), turns: Some(turns) };
    proto::CreateMatchRequest {
        game_id: "angels-and-demons".to_owned(),
        options: Some(proto::GameOptions { game: Some(proto::game_options::Game::AngelsAndDemons(options)) }),
        ..Default::default()
    }
}

pub(crate) fn claim(match_id: &str, seat: u32) -> proto::ClaimSeatRequest {
    proto::ClaimSeatRequest {
        match_id: match_id.to_owned(),
        seat: Some(seat),
        player: Some(proto::Player::named("Ada")),
        ..Default::default()
    }
}

pub(crate) fn submit(match_id: &str, notation: &str, request_id: Option<Uuid>) -> proto::SubmitMoveRequest {
    proto::SubmitMoveRequest {
        match_id: match_id.to_owned(),
        input: Some(proto::submit_move_request::Input::Notation(notation.to_owned())),
        request_id: request_id.map(|id| id.to_string()),
        ..Default::default()
    }
}
