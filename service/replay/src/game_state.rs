//! The rules' state of a match, addressed by seats. The games of `rules` have two sides; here and nowhere
//! else their sides become numbered seats.

use event::{Seat, Seats};
use rules::{
    BadAnswer, BadOption, Dice, Fact, GameId, Illegal, Listing, Move, Options, Played, Reason, Rules, Seed,
    Side, State, Step, View, Viewer,
};

/// The state of a match's game. A seat that the game does not have is never to act.
#[derive(Clone)]
pub struct GameState(State);

impl GameState {
    /// Sets up the opening under a match's rules.
    pub fn setup(rules: Rules, options: &Options, seed: &Seed) -> Result<Self, BadOption> {
        rules.setup(options, seed).map(Self)
    }

    /// Returns the state as the rules have it.
    #[must_use]
    pub const fn rules_state(&self) -> &State {
        &self.0
    }

    /// Returns the rules' state if every viewer may see all of it: in a game without secrets, choices in
    /// secret and chance. What chooses a move for a seat gets no other state.
    #[must_use]
    pub fn open_to_everybody(&self) -> Option<&State> {
        let info = self.game().info();
        (!(info.secrets || info.simultaneous || info.chance)).then_some(&self.0)
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> GameId {
        self.0.game()
    }

    /// Returns the seats that may move now; none once the rules have ended the match.
    #[must_use]
    pub fn to_act(&self) -> Seats {
        self.0.to_act().iter().map(seat_of_side).collect()
    }

    /// Returns the seat's legal moves in their fixed order.
    #[must_use]
    pub fn legal(&self, seat: Seat) -> Listing<Move> {
        let none = Listing { moves: Vec::new(), unlisted_families: Vec::new() };
        side_of_seat(seat).map_or(none, |side| self.0.legal(side))
    }

    /// Returns the next question on this path, or the finished move.
    pub fn choices(&self, seat: Seat, path: &[String]) -> Result<Step<Move>, BadAnswer> {
        let side = side_of_seat(seat).ok_or_else(|| BadAnswer { index: 0, illegal: no_such_seat(seat) })?;
        self.0.choices(side, path)
    }

    /// Plays a move.
    pub fn play(&self, seat: Seat, mv: &Move) -> Result<Played<Self, Fact>, Illegal> {
        let side = side_of_seat(seat).ok_or_else(|| no_such_seat(seat))?;
        Ok(self.0.play(side, mv)?.map(Self, |fact| fact))
    }

    /// Opens and resolves a turn of a simultaneous game once every choice is in.
    #[must_use]
    pub fn reveal(&self) -> Option<Played<Self, Fact>> {
        Some(self.0.reveal()?.map(Self, |fact| fact))
    }

    /// Returns the winners and the reason if the rules have ended the match. A draw has no winners.
    pub(crate) fn ending(&self) -> Option<(Seats, Reason)> {
        let ending = self.0.ending()?;
        Some((ending.winner.into_iter().map(seat_of_side).collect(), ending.reason))
    }

    /// Returns the viewer's view of the state.
    #[must_use]
    pub fn view(&self, viewer: Viewer<Seat>) -> View {
        self.0.view(rules_viewer(viewer))
    }

    /// Returns the bytes from which the position's digest is made.
    pub(crate) fn canonical(&self) -> Vec<u8> {
        self.0.canonical()
    }

    /// Draws a random legal move. `None` if the seat has none.
    pub fn sample(&self, seat: Seat, dice: &mut Dice) -> Option<Move> {
        self.0.sample(side_of_seat(seat)?, dice)
    }
}

/// Redacts a fact for the viewer. `None` if the viewer may not see it at all.
pub(crate) fn fact_for(fact: &Fact, viewer: Viewer<Seat>) -> Option<Fact> {
    fact.redacted_for(rules_viewer(viewer))
}

/// Returns the side that a seat is in the rules, or `None` if their games do not have the seat.
#[must_use]
pub fn side_of_seat(seat: Seat) -> Option<Side> {
    Side::from_index(seat.index())
}

/// Returns the seat of a side.
#[must_use]
pub fn seat_of_side(side: Side) -> Seat {
    Seat::ALL[side.index()]
}

/// Returns the viewer in the rules' terms. Who has a seat that the game does not have sees as little as a
/// spectator.
fn rules_viewer(viewer: Viewer<Seat>) -> Viewer {
    match viewer {
        Viewer::Seat(seat) => side_of_seat(seat).map_or(Viewer::Spectator, Viewer::Seat),
        Viewer::Spectator => Viewer::Spectator,
        Viewer::Open => Viewer::Open,
    }
}

fn no_such_seat(seat: Seat) -> Illegal {
    Illegal::not_to_act(format!("the game has no seat {seat}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_that_the_game_does_not_have_sees_and_does_nothing() {
        let absent = Seat::ALL[2];
        for game in GameId::ALL {
            let rules = rules::Games::built_in().current(game);
            let opening = GameState::setup(rules, &Options::default_of(game), &Seed::new([1; 32])).unwrap();
            assert!(!opening.to_act().contains(absent) && opening.legal(absent).moves.is_empty());
            assert_eq!(opening.view(Viewer::Seat(absent)), opening.view(Viewer::Spectator));
            assert_eq!(opening.sample(absent, &mut Dice::new(&Seed::new([1; 32]))), None);
            let acting = opening.to_act().iter().next().unwrap();
            let mv = opening.sample(acting, &mut Dice::new(&Seed::new([1; 32]))).unwrap();
            let kind = rules::IllegalKind::NotToAct;
            assert_eq!(opening.play(absent, &mv).err().map(|bad| bad.kind), Some(kind), "{game}");
            assert_eq!(opening.choices(absent, &[]).unwrap_err().illegal.kind, kind, "{game}");
        }
    }

    #[test]
    fn sides_and_seats_have_the_same_numbers() {
        assert_eq!(Side::ALL.map(seat_of_side), [Seat::ALL[0], Seat::ALL[1]]);
        assert_eq!(
            [0, 1, 2].map(|index| side_of_seat(Seat::ALL[index])),
            [Some(Side::Zero), Some(Side::One), None]
        );
    }
}
