//! What the laws must know of a game beyond its contract.

use rules::{Dice, Game, Seat, Viewer};

use crate::walk::Walk;

/// A game under test.
pub(crate) trait Subject: Sized {
    /// The game.
    type Game: Game;

    /// Option sets to play with, small ones and extreme ones.
    fn options() -> Vec<<Self::Game as Game>::Options>;

    /// The most moves that a match with these options can have.
    fn longest(options: &<Self::Game as Game>::Options) -> usize;

    /// Moves to try whether legal or not: near misses, extremes, other seats' moves.
    fn probes(options: &<Self::Game as Game>::Options, dice: &mut Dice) -> Vec<<Self::Game as Game>::Move>;

    /// The walk's last move done otherwise, so that the viewer may not notice, if that is possible here.
    fn twin(walk: &Walk<Self>, viewer: Viewer, dice: &mut Dice) -> Option<Outcome<Self::Game>>;

    /// Brings a view up to date with what its viewer is told of a move. A seat knows its own move.
    fn follow(
        view: &mut <Self::Game as Game>::View,
        own: Option<&<Self::Game as Game>::Move>,
        facts: &[<Self::Game as Game>::Fact],
    );
}

/// A position and the facts of the move that led there.
pub(crate) struct Outcome<G: Game> {
    pub state: G::State,
    pub facts: Vec<G::Fact>,
}

impl<G: Game> Outcome<G> {
    /// The position after a legal move, and after the reveal if it completed a turn.
    pub(crate) fn of(state: &G::State, seat: Seat, made: &G::Move) -> Self {
        let played = G::play(state, seat, made).expect("the move is legal");
        match G::reveal(&played.state) {
            Some(turn) => Self { state: turn.state, facts: [played.facts, turn.facts].concat() },
            None => Self { state: played.state, facts: played.facts },
        }
    }

    /// The facts as the viewer sees them.
    pub(crate) fn facts_seen(&self, viewer: Viewer) -> Vec<G::Fact> {
        self.facts.iter().filter_map(|fact| G::fact_seen(fact, viewer)).collect()
    }
}
