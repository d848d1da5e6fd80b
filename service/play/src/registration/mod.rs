//! What the journal stores of a match beside its events: its row in the directory. The row is made here, and
//! shown here to callers.

mod shown;

use std::sync::Arc;

use event::{BySeat, Seat};
use journal::{MatchRow, MatchStatus, PlayerRow, Registered, SeatRow, Visibility};
use replay::{MatchPhase, Position, Seating};
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
        let token = |seat: Seat| match row.seats.get(seat.index()) {
            Some(Some(claimed)) => {
                SeatToken { hash: Some(TokenHash(claimed.token_hash)), generation: claimed.generation }
            }
            Some(None) | None => SeatToken::default(),
        };
        Self { registered: Arc::new(row.registered.clone()), tokens: BySeat::from_fn(row.seats.len(), token) }
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
            seats: position.seats().map(|seat| self.seat_row(position, seat)).collect(),
            winner: result.as_ref().and_then(proto::MatchResult::winner).and_then(winner_number),
            reason: result.map(|result| result.reason),
            parent: position.parent().map(|parent| (parent.match_id, parent.seq)),
        }
    }

    fn seat_row(&self, position: &Position, seat: Seat) -> Option<SeatRow> {
        let SeatToken { hash, generation } = self.tokens[seat];
        let player =
            |seating: &Seating| PlayerRow { display_name: seating.player_name.clone(), player_id: None };
        hash.map(|hash| SeatRow {
            token_hash: hash.0,
            generation,
            player: position.seating(seat).map(player),
        })
    }
}

fn winner_number(winner: u32) -> Option<u8> {
    replay::seat_from_wire(winner).map(Seat::number)
}
