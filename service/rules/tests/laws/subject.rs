//! What the laws need to know of a game beyond its contract.

use rules::{Dice, Game, Side, Viewer};

use crate::walk::Walk;

/// A game under test.
pub(crate) trait Subject: Sized {
    /// The game under test.
    type Game: Game;

    /// Maximum number of bytes from which a position's digest is made, whatever the options and moves.
    const LARGEST_CANONICAL: usize;

    /// Returns option sets to play with, small and extreme ones.
    fn options() -> Vec<<Self::Game as Game>::Options>;

    /// Returns the maximum number of moves of a match with these options.
    fn longest(options: &<Self::Game as Game>::Options) -> usize;

    /// Returns moves to try, legal or not: near misses, extremes, other seats' moves.
    fn probes(options: &<Self::Game as Game>::Options, dice: &mut Dice) -> Vec<<Self::Game as Game>::Move>;

    /// Replaces the walk's last move in a way that the viewer may not notice, if that is possible here.
    fn twin(walk: &Walk<Self>, viewer: Viewer, dice: &mut Dice) -> Option<Outcome<Self::Game>>;

    /// Brings a view up to date with the facts of a move as its viewer sees them. A seat knows its own move.
    fn follow(
        view: &mut <Self::Game as Game>::View,
        own: Option<&<Self::Game as Game>::Move>,
        facts: &[<Self::Game as Game>::Fact],
    );
}

/// A position and the facts of the move that led to it.
pub(crate) struct Outcome<G: Game> {
    pub state: G::State,
    pub facts: Vec<G::Fact>,
}

impl<G: Game> Outcome<G> {
    /// Plays a legal move, and the reveal if it completes a turn.
    pub(crate) fn of(state: &G::State, seat: Side, mv: &G::Move) -> Self {
        let played = G::play(state, seat, mv).expect("the move is legal");
        match G::reveal(&played.state) {
            Some(turn) => Self { state: turn.state, facts: [played.facts, turn.facts].concat() },
            None => Self { state: played.state, facts: played.facts },
        }
    }

    /// Returns the facts redacted for the viewer.
    pub(crate) fn redacted_facts(&self, viewer: Viewer) -> Vec<G::Fact> {
        self.facts.iter().filter_map(|fact| G::redact_fact(fact, viewer)).collect()
    }
}
