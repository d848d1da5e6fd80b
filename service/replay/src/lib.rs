//! The meaning of a log: decoding events, applying them to a position, deciding new ones, and showing both to
//! viewers. Pure: no clock, no randomness, no I/O. Bytes and hash chain are `event`'s business; files and
//! signatures are `audit`'s.

mod applied;
mod apply;
mod chain_head;
mod clock;
mod convert;
mod decide;
mod digest;
mod entry;
mod fault;
mod fork;
mod game_state;
mod local_position;
mod position;
mod proposals;
mod seed;
mod show;
mod takeback;
mod terms;

pub use applied::AppliedEvent;
pub use apply::{check_first_event, decode_player};
pub use chain_head::ChainHead;
pub use clock::{BadTimeControl, ClockSettings, MAX_INCREMENT_MS, TIME_RANGE_MS, TimeControl};
pub use convert::{
    MissingGame, log_event_to_wire, move_from_wire, move_to_log, move_to_wire, options_from_wire,
    question_to_wire, result_to_log, result_to_wire, seat_from_wire, seat_to_wire, timestamp_to_wire,
    view_to_wire, viewer_to_wire,
};
pub use decide::{Decided, Decision, NewMatch, StartingPosition, SubmitError, seal_player};
pub use entry::{Entry, acting_seat, decode_entry};
pub use fault::{Fault, MAX_ROTATIONS, ReplayError};
pub use fork::{ForkedPosition, MoveHistory, Parent};
pub use game_state::{GameState, seat_of_side, side_of_seat};
pub use local_position::{Diverged, LocalPosition};
pub use position::{MatchPhase, Position, Seating};
pub use proposals::{ProposalKind, Proposals};
pub use seed::{MAX_ENTROPY_BYTES, SERVER_SEED_BYTES};
pub use takeback::{MAX_TAKEBACKS, NoTakeback, RecentMoves, TAKEBACK_MOVES, TakenBack};
pub use terms::GivenTerms;
