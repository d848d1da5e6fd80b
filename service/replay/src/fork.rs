//! Forks: what a match needs to go on from another one's position, and to stand alone then.

use event::{ChainHash, MatchId, Seq};
use rules::{GameId, Move, Options, Seat, Seats, Seed, State};
use uuid::Uuid;
use wire::log::v1 as log;

use crate::told::Opened;
use crate::{Fault, Position, Told, convert};

/// The position that a match goes on from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parent {
    /// The parent match.
    pub match_id: MatchId,
    /// The event after which it goes on.
    pub seq: Seq,
    /// That event's hash.
    pub hash: ChainHash,
}

/// Where a fork comes from, and the state that it begins with.
pub(crate) struct Lineage {
    pub parent: Parent,
    pub setup_seed: [u8; 32],
    pub moves: Vec<(Seat, Move)>,
    pub state: State,
}

/// The moves that led to a position, gathered event by event from a match's first one.
#[derive(Clone, Default)]
pub struct Moves(Vec<(Seat, Move)>);

impl Moves {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The first `count` of them.
    #[must_use]
    pub fn up_to(mut self, count: usize) -> Self {
        self.0.truncate(count);
        self
    }

    /// Takes what an event adds. A choice counts once its turn is revealed.
    pub fn gather(&mut self, position: &Position, told: &Told) {
        match &told.opened {
            // Of a fork: the moves that it began with.
            Opened::Nothing if told.seq == Seq::FIRST => {
                self.0 = position
                    .created
                    .lineage
                    .as_ref()
                    .map(|lineage| lineage.moves.clone())
                    .unwrap_or_default();
            }
            Opened::Made(_) => self.0.extend(told.submitted().map(|(seat, made)| (seat, made.clone()))),
            Opened::Turn(moves) => self.0.extend(moves.iter().cloned()),
            Opened::Nothing | Opened::PlayerName(_) | Opened::Choice(..) | Opened::SeedBytes(_) => {}
        }
    }
}

/// What a fork is made of, beside what is fresh in it.
pub struct ForkedPosition {
    pub(crate) game: GameId,
    pub(crate) rules_version: u32,
    pub(crate) options: Options,
    pub(crate) parent: Parent,
    pub(crate) setup_seed: [u8; 32],
    pub(crate) moves: Vec<(Seat, Move)>,
}

impl Position {
    /// Whether a match can go on from here: it is in play, and no choice waits.
    pub fn is_forkable(&self) -> bool {
        self.playing_now().is_some_and(|playing| playing.state.ending().is_none()) && self.sealed().is_empty()
    }

    /// What is needed to go on from this position elsewhere; none if it is not in play, or a choice waits in it.
    /// `moves` are those that led here.
    pub fn forked(&self, moves: Moves) -> Option<ForkedPosition> {
        let playing = self.playing_now().filter(|_| self.is_forkable())?;
        Some(ForkedPosition {
            game: self.game(),
            rules_version: self.created.rules_version,
            options: self.created.options.clone(),
            parent: Parent { match_id: self.match_id, seq: self.seq, hash: self.head_hash },
            setup_seed: playing.setup_seed,
            moves: moves.0,
        })
    }
}

impl ForkedPosition {
    /// The seed as the log tells it: where it does not matter for the game it stays shut, since the parent's digests
    /// are keyed with it.
    pub(crate) fn seed_to_log(&self) -> Vec<u8> {
        if self.game.info().chance { self.setup_seed.to_vec() } else { Vec::new() }
    }

    pub(crate) fn moves_to_log(&self) -> Vec<log::ForkedMove> {
        let told = self.moves.iter().map(|(seat, made)| log::ForkedMove {
            seat: convert::seat_to_wire(*seat).into(),
            r#move: Some(convert::move_to_wire(made)),
        });
        told.collect()
    }
}

impl Lineage {
    /// Replays what a fork began with.
    pub(crate) fn replay(forked: &log::MatchForked, game: GameId, options: &Options) -> Result<Self, Fault> {
        let setup_seed = match (game.info().chance, forked.setup_seed.as_slice()) {
            (true, seed) => seed.try_into().map_err(|_| Fault::Undecodable)?,
            (false, []) => [0; 32],
            (false, _) => return Err(Fault::Undecodable),
        };
        let parent = Parent {
            match_id: read_id(&forked.parent_match_id)?,
            seq: Seq(forked.parent_seq),
            hash: forked.parent_hash.as_slice().try_into().map_err(|_| Fault::Undecodable)?,
        };
        let moves = forked.moves.iter().map(read_move).collect::<Result<Vec<_>, _>>()?;
        let opening = State::setup(options, &Seed::new(setup_seed));
        let mut state = opening.map_err(|bad| Fault::Refused(bad.illegal.paragraph))?;
        for (seat, made) in &moves {
            state = state.play(*seat, made).map_err(|illegal| Fault::Refused(illegal.paragraph))?.state;
            if let Some(revealed) = state.reveal() {
                state = revealed.state;
            }
        }
        let whole_turns = !game.info().simultaneous || state.to_act() == Seats::BOTH;
        if !whole_turns || state.ending().is_some() {
            return Err(Fault::OutOfPlace);
        }
        Ok(Self { parent, setup_seed, moves, state })
    }
}

/// Reads a match id as the log has it.
pub(crate) fn read_id(bytes: &[u8]) -> Result<MatchId, Fault> {
    Uuid::from_slice(bytes).map(MatchId).map_err(|_| Fault::Undecodable)
}

fn read_move(forked: &log::ForkedMove) -> Result<(Seat, Move), Fault> {
    let seat = convert::seat_from_wire(forked.seat).ok_or(Fault::Undecodable)?;
    let made = forked.r#move.as_ref().and_then(|made| convert::move_from_wire(made).ok());
    Ok((seat, made.ok_or(Fault::Undecodable)?))
}
