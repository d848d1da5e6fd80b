//! What the journal stores of a match beside its events: its row in the directory. The row is made here, and
//! shown here to callers.

mod shown;

use std::sync::Arc;

use journal::{MatchRow, MatchStatus, Registered, SeatRow, Visibility};
use replay::{MatchPhase, Position};
use rules::{BySeat, Seat};
use wire::v1 as proto;

use crate::access::{SeatToken, TokenHash};

pub(crate) use shown::{match_shown, summary};

/// What a match's row holds that its log does not.
#[derive(Clone)]
pub(crate) struct Registration {
    /// What was given when the match was created; it never changes.
    pub registered: Arc<Registered>,
    pub tokens: BySeat<SeatToken>,
}

impl Registration {
    pub(crate) fn of_row(row: &MatchRow) -> Self {
        let token =
            |seat: &SeatRow| SeatToken { hash: seat.token_hash.map(TokenHash), generation: seat.generation };
        Self {
            registered: Arc::new(row.registered.clone()),
            tokens: BySeat::new(token(&row.seats[0]), token(&row.seats[1])),
        }
    }

    /// Returns the match's row at a position.
    pub(crate) fn row(&self, position: &Position) -> MatchRow {
        let (created, started, ended) = position.times();
        let result = position.result();
        MatchRow {
            match_id: position.match_id(),
            registered: Registered::clone(&self.registered),
            game: position.game().as_str().to_owned(),
            status: match position.phase() {
                MatchPhase::Open => MatchStatus::Open,
                MatchPhase::Running(_) => MatchStatus::Running,
                MatchPhase::Over(_) => MatchStatus::Over,
            },
            visibility: match position.visibility() {
                proto::Visibility::Public => Visibility::Public,
                proto::Visibility::Unlisted => Visibility::Unlisted,
                // Treat an unknown visibility as the strictest.
                proto::Visibility::Private | proto::Visibility::Unspecified => Visibility::Private,
            },
            create_time: created,
            start_time: started,
            end_time: ended,
            seats: Seat::ALL.map(|seat| SeatRow {
                player_name: position.seating(seat).map(|seating| seating.player_name.clone()),
                token_hash: self.tokens[seat].hash.map(|hash| hash.0),
                generation: self.tokens[seat].generation,
            }),
            winner: result.as_ref().and_then(proto::MatchResult::winner).and_then(winner_number),
            reason: result.map(|result| result.reason),
            parent: position.parent().map(|parent| (parent.match_id, parent.seq)),
        }
    }
}

fn winner_number(winner: u32) -> Option<u8> {
    replay::seat_from_wire(winner).and_then(|seat| u8::try_from(seat.index()).ok())
}
