//! The messages and services of `proto/` as Rust code, generated at build time, and their descriptors. Only
//! the codec and typed readings of some messages are written by hand: a stored event's public part, the game
//! of a message, and a result's reason.

use std::sync::LazyLock;

use prost_reflect::DescriptorPool;

mod answers;
mod codec;
mod end_reason;
mod entry;
mod game_kind;

#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic, clippy::restriction)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/tree.rs"));
}

pub use end_reason::{
    AceExorcistReason, AngelsAndDemonsReason, CresnovianChessReason, EndReason, LudusMagusReason,
    ServiceReason,
};
pub use entry::{Cause, Period, SealedContent};
pub use game_kind::GameKind;
pub use generated::matchbook::{games, log, v1};

/// All files of `proto/` with their comments, as an encoded `FileDescriptorSet`, for server reflection.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

/// The same files decoded, for example to print a message as JSON.
pub static DESCRIPTORS: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(DESCRIPTOR_SET).expect("the build wrote a descriptor set that decodes")
});
