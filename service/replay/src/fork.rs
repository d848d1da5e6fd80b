//! Forks: what a match needs to continue from another match's position and be self-contained from then on.

use event::{ChainHash, MatchId, Seat, Seq};
use rules::{GameId, Move, Options, Rules, Seed};
use wire::log::v1 as log;

use crate::applied::DecodedPart;
use crate::{AppliedEvent, Fault, GameState, GivenTerms, Position, convert};

/// The position that a match continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parent {
    /// The parent match.
    pub match_id: MatchId,
    /// Number of the event after which the fork continues.
    pub seq: Seq,
    /// Hash of that event.
    pub hash: ChainHash,
}

/// The parent of a fork, and the state that the fork starts with.
pub(crate) struct ForkOrigin {
    pub parent: Parent,
    pub setup_seed: [u8; 32],
    pub moves: Vec<(Seat, Move)>,
    pub state: GameState,
}

/// The moves that led to a position, collected event by event from a match's first one.
#[derive(Clone, Default)]
pub struct MoveHistory(Vec<(Seat, Move)>);

impl MoveHistory {
    /// Returns the number of moves.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns the first `count` moves.
    #[must_use]
    pub fn up_to(mut self, count: usize) -> Self {
        self.0.truncate(count);
        self
    }

    /// Adds the moves of an event, or removes those that it takes back. A choice counts once its turn is
    /// revealed.
    pub fn record(&mut self, position: &Position, applied: &AppliedEvent) {
        match &applied.opened {
            DecodedPart::Move(_) => {
                self.0.extend(applied.submitted().map(|(seat, mv)| (seat, mv.clone())));
            }
            DecodedPart::Turn(moves) => self.0.extend(moves.iter().cloned()),
            // A fork's history starts with its parent's moves.
            _ if applied.seq() == Seq::FIRST => {
                let origin = position.created.fork_origin.as_ref();
                self.0 = origin.map(|origin| origin.moves.clone()).unwrap_or_default();
            }
            _ => self.0.truncate(self.0.len().saturating_sub(applied.moves_taken_back)),
        }
    }
}

/// What a fork takes over from its parent.
pub struct ForkedPosition {
    pub(crate) game: GameId,
    pub(crate) rules_version: u32,
    pub(crate) options: Options,
    pub(crate) seats: usize,
    pub(crate) given: GivenTerms,
    pub(crate) parent: Parent,
    pub(crate) setup_seed: [u8; 32],
    pub(crate) moves: Vec<(Seat, Move)>,
}

impl Position {
    /// Returns whether a match can continue from here: play is on and no choice waits for its turn's reveal.
    pub fn is_forkable(&self) -> bool {
        self.playing_now().is_some_and(|playing| playing.state.ending().is_none()) && self.sealed().is_empty()
    }

    /// Returns what a fork needs to continue from this position, or `None` if it is not forkable. `moves` are
    /// those that led here.
    pub fn forked(&self, moves: MoveHistory) -> Option<ForkedPosition> {
        let playing = self.playing_now().filter(|_| self.is_forkable())?;
        Some(ForkedPosition {
            game: self.game(),
            rules_version: self.rules_version(),
            options: self.created.options.clone(),
            seats: self.seats.len(),
            given: self.created.given.clone(),
            parent: Parent { match_id: self.match_id, seq: self.seq, hash: self.head_hash },
            setup_seed: playing.setup_seed,
            moves: moves.0,
        })
    }
}

impl ForkedPosition {
    /// Names the first thing in which the first event of a fork differs from this position.
    pub fn difference(&self, forked: &log::MatchForked) -> Option<&'static str> {
        let terms = forked.terms.as_ref();
        let same = [
            ("seats", terms.is_some_and(|terms| usize::try_from(terms.seats) == Ok(self.seats))),
            ("rules", terms.is_some_and(|terms| self.has_rules_of(terms))),
            ("options", terms.is_some_and(|terms| terms.options == convert::options_to_log(&self.options))),
            ("terms", terms.is_some_and(|terms| GivenTerms::from_log(terms) == self.given)),
            ("cards", forked.setup_seed == self.seed_to_log()),
            ("moves", forked.moves == self.moves_to_log()),
        ];
        same.into_iter().find(|(_, same)| !same).map(|(what, _)| what)
    }

    fn has_rules_of(&self, terms: &log::MatchTerms) -> bool {
        terms.game_id == self.game.as_str() && terms.rules_version == self.rules_version
    }

    /// Returns the seed as the log stores it. A game without chance leaves it out, because it keys the
    /// parent's digests.
    pub(crate) fn seed_to_log(&self) -> Vec<u8> {
        if self.game.info().chance { self.setup_seed.to_vec() } else { Vec::new() }
    }

    pub(crate) fn moves_to_log(&self) -> Vec<log::ForkedMove> {
        let moves = self.moves.iter().map(|(seat, mv)| log::ForkedMove {
            seat: Some(convert::seat_to_wire(*seat)),
            r#move: convert::move_to_log(mv),
        });
        moves.collect()
    }
}

impl ForkOrigin {
    /// Rebuilds the state that a fork starts with from its first event.
    pub(crate) fn replay(forked: &log::MatchForked, rules: Rules, options: &Options) -> Result<Self, Fault> {
        let game = rules.game();
        let setup_seed = match (game.info().chance, forked.setup_seed.as_slice()) {
            (true, seed) => seed.try_into().map_err(|_| Fault::Undecodable)?,
            (false, []) => [0; 32],
            (false, _) => return Err(Fault::Undecodable),
        };
        let parent = Parent {
            match_id: MatchId::from_bytes(&forked.parent_match_id).ok_or(Fault::Undecodable)?,
            seq: Some(Seq(forked.parent_seq)).filter(|seq| *seq >= Seq::FIRST).ok_or(Fault::Undecodable)?,
            hash: forked.parent_hash.as_slice().try_into().map_err(|_| Fault::Undecodable)?,
        };
        let moves = forked.moves.iter().map(|mv| read_move(game, mv)).collect::<Result<Vec<_>, _>>()?;
        let opening = GameState::setup(rules, options, &Seed::new(setup_seed));
        let state = after(opening.map_err(|bad| Fault::Refused(bad.illegal.paragraph))?, &moves)?;
        Ok(Self { parent, setup_seed, moves, state })
    }
}

/// Plays the moves up to a fork, which starts in play and between two turns. The choices of a simultaneous
/// turn come in order of seats.
fn after(mut state: GameState, moves: &[(Seat, Move)]) -> Result<GameState, Fault> {
    let simultaneous = state.game().info().simultaneous;
    let mut is_between_turns = true;
    for (seat, mv) in moves {
        let is_next = !simultaneous || state.to_act().iter().next() == Some(*seat);
        state = state.play(*seat, mv).map_err(|illegal| Fault::Refused(illegal.paragraph))?.state;
        if !is_next {
            return Err(Fault::OutOfPlace);
        }
        is_between_turns = !simultaneous;
        if let Some(revealed) = state.reveal() {
            state = revealed.state;
            is_between_turns = true;
        }
    }
    if is_between_turns && state.ending().is_none() { Ok(state) } else { Err(Fault::OutOfPlace) }
}

fn read_move(game: GameId, forked: &log::ForkedMove) -> Result<(Seat, Move), Fault> {
    let seat = forked.seat.and_then(convert::seat_from_wire).ok_or(Fault::UnknownSeat)?;
    let mv = convert::move_from_log(game, &forked.r#move).ok_or(Fault::ForeignToGame)?;
    Ok((seat, mv))
}
