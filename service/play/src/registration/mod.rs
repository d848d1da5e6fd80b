//! What the journal stores of a match beside its events: its row in the directory. The row is made here, and
//! shown here to callers.

mod audience;
mod shown;

use std::sync::Arc;

use event::{BySeat, MatchId, Part as _, RedactedEvent, SealedPart, Seat};
use journal::{MatchOutcome, MatchRow, MatchStatus, PlayerRow, Registered, SeatRow, Visibility};
use replay::{Entry, MatchPhase, Position};
use rules::Viewer;
use wire::v1 as proto;

use crate::access::{SeatToken, TokenHash};
use crate::requests::RequestHash;

pub(crate) use audience::Audience;
pub(crate) use shown::{add_notes, summary, summary_with_notes};

/// The players of a match's seats, unless erased.
pub(crate) type Players = BySeat<Option<PlayerRow>>;

/// What a match's row holds that its log does not.
#[derive(Clone)]
pub(crate) struct Registration {
    /// What was given when the match was created; it never changes.
    pub registered: Arc<Registered>,
    pub tokens: BySeat<SeatToken>,
    /// Not part of a position: a player can be erased at any time.
    pub players: Arc<Players>,
}

impl Registration {
    pub(crate) fn of_row(row: &MatchRow) -> Self {
        let token = |seat: Seat| match row.seats.get(seat.index()) {
            Some(Some(claimed)) => {
                SeatToken { hash: Some(TokenHash(claimed.token_hash)), generation: claimed.generation }
            }
            Some(None) | None => SeatToken::default(),
        };
        Self {
            registered: Arc::new(row.registered.clone()),
            tokens: BySeat::from_fn(row.seats.len(), token),
            players: Arc::new(BySeat::from_fn(row.seats.len(), |seat| player(row, seat))),
        }
    }

    /// Returns what is registered of a new match with unclaimed seats.
    pub(crate) fn new(registered: Registered, seat_count: usize) -> Self {
        Self {
            registered: Arc::new(registered),
            tokens: BySeat::from_fn(seat_count, |_| SeatToken::default()),
            players: Arc::new(BySeat::from_fn(seat_count, |_| None)),
        }
    }

    /// Returns whether the match is the rematch of this one.
    pub(crate) fn is_rematch_of(&self, before: MatchId) -> bool {
        self.registered.create_request_hash == Some(RequestHash::of_rematch(before).0)
    }

    /// Returns the player of a seat, unless the seat is unclaimed or the player was erased.
    pub(crate) fn player(&self, seat: Seat) -> Option<&PlayerRow> {
        self.players.get(seat)?.as_ref()
    }

    /// Sets the player of a seat.
    pub(crate) fn set_player(&mut self, seat: Seat, player: Option<PlayerRow>) {
        if let Some(known) = Arc::make_mut(&mut self.players).get_mut(seat) {
            *known = player;
        }
    }

    /// Removes players whose names are not those that their claims commit to: somebody changed the directory
    /// behind the service's back.
    pub(crate) fn remove_forged_players(&mut self, position: &Position) {
        for seat in position.seats() {
            let Some(player) = self.player(seat) else { continue };
            let sealed = replay::seal_player(&player.display_name, player.salt);
            if position.player_commitment(seat).is_some_and(|commitment| commitment != sealed.commitment()) {
                tracing::error!(
                    match.id = %position.match_id(),
                    seat = seat.index(),
                    "the player in the directory is not the one that the log commits to; not shown"
                );
                self.set_player(seat, None);
            }
        }
    }

    /// Copies an event of the match's log. A claim's sealed part is open if the player was not erased.
    pub(crate) fn with_player(&self, event: &RedactedEvent) -> RedactedEvent {
        let entry = replay::decode_entry(event.kind, event.public.clone());
        let seat = match entry {
            Ok(Entry::SeatClaimed(claim)) => claim.seat.and_then(replay::seat_from_wire),
            _ => None,
        };
        let player = seat.and_then(|seat| self.player(seat));
        let sealed = player.map(|player| replay::seal_player(&player.display_name, player.salt));
        event.map_sealed(|part| match &sealed {
            Some(sealed) if sealed.commitment() == part.commitment() => SealedPart::Open(sealed.clone()),
            Some(_) | None => part.clone(),
        })
    }

    /// Returns the audience that sees a match as this viewer.
    pub(crate) fn audience(&self, viewer: Viewer<Seat>) -> Audience {
        Audience::new(viewer, &self.players)
    }

    /// Returns the match at a position as its owner, auditors and admins may see it.
    pub(crate) fn match_shown_to_owner(&self, position: &Position) -> proto::Match {
        let mut shown = self.match_shown(position);
        shown::add_player_ids(&mut shown, &self.players);
        shown
    }

    /// Returns the match at a position as everyone may see it.
    pub(crate) fn match_shown(&self, position: &Position) -> proto::Match {
        let mut shown = shown::match_shown(&self.registered, position);
        self.audience(Viewer::Spectator).name(&mut shown.seats);
        shown
    }

    /// Returns the match's row at a position.
    pub(crate) fn row(&self, position: &Position) -> MatchRow {
        let (created, started, ended) = position.times();
        let result = position.result();
        let standings = result.iter().flat_map(|result| &result.standings);
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
            seats: position.seats().map(|seat| self.seat_row(seat)).collect(),
            outcome: result.as_ref().and_then(|result| outcome(result.outcome())),
            ranks: standings.map(|standing| u8::try_from(standing.rank).unwrap_or(u8::MAX)).collect(),
            reason: result.map(|result| result.reason),
            parent: position.parent().map(|parent| (parent.match_id, parent.seq)),
        }
    }

    fn seat_row(&self, seat: Seat) -> Option<SeatRow> {
        let SeatToken { hash, generation } = self.tokens[seat];
        hash.map(|hash| SeatRow { token_hash: hash.0, generation, player: self.player(seat).cloned() })
    }
}

fn player(row: &MatchRow, seat: Seat) -> Option<PlayerRow> {
    row.seats.get(seat.index())?.as_ref()?.player.clone()
}

fn outcome(outcome: proto::Outcome) -> Option<MatchOutcome> {
    match outcome {
        proto::Outcome::Win => Some(MatchOutcome::Win),
        proto::Outcome::Draw => Some(MatchOutcome::Draw),
        proto::Outcome::None => Some(MatchOutcome::None),
        proto::Outcome::Unspecified => None,
    }
}
