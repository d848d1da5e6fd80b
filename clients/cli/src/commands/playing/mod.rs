//! Commands of a seat while a match is played. A new one is a file, and here its module and its definition.

mod abort;
mod bot;
mod check;
mod draw;
mod legal;
mod make_move;
mod mcp;
mod play;
mod proposal;
mod resign;
mod suggest;
mod takeback;

use crate::commands::definition::{Definition, online};

/// Defines the commands, in the order of `--help`.
pub(super) fn commands() -> Vec<Definition> {
    vec![
        online("play", "Play in this terminal, against a bot or a person", play::PlayInTerminal::run),
        online("mcp", "Let a language model play, over the Model Context Protocol", mcp::Mcp::run),
        online("legal", "List the legal moves", legal::Legal::run),
        online("check", "Check whether a move is legal, without making it", check::Check::run),
        online("suggest", "Have the service choose a legal move, without making it", suggest::Suggest::run),
        online("move", "Make a move", make_move::MakeMove::run),
        online("bot", "Have a bot play a seat until the match is over", bot::Bot::run),
        online("draw", "Offer a draw, or answer an offer", draw::Draw::run),
        online("takeback", "Ask to take back a move, or answer a request", takeback::Takeback::run),
        online("resign", "Resign a match", resign::Resign::run),
        online("abort", "Abort a match before its first move", abort::Abort::run),
    ]
}
