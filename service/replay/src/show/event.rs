//! Events as a viewer may see them.

use event::Seat;
use rules::{GameId, Move, Viewer};
use wire::log::v1 as log;
use wire::v1 as proto;

use crate::applied::DecodedPart;
use crate::convert::{self, id_to_wire, move_to_wire, seat_to_wire, timestamp_to_wire};
use crate::game_state::fact_for;
use crate::{AppliedEvent, ClockSettings, Entry, ProposalKind};

impl AppliedEvent {
    /// Returns the event as a viewer may see it.
    pub fn shown(&self, viewer: Viewer<Seat>) -> proto::Event {
        let effective = self.openness.effective(viewer);
        let facts = self.facts.iter().filter_map(|fact| fact_for(fact, effective));
        proto::Event {
            seq: self.event.seq.0,
            record_time: Some(timestamp_to_wire(self.event.record_time)),
            hash: self.event.hash.to_vec(),
            kind: Some(self.kind_shown(viewer)),
            facts: facts.map(|fact| convert::fact_to_wire(&fact)).collect(),
        }
    }

    /// Returns the clocks after the event, the same for every viewer; `None` if none run.
    pub fn clocks_shown(&self) -> Option<proto::Clocks> {
        self.clocks.as_ref().map(|clocks| clocks.shown(self.event.record_time))
    }

    fn kind_shown(&self, viewer: Viewer<Seat>) -> proto::event::Kind {
        use proto::event::Kind;
        match &self.entry {
            Entry::MatchCreated(created) => Kind::MatchCreated(self.created_shown(created)),
            Entry::MatchForked(forked) => Kind::MatchForked(self.forked_shown(forked)),
            Entry::SeatClaimed(claim) => Kind::SeatClaimed(proto::SeatClaimed {
                seat: claim.seat,
                player: self.claimed_name().map(proto::Player::named),
                entropy: claim.entropy.clone(),
            }),
            Entry::SeatTokenRotated(rotated) => Kind::SeatTokenRotated(proto::SeatTokenRotated {
                seat: rotated.seat,
                generation: rotated.generation,
            }),
            Entry::ProposalMade(made) => {
                Kind::ProposalMade(proto::ProposalMade { seat: made.seat, kind: proposed(made.kind).into() })
            }
            Entry::ProposalAnswered(answered) => Kind::ProposalAnswered(proto::ProposalAnswered {
                seat: answered.seat,
                kind: proposed(answered.kind).into(),
                accepted: answered.accepted,
                moves_taken_back: u32::try_from(self.moves_taken_back).unwrap_or(u32::MAX),
            }),
            Entry::MatchStarted(_) => Kind::MatchStarted(proto::MatchStarted {}),
            Entry::MoveMade(made) => Kind::MoveMade(proto::MoveMade {
                seat: made.seat,
                r#move: self.submitted().map(|(_, mv)| move_to_wire(mv)),
                notation: self.submitted().map(|(_, mv)| mv.print()).unwrap_or_default(),
            }),
            Entry::MoveSealed(choice) => Kind::MoveSealed(self.choice_shown(choice, viewer)),
            Entry::TurnRevealed(_) => Kind::TurnRevealed(proto::TurnRevealed { moves: self.turn_shown() }),
            Entry::MatchEnded(ended) => Kind::MatchEnded(proto::MatchEnded {
                result: ended.result.as_ref().map(convert::result_to_wire),
                seed_bytes: self.seed_shown(),
            }),
        }
    }

    fn created_shown(&self, created: &log::MatchCreated) -> proto::MatchCreated {
        let terms = created.terms.clone().unwrap_or_default();
        proto::MatchCreated {
            options: options_shown(&terms),
            rules_version: terms.rules_version,
            visibility: convert::visibility_to_wire(terms.visibility()).into(),
            seed_commitment: self.commitment_shown(),
            time_control: time_control_shown(&terms),
            forbid_takebacks: terms.forbid_takebacks,
            game_id: terms.game_id,
            rematch_of: created.rematch_of.as_deref().and_then(id_to_wire),
        }
    }

    fn forked_shown(&self, forked: &log::MatchForked) -> proto::MatchForked {
        let parent = id_to_wire(&forked.parent_match_id);
        let terms = forked.terms.clone().unwrap_or_default();
        let game = GameId::parse(&terms.game_id);
        proto::MatchForked {
            options: options_shown(&terms),
            rules_version: terms.rules_version,
            visibility: convert::visibility_to_wire(terms.visibility()).into(),
            seed_commitment: self.commitment_shown(),
            time_control: time_control_shown(&terms),
            forbid_takebacks: terms.forbid_takebacks,
            forked_from: parent.map(|match_id| proto::ForkedFrom { match_id, seq: forked.parent_seq }),
            parent_hash: forked.parent_hash.clone(),
            moves: forked.moves.iter().map(|mv| forked_move_shown(game, mv)).collect(),
            open_information: game.is_some_and(|game| game.info().secrets),
            game_id: terms.game_id,
        }
    }

    /// Shows a sealed choice to its own seat only. Everybody else sees it in `TurnRevealed`, or never (AD-5).
    fn choice_shown(&self, choice: &log::MoveSealed, viewer: Viewer<Seat>) -> proto::MoveSealed {
        let own = match &self.opened {
            DecodedPart::Choice(seat, mv) if viewer == Viewer::Seat(*seat) => Some(mv),
            _ => None,
        };
        proto::MoveSealed {
            seat: choice.seat,
            r#move: own.map(move_to_wire),
            notation: own.map(Move::print).unwrap_or_default(),
            commitment: self.commitment_shown(),
        }
    }

    fn turn_shown(&self) -> Vec<proto::RevealedMove> {
        let DecodedPart::Turn(moves) = &self.opened else { return Vec::new() };
        let shown = moves.iter().map(|(seat, mv)| proto::RevealedMove {
            seat: Some(seat_to_wire(*seat)),
            r#move: Some(move_to_wire(mv)),
            notation: mv.print(),
        });
        shown.collect()
    }

    fn seed_shown(&self) -> Vec<u8> {
        match &self.opened {
            DecodedPart::SeedBytes(bytes) => bytes.clone(),
            _ => Vec::new(),
        }
    }

    fn commitment_shown(&self) -> Vec<u8> {
        self.event.commitment().map(|commitment| commitment.to_vec()).unwrap_or_default()
    }
}

fn forked_move_shown(game: Option<GameId>, forked: &log::ForkedMove) -> proto::RevealedMove {
    let mv = game.and_then(|game| convert::move_from_log(game, &forked.r#move));
    proto::RevealedMove {
        seat: forked.seat,
        notation: mv.as_ref().map(Move::print).unwrap_or_default(),
        r#move: mv.as_ref().map(move_to_wire),
    }
}

fn proposed(kind: i32) -> proto::ProposalKind {
    ProposalKind::from_log(kind).map_or(proto::ProposalKind::Unspecified, ProposalKind::to_wire)
}

fn options_shown(terms: &log::MatchTerms) -> Option<proto::GameOptions> {
    let options = convert::options_from_log(GameId::parse(&terms.game_id)?, &terms.options)?;
    Some(convert::options_to_wire(&options))
}

fn time_control_shown(terms: &log::MatchTerms) -> Option<proto::TimeControl> {
    let settings = ClockSettings::from_log(terms.time_control.as_ref()?)?;
    Some(settings.control.to_wire())
}
