//! A position that a client rebuilds from the events that it was shown. Works only for games in which events
//! hide nothing; nothing here reads a stored log.

use std::collections::VecDeque;
use std::mem;

use event::Seq;
use rules::{Games, Options, Seed};
use wire::v1 as proto;

use crate::convert::{move_from_wire, options_from_wire, seat_from_wire};
use crate::{GameState, TAKEBACK_MOVES};

/// A client's own fold of the events that it was shown.
pub struct LocalPosition {
    state: GameState,
    /// The states before the newest moves, which a takeback may restore.
    earlier: VecDeque<GameState>,
    seq: Seq,
}

/// Why a position can't be rebuilt from the events that were shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Diverged {
    /// The first event does not create a match.
    #[error("the events do not start with the creation of the match")]
    NotTheBeginning,
    /// Events of this game hide something from some viewers.
    #[error("events of this game hide information")]
    HiddenInformation,
    /// This build does not know the game, its rules version or its options.
    #[error("this build does not know the match's rules")]
    UnknownRules,
    /// This build does not know the kind of event, which may have changed anything.
    #[error("this build does not know the kind of event {0}")]
    UnknownKind(Seq),
    /// An event is missing, or these rules don't allow it.
    #[error("event {0} does not follow from those before it")]
    Event(Seq),
}

impl LocalPosition {
    /// Returns the position after a match's first event: the game's opening, or the position that a fork
    /// continues.
    pub fn start(games: Games, first: &proto::Event) -> Result<Self, Diverged> {
        use proto::event::Kind;
        let seq = Seq(first.seq);
        let state = match &first.kind {
            Some(Kind::MatchCreated(created)) => {
                opening(games, &created.game_id, created.rules_version, created.options.as_ref())?
            }
            Some(Kind::MatchForked(forked)) => {
                let (game, version) = (&forked.game_id, forked.rules_version);
                let opening = opening(games, game, version, forked.options.as_ref())?;
                let after = |state, revealed: &proto::RevealedMove| {
                    after_move(&state, revealed.seat, revealed.r#move.as_ref())
                };
                forked.moves.iter().try_fold(opening, after).ok_or(Diverged::Event(seq))?
            }
            None => return Err(Diverged::UnknownKind(seq)),
            Some(_) => return Err(Diverged::NotTheBeginning),
        };
        Ok(Self { state, earlier: VecDeque::new(), seq })
    }

    /// Applies the next event. On an error the position is unchanged.
    pub fn apply(&mut self, event: &proto::Event) -> Result<(), Diverged> {
        let seq = Seq(event.seq);
        if seq != self.seq.next() {
            return Err(Diverged::Event(seq));
        }
        let kind = event.kind.as_ref().ok_or(Diverged::UnknownKind(seq))?;
        match kind {
            proto::event::Kind::MoveMade(made) => {
                let after = after_move(&self.state, made.seat, made.r#move.as_ref());
                self.advance(after.ok_or(Diverged::Event(seq))?);
            }
            proto::event::Kind::ProposalAnswered(answered) if answered.moves_taken_back > 0 => {
                self.take_back(answered.moves_taken_back).ok_or(Diverged::Event(seq))?;
            }
            // All other kinds are about seats, the clock, or the end: they leave the game's state as it is.
            _ => {}
        }
        self.seq = seq;
        Ok(())
    }

    fn advance(&mut self, after: GameState) {
        if self.earlier.len() == TAKEBACK_MOVES {
            self.earlier.pop_front();
        }
        self.earlier.push_back(mem::replace(&mut self.state, after));
    }

    /// Returns to the state before the newest moves. Returns `None` if they are not remembered.
    fn take_back(&mut self, moves: u32) -> Option<()> {
        let kept = self.earlier.len().checked_sub(usize::try_from(moves).ok()?)?;
        let mut taken = self.earlier.split_off(kept);
        self.state = taken.pop_front()?;
        Some(())
    }

    /// Returns the rules' state after the last event. It ignores endings outside the rules, such as a
    /// resignation.
    #[must_use]
    pub const fn state(&self) -> &GameState {
        &self.state
    }

    /// Returns the number of the last event.
    #[must_use]
    pub const fn seq(&self) -> Seq {
        self.seq
    }
}

fn opening(
    games: Games,
    game: &str,
    rules_version: u32,
    options: Option<&proto::GameOptions>,
) -> Result<GameState, Diverged> {
    let rules = games.pinned(game, rules_version).ok_or(Diverged::UnknownRules)?;
    let info = rules.info();
    if info.secrets || info.simultaneous || info.chance {
        return Err(Diverged::HiddenInformation);
    }
    let options = options.and_then(|options| options_from_wire(options).ok());
    let state = options
        .filter(|options: &Options| options.game() == rules.game())
        // A game without chance ignores the seed (G-5).
        .and_then(|options| GameState::setup(rules, &options, &Seed::new([0; 32])).ok());
    state.ok_or(Diverged::UnknownRules)
}

/// Returns the state after a move, or `None` if these rules don't allow it.
fn after_move(state: &GameState, seat: Option<u32>, mv: Option<&proto::Move>) -> Option<GameState> {
    let mv = move_from_wire(mv?).ok()?;
    Some(state.play(seat.and_then(seat_from_wire)?, &mv).ok()?.state)
}
