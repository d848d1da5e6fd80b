//! The rules' types to protobuf and back. One file a game; here is the dispatch
//! over games, which stops compiling when a game is missing.

mod ace_exorcist;
mod angels_and_demons;
mod cresnovian_chess;
mod log;
mod ludus_magus;
mod shared;

use rules::{Fact, GameId, Move, Options, View};
use wire::v1 as proto;

pub use log::log_event_to_wire;
pub(crate) use log::{digest_to_wire, id_to_wire};
pub use shared::{question_to_wire, seat_from_wire, seat_to_wire, timestamp_to_wire, viewer_to_wire};

/// The envelope names no game: its oneof is not set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no game is set in the oneof")]
pub struct MissingGame;

/// Options as a match was asked for; what is absent takes the game's default.
pub fn options_from_wire(options: &proto::GameOptions) -> Result<Options, MissingGame> {
    match options.game.as_ref().ok_or(MissingGame)? {
        proto::game_options::Game::AngelsAndDemons(options) => {
            Ok(Options::AngelsAndDemons(angels_and_demons::options_from_wire(options)))
        }
        proto::game_options::Game::AceExorcist(options) => {
            Ok(Options::AceExorcist(ace_exorcist::options_from_wire(options)))
        }
        proto::game_options::Game::CresnovianChess(options) => {
            Ok(Options::CresnovianChess(cresnovian_chess::options_from_wire(options)))
        }
        proto::game_options::Game::LudusMagus(options) => {
            Ok(Options::LudusMagus(ludus_magus::options_from_wire(options)))
        }
    }
}

/// Options with every default filled in.
pub(crate) fn options_to_wire(options: &Options) -> proto::GameOptions {
    let game = match options {
        Options::AngelsAndDemons(options) => {
            proto::game_options::Game::AngelsAndDemons(angels_and_demons::options_to_wire(options))
        }
        Options::AceExorcist(options) => {
            proto::game_options::Game::AceExorcist(ace_exorcist::options_to_wire(options))
        }
        Options::CresnovianChess(options) => {
            proto::game_options::Game::CresnovianChess(cresnovian_chess::options_to_wire(options))
        }
        Options::LudusMagus(options) => {
            proto::game_options::Game::LudusMagus(ludus_magus::options_to_wire(options))
        }
    };
    proto::GameOptions { game: Some(game) }
}

/// A move as a client sent it. Whether it is well formed is for the rules to say.
pub fn move_from_wire(made: &proto::Move) -> Result<Move, MissingGame> {
    match made.game.as_ref().ok_or(MissingGame)? {
        proto::r#move::Game::AngelsAndDemons(made) => {
            Ok(Move::AngelsAndDemons(angels_and_demons::move_from_wire(made)))
        }
        proto::r#move::Game::AceExorcist(made) => Ok(Move::AceExorcist(ace_exorcist::move_from_wire(made))),
        proto::r#move::Game::CresnovianChess(made) => {
            Ok(Move::CresnovianChess(cresnovian_chess::move_from_wire(made)))
        }
        proto::r#move::Game::LudusMagus(made) => Ok(Move::LudusMagus(ludus_magus::move_from_wire(made))),
    }
}

/// A move as clients and the log have it.
pub fn move_to_wire(made: &Move) -> proto::Move {
    let game = match made {
        Move::AngelsAndDemons(made) => {
            proto::r#move::Game::AngelsAndDemons(angels_and_demons::move_to_wire(made))
        }
        Move::AceExorcist(made) => proto::r#move::Game::AceExorcist(ace_exorcist::move_to_wire(made)),
        Move::CresnovianChess(made) => {
            proto::r#move::Game::CresnovianChess(cresnovian_chess::move_to_wire(made))
        }
        Move::LudusMagus(made) => proto::r#move::Game::LudusMagus(ludus_magus::move_to_wire(made)),
    };
    proto::Move { game: Some(game) }
}

/// A view, which holds only what its viewer may see, as clients have it.
pub fn view_to_wire(view: &View) -> proto::GameView {
    let game = match view {
        View::AngelsAndDemons(view) => {
            proto::game_view::Game::AngelsAndDemons(angels_and_demons::view_to_wire(view))
        }
        View::AceExorcist(view) => proto::game_view::Game::AceExorcist(ace_exorcist::view_to_wire(view)),
        View::CresnovianChess(view) => {
            proto::game_view::Game::CresnovianChess(cresnovian_chess::view_to_wire(view))
        }
        View::LudusMagus(view) => proto::game_view::Game::LudusMagus(ludus_magus::view_to_wire(view)),
    };
    proto::GameView { game: Some(game) }
}

pub(crate) fn fact_to_wire(fact: &Fact) -> proto::Fact {
    let game = match fact {
        Fact::AngelsAndDemons(fact) => {
            proto::fact::Game::AngelsAndDemons(angels_and_demons::fact_to_wire(fact))
        }
        Fact::AceExorcist(fact) => proto::fact::Game::AceExorcist(ace_exorcist::fact_to_wire(fact)),
        Fact::CresnovianChess(fact) => {
            proto::fact::Game::CresnovianChess(cresnovian_chess::fact_to_wire(fact))
        }
        Fact::LudusMagus(fact) => proto::fact::Game::LudusMagus(ludus_magus::fact_to_wire(fact)),
    };
    proto::Fact { game: Some(game) }
}

/// The rules that a stored match is pinned to, if this build has them.
pub fn pinned_game(game: &str, rules_version: u32) -> Option<GameId> {
    GameId::parse(game).filter(|game| game.info().rules_version == rules_version)
}
