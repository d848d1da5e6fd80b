//! Server reflection, v1 and v1alpha (for older versions of grpcurl), over all services including itself.

use tonic_reflection::pb;
use tonic_reflection::server::{Builder, Error, v1, v1alpha};

/// Builds the service of reflection v1.
pub(super) fn v1() -> Result<v1::ServerReflectionServer<impl v1::ServerReflection>, Error> {
    all_descriptors().build_v1()
}

/// Builds the service of reflection v1alpha.
pub(super) fn v1alpha() -> Result<v1alpha::ServerReflectionServer<impl v1alpha::ServerReflection>, Error> {
    all_descriptors().build_v1alpha()
}

fn all_descriptors() -> Builder<'static> {
    Builder::configure()
        .register_encoded_file_descriptor_set(wire::DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        // grpcurl decodes the details of errors with these.
        .register_encoded_file_descriptor_set(tonic_types::pb::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(pb::v1::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(pb::v1alpha::FILE_DESCRIPTOR_SET)
        // Both reflection services are already registered above.
        .include_reflection_service(false)
}
