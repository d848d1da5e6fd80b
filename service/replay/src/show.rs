//! The one exit door: events and positions as a viewer may see them. Shown
//! messages are built field by field; a new secret stays inside until it is named
//! here.

use rules::{Move, Seat, Seats, Viewer};
use wire::v1 as proto;

use crate::{
    Entry, Phase, Position, Told, convert,
    convert::{move_to_wire, seat_to_wire, timestamp_to_wire, viewer_to_wire},
    told::Opened,
};

impl Told {
    /// The event as a viewer may see it.
    pub fn shown(&self, viewer: Viewer) -> proto::Event {
        let facts = self.facts.iter().filter_map(|fact| fact.seen_by(viewer));
        proto::Event {
            seq: self.seq,
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
            }),
            Entry::SeatClaimed(claim) => Kind::SeatClaimed(proto::SeatClaimed {
                seat: claim.seat,
                player_name: self.claimed_name().unwrap_or_default().to_owned(),
                entropy: claim.entropy.clone(),
            }),
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
            seq: self.seq,
            status: self.status_shown().into(),
            viewer: viewer_to_wire(viewer).into(),
            seats: self.seats_shown(),
            to_act: seats_to_wire(self.to_act()),
            sealed: seats_to_wire(self.sealed()),
            game: state.map(|state| convert::view_to_wire(&state.view(viewer))),
            result: self.result().cloned(),
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
            head_seq: self.seq,
            head_hash: Some(digest_to_wire(&self.head_hash)),
            seed_commitment: Some(digest_to_wire(&self.created.seed.commitment())),
            result: self.result().cloned(),
        }
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

fn seats_to_wire(seats: Seats) -> Vec<i32> {
    seats.iter().map(|seat| seat_to_wire(seat).into()).collect()
}

fn digest_to_wire(digest: &[u8; 32]) -> proto::Digest {
    proto::Digest { value: digest.to_vec() }
}
