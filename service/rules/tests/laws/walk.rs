//! Random play; the laws visit every position on the way.

use rules::{Dice, Game, Seed, Side, Viewer};

use crate::subject::{Outcome, Subject};

/// Every viewer.
pub(crate) const VIEWERS: [Viewer; 4] =
    [Viewer::Seat(Side::Zero), Viewer::Seat(Side::One), Viewer::Spectator, Viewer::Open];

const MATCHES: u8 = 5;

/// A match from its opening to the visited position.
pub(crate) struct Walk<S: Subject> {
    pub options: <S::Game as Game>::Options,
    pub seed: Seed,
    pub history: Vec<(Side, <S::Game as Game>::Move)>,
    /// The position before the last move; `None` at the opening.
    pub before: Option<<S::Game as Game>::State>,
    /// The position, and the facts of the last move.
    pub now: Outcome<S::Game>,
}

impl<S: Subject> Walk<S> {
    fn start(options: &<S::Game as Game>::Options, seed: Seed) -> Self {
        let state = S::Game::setup(options, &seed).expect("the subject's options are in range");
        let now = Outcome { state, facts: Vec::new() };
        Self { options: options.clone(), seed, history: Vec::new(), before: None, now }
    }

    /// Returns whether no seat is to act.
    pub(crate) fn is_over(&self) -> bool {
        S::Game::to_act(&self.now.state).is_empty()
    }

    fn advance(&mut self, dice: &mut Dice) {
        let seats: Vec<Side> = S::Game::to_act(&self.now.state).iter().collect();
        let &seat = dice.pick(&seats).expect("the match is not over");
        let mv = S::Game::sample(&self.now.state, seat, dice).expect("a seat to act has a legal move");
        let next = Outcome::of(&self.now.state, seat, &mv);
        self.before = Some(core::mem::replace(&mut self.now, next).state);
        self.history.push((seat, mv));
    }
}

/// Visits every position of some random matches with each of the subject's options, openings and ends
/// included.
pub(crate) fn every_position<S: Subject>(mut look: impl FnMut(&Walk<S>, &mut Dice)) {
    for options in S::options() {
        for byte in 0..MATCHES {
            let seed = Seed::new([byte; 32]);
            let mut dice = Dice::new(&seed);
            let mut walk = Walk::<S>::start(&options, seed);
            look(&walk, &mut dice);
            while !walk.is_over() {
                walk.advance(&mut dice);
                look(&walk, &mut dice);
            }
        }
    }
}
