//! What the journal keeps of a match beside its log: its line in the directory.

use journal::{MatchRow, MatchStatus, SeatRow, Visibility};
use replay::{Phase, Position};
use rules::{BySeat, GameId, Seat};
use wire::v1 as proto;

/// What the directory has beside what the log tells.
#[derive(Clone)]
pub(crate) struct Registration {
    /// The key that created the match; empty while the service knows no keys.
    pub owner: String,
    pub create_request_hash: Option<[u8; 32]>,
    pub tokens: BySeat<IssuedToken>,
}

/// The newest token of a seat.
#[derive(Clone, Copy, Default)]
pub(crate) struct IssuedToken {
    pub hash: Option<[u8; 32]>,
    pub generation: u32,
}

impl Registration {
    pub(crate) fn of_row(row: &MatchRow) -> Self {
        let issued = |seat: &SeatRow| IssuedToken { hash: seat.token_hash, generation: seat.generation };
        Self {
            owner: row.owner.clone(),
            create_request_hash: row.create_request_hash,
            tokens: BySeat::new(issued(&row.seats[0]), issued(&row.seats[1])),
        }
    }

    /// The match's line in the directory.
    pub(crate) fn row(&self, position: &Position) -> MatchRow {
        let (created, started, ended) = position.times();
        let result = position.result();
        MatchRow {
            match_id: position.match_id(),
            owner: self.owner.clone(),
            create_request_hash: self.create_request_hash,
            game: position.game().as_str().to_owned(),
            status: match position.phase() {
                Phase::Open => MatchStatus::Open,
                Phase::Running(_) => MatchStatus::Running,
                Phase::Over(_) => MatchStatus::Over,
            },
            visibility: visibility_to_journal(position.visibility()),
            created_time: created,
            started_time: started,
            ended_time: ended,
            seats: Seat::ALL.map(|seat| SeatRow {
                player_name: position.sitting(seat).map(|sitting| sitting.player_name.clone()),
                token_hash: self.tokens[seat].hash,
                generation: self.tokens[seat].generation,
            }),
            winner: result.and_then(|result| result.winner).and_then(winner_number),
            reason: result.map(|result| result.reason.clone()),
            parent: position.parent().map(|parent| (parent.match_id, parent.seq)),
        }
    }
}

fn visibility_to_journal(visibility: proto::Visibility) -> Visibility {
    match visibility {
        proto::Visibility::Public => Visibility::Public,
        proto::Visibility::Unlisted => Visibility::Unlisted,
        // What is not known to be open stays shut.
        proto::Visibility::Private | proto::Visibility::Unspecified => Visibility::Private,
    }
}

/// A line of the directory as it is listed: without owner, hashes and tokens.
pub(crate) fn summary(row: &MatchRow) -> proto::MatchSummary {
    let info = GameId::parse(&row.game).map(GameId::info);
    let seats = Seat::ALL.into_iter().zip(&row.seats).map(|(seat, line)| proto::SeatStatus {
        seat: replay::seat_to_wire(seat).into(),
        title: info.map_or("", |info| info.seat_names[seat]).to_owned(),
        claimed: line.player_name.is_some(),
        player_name: line.player_name.clone().unwrap_or_default(),
    });
    let time = replay::timestamp_to_wire;
    proto::MatchSummary {
        match_id: row.match_id.0.to_string(),
        game: row.game.clone(),
        status: status_to_wire(row.status).into(),
        visibility: visibility_to_wire(row.visibility).into(),
        seats: seats.collect(),
        created_time: Some(time(row.created_time)),
        started_time: row.started_time.map(time),
        ended_time: row.ended_time.map(time),
        result: row
            .reason
            .clone()
            .map(|reason| proto::Result { winner: row.winner.map(winner_to_wire), reason }),
        forked_from: row
            .parent
            .map(|(parent, seq)| proto::ForkedFrom { match_id: parent.0.to_string(), seq: seq.0 }),
    }
}

fn status_to_wire(status: MatchStatus) -> proto::MatchStatus {
    match status {
        MatchStatus::Open => proto::MatchStatus::Open,
        MatchStatus::Running => proto::MatchStatus::Running,
        MatchStatus::Over => proto::MatchStatus::Over,
    }
}

fn visibility_to_wire(visibility: Visibility) -> proto::Visibility {
    match visibility {
        Visibility::Public => proto::Visibility::Public,
        Visibility::Unlisted => proto::Visibility::Unlisted,
        Visibility::Private => proto::Visibility::Private,
    }
}

fn winner_to_wire(winner: u8) -> i32 {
    let seat = if winner == 0 { Seat::Zero } else { Seat::One };
    replay::seat_to_wire(seat).into()
}

fn winner_number(winner: i32) -> Option<u8> {
    replay::seat_from_wire(winner).and_then(|seat| u8::try_from(seat.index()).ok())
}
