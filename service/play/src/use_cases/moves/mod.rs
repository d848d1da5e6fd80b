//! Calls on moves: listing, building, checking, sampling and submitting them.

mod check_move;
mod get_choices;
mod list_legal_moves;
mod sample_move;
mod submit_move;
