//! Versions of a game's rules with code of their own, beside the built-in game's. They share its options,
//! moves, facts, views and reasons, which are the API's; what differs is the state and what is done with it.
//! A call on such a state is dynamic; calls on the built-in games' states are not.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{Fact, GameId, Move, Options, Reason, State, View};
use crate::games::ace_exorcist::AceExorcist;
use crate::games::angels_and_demons::AngelsAndDemons;
use crate::games::cresnovian_chess::CresnovianChess;
use crate::games::ludus_magus::LudusMagus;
use crate::{
    BadAnswer, BadOption, Dice, Ending, Game, Illegal, Listing, Played, Seed, Side, Sides, Step, Viewer,
};

/// Another version of a built-in game's rules. The built-in game prints and parses its moves, redacts its
/// facts and names its reasons; those functions of this implementation are not called.
pub trait OtherVersion:
    Game<
        Options = <Self::Of as Game>::Options,
        Move = <Self::Of as Game>::Move,
        Fact = <Self::Of as Game>::Fact,
        View = <Self::Of as Game>::View,
        Reason = <Self::Of as Game>::Reason,
        State: Send + Sync + 'static,
    > + 'static
{
    /// The built-in game.
    type Of: BuiltIn;
}

/// The place of a built-in game's types in the enums over all games.
pub trait BuiltIn: Game {
    /// The game.
    const ID: GameId;

    /// Returns the game's own options, or `None` if they are another game's.
    fn own_options(options: &Options) -> Option<&Self::Options>;
    /// Returns the game's own move, or `None` if it is another game's.
    fn own_move(mv: &Move) -> Option<&Self::Move>;
    /// Wraps a move.
    fn to_move(mv: Self::Move) -> Move;
    /// Wraps a fact.
    fn to_fact(fact: Self::Fact) -> Fact;
    /// Wraps a view.
    fn to_view(view: Self::View) -> View;
    /// Wraps a reason.
    fn to_reason(reason: Self::Reason) -> Reason;
}

/// The state of a match under another version; cheap to clone.
#[derive(Clone)]
pub struct OtherState(Arc<dyn Position>);

/// The contract of a game on one state.
trait Position: Send + Sync {
    fn game(&self) -> GameId;
    fn to_act(&self) -> Sides;
    fn legal(&self, seat: Side) -> Listing<Move>;
    fn choices(&self, seat: Side, path: &[String]) -> Result<Step<Move>, BadAnswer>;
    fn play(&self, seat: Side, mv: &Move) -> Option<Result<Played<State, Fact>, Illegal>>;
    fn reveal(&self) -> Option<Played<State, Fact>>;
    fn ending(&self) -> Option<Ending<Reason>>;
    fn view(&self, viewer: Viewer) -> View;
    fn canonical(&self) -> Vec<u8>;
    fn sample(&self, seat: Side, dice: &mut Dice) -> Option<Move>;
}

/// A state with the version that it belongs to.
struct Of<G: OtherVersion>(G::State);

pub(super) const fn game<G: OtherVersion>() -> GameId {
    <G::Of as BuiltIn>::ID
}

/// Sets up the opening with options of the built-in game.
pub(super) fn open<G: OtherVersion>(
    options: &Options,
    version: u32,
    seed: &Seed,
) -> Result<State, BadOption> {
    let own = G::Of::own_options(options).expect("the caller has checked whose options these are");
    G::opening(own, version, seed).map(wrap::<G>)
}

fn wrap<G: OtherVersion>(state: G::State) -> State {
    State::Other(OtherState(Arc::new(Of::<G>(state))))
}

impl OtherState {
    pub(super) fn game(&self) -> GameId {
        self.0.game()
    }

    pub(super) fn to_act(&self) -> Sides {
        self.0.to_act()
    }

    pub(super) fn legal(&self, seat: Side) -> Listing<Move> {
        self.0.legal(seat)
    }

    pub(super) fn choices(&self, seat: Side, path: &[String]) -> Result<Step<Move>, BadAnswer> {
        self.0.choices(seat, path)
    }

    /// Plays a move; `None` if it is another game's.
    pub(super) fn play(&self, seat: Side, mv: &Move) -> Option<Result<Played<State, Fact>, Illegal>> {
        self.0.play(seat, mv)
    }

    pub(super) fn reveal(&self) -> Option<Played<State, Fact>> {
        self.0.reveal()
    }

    pub(super) fn ending(&self) -> Option<Ending<Reason>> {
        self.0.ending()
    }

    pub(super) fn view(&self, viewer: Viewer) -> View {
        self.0.view(viewer)
    }

    pub(super) fn canonical(&self) -> Vec<u8> {
        self.0.canonical()
    }

    pub(super) fn sample(&self, seat: Side, dice: &mut Dice) -> Option<Move> {
        self.0.sample(seat, dice)
    }
}

impl<G: OtherVersion> Position for Of<G> {
    fn game(&self) -> GameId {
        game::<G>()
    }

    fn to_act(&self) -> Sides {
        G::to_act(&self.0)
    }

    fn legal(&self, seat: Side) -> Listing<Move> {
        G::legal(&self.0, seat).map(G::Of::to_move)
    }

    fn choices(&self, seat: Side, path: &[String]) -> Result<Step<Move>, BadAnswer> {
        G::choices(&self.0, seat, path).map(|step| step.map(G::Of::to_move))
    }

    fn play(&self, seat: Side, mv: &Move) -> Option<Result<Played<State, Fact>, Illegal>> {
        let own = G::Of::own_move(mv)?;
        Some(G::play(&self.0, seat, own).map(|played| played.map(wrap::<G>, G::Of::to_fact)))
    }

    fn reveal(&self) -> Option<Played<State, Fact>> {
        G::reveal(&self.0).map(|turn| turn.map(wrap::<G>, G::Of::to_fact))
    }

    fn ending(&self) -> Option<Ending<Reason>> {
        G::ending(&self.0).map(|ending| ending.map(G::Of::to_reason))
    }

    fn view(&self, viewer: Viewer) -> View {
        G::Of::to_view(G::view(&self.0, viewer))
    }

    fn canonical(&self) -> Vec<u8> {
        G::canonical(&self.0)
    }

    fn sample(&self, seat: Side, dice: &mut Dice) -> Option<Move> {
        G::sample(&self.0, seat, dice).map(G::Of::to_move)
    }
}

impl BuiltIn for AngelsAndDemons {
    const ID: GameId = GameId::AngelsAndDemons;

    fn own_options(options: &Options) -> Option<&Self::Options> {
        match options {
            Options::AngelsAndDemons(options) => Some(options),
            Options::AceExorcist(_) | Options::CresnovianChess(_) | Options::LudusMagus(_) => None,
        }
    }

    fn own_move(mv: &Move) -> Option<&Self::Move> {
        mv.angels_and_demons()
    }

    fn to_move(mv: Self::Move) -> Move {
        Move::AngelsAndDemons(mv)
    }

    fn to_fact(fact: Self::Fact) -> Fact {
        Fact::AngelsAndDemons(fact)
    }

    fn to_view(view: Self::View) -> View {
        View::AngelsAndDemons(view)
    }

    fn to_reason(reason: Self::Reason) -> Reason {
        Reason::AngelsAndDemons(reason)
    }
}

impl BuiltIn for AceExorcist {
    const ID: GameId = GameId::AceExorcist;

    fn own_options(options: &Options) -> Option<&Self::Options> {
        match options {
            Options::AceExorcist(options) => Some(options),
            Options::AngelsAndDemons(_) | Options::CresnovianChess(_) | Options::LudusMagus(_) => None,
        }
    }

    fn own_move(mv: &Move) -> Option<&Self::Move> {
        mv.ace_exorcist()
    }

    fn to_move(mv: Self::Move) -> Move {
        Move::AceExorcist(mv)
    }

    fn to_fact(fact: Self::Fact) -> Fact {
        Fact::AceExorcist(fact)
    }

    fn to_view(view: Self::View) -> View {
        View::AceExorcist(view)
    }

    fn to_reason(reason: Self::Reason) -> Reason {
        Reason::AceExorcist(reason)
    }
}

impl BuiltIn for CresnovianChess {
    const ID: GameId = GameId::CresnovianChess;

    fn own_options(options: &Options) -> Option<&Self::Options> {
        match options {
            Options::CresnovianChess(options) => Some(options),
            Options::AngelsAndDemons(_) | Options::AceExorcist(_) | Options::LudusMagus(_) => None,
        }
    }

    fn own_move(mv: &Move) -> Option<&Self::Move> {
        mv.cresnovian_chess()
    }

    fn to_move(mv: Self::Move) -> Move {
        Move::CresnovianChess(mv)
    }

    fn to_fact(fact: Self::Fact) -> Fact {
        Fact::CresnovianChess(fact)
    }

    fn to_view(view: Self::View) -> View {
        View::CresnovianChess(view)
    }

    fn to_reason(reason: Self::Reason) -> Reason {
        Reason::CresnovianChess(reason)
    }
}

impl BuiltIn for LudusMagus {
    const ID: GameId = GameId::LudusMagus;

    fn own_options(options: &Options) -> Option<&Self::Options> {
        match options {
            Options::LudusMagus(options) => Some(options),
            Options::AngelsAndDemons(_) | Options::AceExorcist(_) | Options::CresnovianChess(_) => None,
        }
    }

    fn own_move(mv: &Move) -> Option<&Self::Move> {
        mv.ludus_magus()
    }

    fn to_move(mv: Self::Move) -> Move {
        Move::LudusMagus(mv)
    }

    fn to_fact(fact: Self::Fact) -> Fact {
        Fact::LudusMagus(fact)
    }

    fn to_view(view: Self::View) -> View {
        View::LudusMagus(view)
    }

    fn to_reason(reason: Self::Reason) -> Reason {
        Reason::LudusMagus(reason)
    }
}
