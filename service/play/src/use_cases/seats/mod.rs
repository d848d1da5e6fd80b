//! Calls on seats: claiming them, replacing their tokens, and what a seat can do besides moving.

mod abort_match;
mod accept_draw;
pub(super) mod claim_seat;
mod decline_draw;
mod offer_draw;
mod resign;
mod rotate_seat_token;
mod seat_action;
