//! The messages and services of `proto/` as Rust code, generated at build time, and their descriptors. Only
//! the codec and typed readings of some messages are written by hand: a stored event's public part, the game
//! of a message, and a result's reason. For WebAssembly, which calls nothing, there are the messages alone.

mod answers;
#[cfg(not(target_family = "wasm"))]
mod codec;
#[cfg(not(target_family = "wasm"))]
mod descriptors;
mod end_reason;
mod entry;
mod game_kind;
#[cfg(not(target_family = "wasm"))]
mod retry;

#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic, clippy::restriction)]
mod generated {
    include!(concat!(env!("MATCHBOOK_WIRE"), "/tree.rs"));
}

#[cfg(not(target_family = "wasm"))]
pub use descriptors::{DESCRIPTOR_SET, DESCRIPTORS};
pub use end_reason::{
    AceExorcistReason, AngelsAndDemonsReason, CresnovianChessReason, EndReason, LudusMagusReason,
    ServiceReason,
};
pub use entry::{Cause, Period, SealedContent};
pub use game_kind::GameKind;
pub use generated::matchbook::{games, log, v1};
#[cfg(not(target_family = "wasm"))]
pub use retry::retry;
