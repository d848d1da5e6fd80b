//! The messages and services of `proto/` as Rust code, generated when this crate
//! is built, and their descriptors. Nothing is written by hand here but names and
//! the codec.

use std::sync::LazyLock;

use prost_reflect::DescriptorPool;

mod codec;

#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic, clippy::restriction)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/tree.rs"));
}

pub use generated::matchbook::{games, log, v1};

/// All files of `proto/` with their comments, as an encoded `FileDescriptorSet`:
/// what server reflection answers from.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

/// The same files ready for look-ups, for example to print a message as JSON.
pub static DESCRIPTORS: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(DESCRIPTOR_SET).expect("the build wrote a descriptor set that decodes")
});
