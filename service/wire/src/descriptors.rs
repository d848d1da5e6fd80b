//! The descriptors of `proto/`.

use std::sync::LazyLock;

use prost_reflect::DescriptorPool;

/// All files of `proto/` with their comments, as an encoded `FileDescriptorSet`, for server reflection.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("MATCHBOOK_WIRE"), "/descriptors.bin"));

/// The same files decoded, for example to print a message as JSON.
pub static DESCRIPTORS: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(DESCRIPTOR_SET).expect("the build wrote a descriptor set that decodes")
});
