//! The one exit door: events and positions as a viewer may see them. Shown
//! messages are built field by field; a new secret stays inside until it is named
//! here.

mod feed;
mod log_file;

use event::Part as _;
use rules::{GameId, Move, Seat, Seats, Viewer};
use wire::log::v1 as log;
use wire::v1 as proto;

pub use feed::{feed_frame, log_event_to_wire};

use crate::convert::{move_to_wire, seat_to_wire, timestamp_to_wire, viewer_to_wire};
use crate::fork::read_id;
use crate::told::{Opened, Openness};
use crate::{Entry, Phase, Position, Told, convert};

impl Told {
    /// The event as a viewer may see it.
    pub fn shown(&self, viewer: Viewer) -> proto::Event {
        let eyes = self.openness.eyes(viewer);
        let facts = self.facts.iter().filter_map(|fact| fact.redacted_for(eyes));
        proto::Event {
            seq: self.seq.0,
            recorded_time: Some(timestamp_to_wire(self.recorded_time)),
            hash: Some(digest_to_wire(&self.hash)),
            kind: Some(self.kind_shown(viewer)),
            facts: facts.map(|fact| convert::fact_to_wire(&fact)).collect(),
        }
    }

    fn kind_shown(&self, viewer: Viewer) -> proto::event::Kind {
        use proto::event::Kind;
        match &self.entry {
            Entry::MatchCreated(created) => Kind::MatchCreated(proto::MatchCreated {
                game: created.game.clone(),
                rules_version: created.rules_version,
                options: created.options.clone(),
                visibility: created.visibility,
                seed_commitment: self.commitment_shown(),
                time_control: created.time_control,
                rematch_of: created.rematch_of.as_deref().and_then(id_to_wire),
            }),
            Entry::MatchForked(forked) => Kind::MatchForked(forked_shown(forked, self)),
            Entry::SeatClaimed(claim) => Kind::SeatClaimed(proto::SeatClaimed {
                seat: claim.seat,
                player_name: self.claimed_name().unwrap_or_default().to_owned(),
                entropy: claim.entropy.clone(),
            }),
            Entry::SeatTokenRotated(rotated) => Kind::SeatTokenRotated(proto::SeatTokenRotated {
                seat: rotated.seat,
                generation: rotated.generation,
            }),
            Entry::DrawOffered(offered) => Kind::DrawOffered(proto::DrawOffered { seat: offered.seat }),
            Entry::DrawDeclined(declined) => Kind::DrawDeclined(proto::DrawDeclined { seat: declined.seat }),
            Entry::MatchStarted(_) => Kind::MatchStarted(proto::MatchStarted {}),
            Entry::MoveMade(made) => Kind::MoveMade(proto::MoveMade {
                seat: made.seat,
                r#move: made.r#move.clone(),
                notation: self.submitted().map(|(_, made)| made.print()).unwrap_or_default(),
            }),
            Entry::MoveSealed(choice) => {
                let own = self.choice_shown(viewer);
                Kind::MoveSealed(proto::MoveSealed {
                    seat: choice.seat,
                    r#move: own.map(move_to_wire),
                    notation: own.map(Move::print).unwrap_or_default(),
                    commitment: self.commitment_shown(),
                })
            }
            Entry::TurnRevealed(_) => Kind::TurnRevealed(proto::TurnRevealed { moves: self.turn_shown() }),
            Entry::MatchEnded(ended) => Kind::MatchEnded(proto::MatchEnded {
                result: ended.result.clone(),
                seed_bytes: self.seed_shown(),
            }),
        }
    }

    /// A sealed choice is for the seat that made it, and for nobody else ever:
    /// once the turn resolves, TurnRevealed shows it to all (AD-5).
    fn choice_shown(&self, viewer: Viewer) -> Option<&Move> {
        match &self.opened {
            Opened::Choice(seat, made) if viewer == Viewer::Seat(*seat) => Some(made),
            _ => None,
        }
    }

    fn turn_shown(&self) -> Vec<proto::RevealedMove> {
        let Opened::Turn(moves) = &self.opened else { return Vec::new() };
        let shown = moves.iter().map(|(seat, made)| proto::RevealedMove {
            seat: seat_to_wire(*seat).into(),
            r#move: Some(move_to_wire(made)),
            notation: made.print(),
        });
        shown.collect()
    }

    fn seed_shown(&self) -> Vec<u8> {
        match &self.opened {
            Opened::SeedBytes(bytes) => bytes.clone(),
            _ => Vec::new(),
        }
    }

    fn commitment_shown(&self) -> Option<proto::Digest> {
        self.commitment.as_ref().map(digest_to_wire)
    }
}

impl Position {
    /// The position as a viewer may see it.
    pub fn shown(&self, viewer: Viewer) -> proto::View {
        let state = match &self.phase {
            Phase::Open => None,
            Phase::Running(playing) => Some(&playing.state),
            Phase::Over(finished) => finished.state.as_ref(),
        };
        proto::View {
            match_id: self.match_id.to_string(),
            seq: self.seq.0,
            status: self.status_shown().into(),
            viewer: viewer_to_wire(viewer).into(),
            seats: self.seats_shown(),
            to_act: seats_to_wire(self.to_act()),
            sealed: seats_to_wire(self.sealed()),
            game: state.map(|state| convert::view_to_wire(&state.view(Openness::of(self).eyes(viewer)))),
            result: self.result().cloned(),
            clocks: self.clocks_shown(),
            draw_offered_by: self.draw_offered_by().map(|seat| seat_to_wire(seat).into()),
            forked_from: self.forked_from_shown(),
            open_information: self.has_open_information(),
        }
    }

    /// The match without its position; the same for everybody who may know of it.
    pub fn match_shown(&self) -> proto::Match {
        let (created, started, ended) = self.times();
        proto::Match {
            match_id: self.match_id.to_string(),
            game: self.game().as_str().to_owned(),
            rules_version: self.created.rules_version,
            options: Some(convert::options_to_wire(&self.created.options)),
            status: self.status_shown().into(),
            visibility: self.created.visibility,
            seats: self.seats_shown(),
            created_time: Some(timestamp_to_wire(created)),
            started_time: started.map(timestamp_to_wire),
            ended_time: ended.map(timestamp_to_wire),
            head_seq: self.seq.0,
            head_hash: Some(digest_to_wire(&self.head_hash)),
            seed_commitment: Some(digest_to_wire(&self.created.seed.commitment())),
            result: self.result().cloned(),
            time_control: self.timing().map(|timing| timing.control.to_wire()),
            forked_from: self.forked_from_shown(),
            rematch_of: self.rematch_of().map(|id| id.to_string()),
            open_information: self.has_open_information(),
        }
    }

    fn clocks_shown(&self) -> Option<proto::Clocks> {
        let clocks = self.playing_now()?.clocks.as_ref()?;
        let shown = Seat::ALL.into_iter().map(|seat| {
            let (left, due) = clocks.of(seat, self.recorded_time);
            proto::SeatClock {
                seat: seat_to_wire(seat).into(),
                remaining_ms: u32::try_from(left / 1_000).unwrap_or(u32::MAX),
                due_time: due.map(timestamp_to_wire),
            }
        });
        Some(proto::Clocks { seats: shown.collect() })
    }

    fn forked_from_shown(&self) -> Option<proto::ForkedFrom> {
        let parent = self.parent()?;
        Some(proto::ForkedFrom { match_id: parent.match_id.to_string(), seq: parent.seq.0 })
    }

    fn status_shown(&self) -> proto::MatchStatus {
        match self.phase {
            Phase::Open => proto::MatchStatus::Open,
            Phase::Running(_) => proto::MatchStatus::Running,
            Phase::Over(_) => proto::MatchStatus::Over,
        }
    }

    fn seats_shown(&self) -> Vec<proto::SeatStatus> {
        let titles = &self.game().info().seat_names;
        let shown = Seat::ALL.into_iter().map(|seat| {
            let sitting = self.sitting(seat);
            proto::SeatStatus {
                seat: seat_to_wire(seat).into(),
                title: titles[seat].to_owned(),
                claimed: sitting.is_some(),
                player_name: sitting.map(|sitting| sitting.player_name.clone()).unwrap_or_default(),
            }
        });
        shown.collect()
    }
}

fn forked_shown(forked: &log::MatchForked, told: &Told) -> proto::MatchForked {
    let moves = forked.moves.iter().map(|each| {
        let made = each.r#move.as_ref().and_then(|made| convert::move_from_wire(made).ok());
        proto::RevealedMove {
            seat: each.seat,
            r#move: each.r#move.clone(),
            notation: made.map(|made| made.print()).unwrap_or_default(),
        }
    });
    let parent = id_to_wire(&forked.parent_match_id);
    proto::MatchForked {
        game: forked.game.clone(),
        rules_version: forked.rules_version,
        options: forked.options.clone(),
        visibility: forked.visibility,
        seed_commitment: told.commitment_shown(),
        time_control: forked.time_control,
        forked_from: parent.map(|match_id| proto::ForkedFrom { match_id, seq: forked.parent_seq }),
        parent_hash: Some(proto::Digest { value: forked.parent_hash.clone() }),
        moves: moves.collect(),
        open_information: GameId::parse(&forked.game).is_some_and(|game| game.info().secrets),
    }
}

fn id_to_wire(bytes: &[u8]) -> Option<String> {
    read_id(bytes).ok().map(|id| id.to_string())
}

fn seats_to_wire(seats: Seats) -> Vec<i32> {
    seats.iter().map(|seat| seat_to_wire(seat).into()).collect()
}

fn digest_to_wire(digest: &[u8; 32]) -> proto::Digest {
    proto::Digest { value: digest.to_vec() }
}
