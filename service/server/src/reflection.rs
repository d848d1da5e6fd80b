//! Server reflection, v1 and v1alpha (older grpcurls know only that): everything that is served here, itself included.

use tonic_reflection::pb;
use tonic_reflection::server::{Builder, Error, v1, v1alpha};

/// Reflection v1.
pub(crate) fn v1() -> Result<v1::ServerReflectionServer<impl v1::ServerReflection>, Error> {
    everything().build_v1()
}

/// Reflection v1alpha.
pub(crate) fn v1alpha() -> Result<v1alpha::ServerReflectionServer<impl v1alpha::ServerReflection>, Error> {
    everything().build_v1alpha()
}

fn everything() -> Builder<'static> {
    Builder::configure()
        .register_encoded_file_descriptor_set(wire::DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        // grpcurl shows the details of errors with these.
        .register_encoded_file_descriptor_set(tonic_types::pb::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(pb::v1::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(pb::v1alpha::FILE_DESCRIPTOR_SET)
        // Both are among the above already.
        .include_reflection_service(false)
}
