//! Conversions between the rules' types and protobuf. Each game has its own file; this one dispatches over
//! games, with matches that fail to compile when a game is missing.

mod ace_exorcist;
mod angels_and_demons;
mod cresnovian_chess;
mod log;
mod ludus_magus;
mod shared;

use rules::{Fact, Move, Options, View};
use wire::v1 as proto;

pub(crate) use log::{
    decode_canonical, id_to_wire, move_from_log, no_result_to_log, options_from_log, options_to_log,
    visibility_to_log, visibility_to_wire,
};
pub use log::{log_event_to_wire, move_to_log, result_to_log, result_to_wire};
pub(crate) use shared::{duration_from_wire, duration_to_wire};
pub use shared::{question_to_wire, seat_from_wire, seat_to_wire, timestamp_to_wire, viewer_to_wire};

/// The error for a message whose oneof names no game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no game is set in the oneof")]
pub struct MissingGame;

/// Reads the options of a request. Absent fields take the game's defaults.
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

/// Converts options, with every default filled in.
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

/// Reads a move. A malformed one is kept as such, for the rules to reject (G-2).
pub fn move_from_wire(mv: &proto::Move) -> Result<Move, MissingGame> {
    match mv.game.as_ref().ok_or(MissingGame)? {
        proto::r#move::Game::AngelsAndDemons(mv) => {
            Ok(Move::AngelsAndDemons(angels_and_demons::move_from_wire(mv)))
        }
        proto::r#move::Game::AceExorcist(mv) => Ok(Move::AceExorcist(ace_exorcist::move_from_wire(mv))),
        proto::r#move::Game::CresnovianChess(mv) => {
            Ok(Move::CresnovianChess(cresnovian_chess::move_from_wire(mv)))
        }
        proto::r#move::Game::LudusMagus(mv) => Ok(Move::LudusMagus(ludus_magus::move_from_wire(mv))),
    }
}

/// Converts a move for clients.
pub fn move_to_wire(mv: &Move) -> proto::Move {
    let game = match mv {
        Move::AngelsAndDemons(mv) => {
            proto::r#move::Game::AngelsAndDemons(angels_and_demons::move_to_wire(mv))
        }
        Move::AceExorcist(mv) => proto::r#move::Game::AceExorcist(ace_exorcist::move_to_wire(mv)),
        Move::CresnovianChess(mv) => proto::r#move::Game::CresnovianChess(cresnovian_chess::move_to_wire(mv)),
        Move::LudusMagus(mv) => proto::r#move::Game::LudusMagus(ludus_magus::move_to_wire(mv)),
    };
    proto::Move { game: Some(game) }
}

/// Converts a view, which holds only what its viewer may see.
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

/// Converts a fact, which the caller has redacted for its viewer.
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
