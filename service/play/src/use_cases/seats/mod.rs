//! Calls on seats: claiming them, replacing their tokens, and erasing their players, and
//! what a seat can do besides moving.

mod abort_match;
mod answer_proposal;
pub(super) mod claim_seat;
mod make_proposal;
mod redact_player;
mod reservation;
mod resign;
mod rotate_seat_token;
mod seat_action;

pub(in crate::use_cases) use claim_seat::is_same_player;
pub(in crate::use_cases) use reservation::seat_in_rematch;
