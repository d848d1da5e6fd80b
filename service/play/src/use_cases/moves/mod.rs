//! Calls on moves: listing, building, checking, suggesting and submitting them.

mod check_move;
mod get_choices;
mod list_legal_moves;
mod submit_move;
mod suggest_move;
