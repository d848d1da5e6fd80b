//! A table to play at: a service over a journal of its own, and players.

use journal::{Journal, JournalConfig};
use play::{Caller, Limits, Play, Refusal, ServiceKey, Settings};
use uuid::Uuid;
use wire::v1 as proto;

/// A service on a fresh journal in memory.
pub(crate) async fn in_memory() -> Play {
    with_limits(Limits::default()).await
}

pub(crate) async fn with_limits(limits: Limits) -> Play {
    open("memory:", limits).await
}

/// A service on a database.
pub(crate) async fn open(url: &str, limits: Limits) -> Play {
    let journal = Journal::open(JournalConfig::new(url.parse().unwrap())).await.unwrap();
    on(journal, limits).await
}

/// A service on an open journal, with nothing in its cache: as after a restart.
pub(crate) async fn on(journal: Journal, limits: Limits) -> Play {
    with_settings(journal, Settings { limits, ..Settings::default() }).await
}

/// A service on an open journal, started as a test wants it.
pub(crate) async fn with_settings(journal: Journal, settings: Settings) -> Play {
    Play::start(journal, ServiceKey::from_bytes([9; 32]), settings).await.unwrap()
}

/// A match with both seats taken, and the players' credentials.
pub(crate) struct Table {
    pub match_id: String,
    pub angels: Caller,
    pub demons: Caller,
}

impl Table {
    pub(crate) async fn start(play: &Play, turns: u32) -> Self {
        Self::start_with(play, create(turns)).await
    }

    pub(crate) async fn start_with(play: &Play, create: proto::CreateMatchRequest) -> Self {
        let created = play.create_match(&Caller::anonymous(), create).await.unwrap();
        let match_id = created.r#match.unwrap().match_id;
        let mut tokens = Vec::new();
        for seat in [proto::Seat::Zero, proto::Seat::One] {
            let claimed = play.claim_seat(&Caller::anonymous(), claim(&match_id, seat)).await.unwrap();
            tokens.push(claimed.seat_token);
        }
        let demons = Caller::with_token(tokens.pop().unwrap());
        let angels = Caller::with_token(tokens.pop().unwrap());
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

    /// Both seats choose, the Angels first.
    pub(crate) async fn turn(&self, play: &Play) {
        self.submit(play, &self.angels, "1,1").await.unwrap();
        self.submit(play, &self.demons, "3,3").await.unwrap();
    }

    pub(crate) async fn events(&self, play: &Play) -> Vec<proto::Event> {
        let request = proto::ListEventsRequest {
            match_id: self.match_id.clone(),
            page_size: Some(500),
            ..Default::default()
        };
        play.list_events(&Caller::anonymous(), request).await.unwrap().events
    }
}

pub(crate) fn create(turns: u32) -> proto::CreateMatchRequest {
    let options =
        wire::games::angels_and_demons::v1::Options { rows: Some(4), cols: Some(4), turns: Some(turns) };
    proto::CreateMatchRequest {
        game: "angels-and-demons".to_owned(),
        options: Some(proto::GameOptions { game: Some(proto::game_options::Game::AngelsAndDemons(options)) }),
        ..Default::default()
    }
}

pub(crate) fn claim(match_id: &str, seat: proto::Seat) -> proto::ClaimSeatRequest {
    proto::ClaimSeatRequest {
        match_id: match_id.to_owned(),
        seat: seat.into(),
        player_name: "Ada".to_owned(),
        ..Default::default()
    }
}

pub(crate) fn submit(match_id: &str, notation: &str, request_id: Option<Uuid>) -> proto::SubmitMoveRequest {
    proto::SubmitMoveRequest {
        match_id: match_id.to_owned(),
        input: Some(proto::submit_move_request::Input::Notation(notation.to_owned())),
        request_id: request_id.map(|id| id.to_string()),
        expected_seq: None,
    }
}
