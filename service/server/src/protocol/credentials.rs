//! The credentials that each RPC accepts, as the protos declare them. A test compares them with the tables of
//! callers in `docs/api.md`.

use std::sync::LazyLock;

use prost_reflect::{ExtensionDescriptor, MethodDescriptor};
use wire::v1::Credentials;

/// The option of RPCs in `credentials.proto`.
static OPTION: LazyLock<Option<ExtensionDescriptor>> =
    LazyLock::new(|| wire::DESCRIPTORS.get_extension_by_name("matchbook.v1.credentials"));

/// Returns the credentials that an RPC accepts, or `None` for an unknown RPC or one that declares none.
pub(crate) fn accepted_credentials(rpc: &str) -> Option<Credentials> {
    let mut methods = wire::DESCRIPTORS.services().flat_map(|service| service.methods().collect::<Vec<_>>());
    declared(&methods.find(|method| method.name() == rpc)?)
}

fn declared(method: &MethodDescriptor) -> Option<Credentials> {
    let options = method.options();
    let number = options.get_extension(OPTION.as_ref()?).as_enum_number()?;
    Credentials::try_from(number).ok().filter(|credentials| *credentials != Credentials::Unspecified)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rpc_declares_credentials() {
        for service in wire::DESCRIPTORS.services() {
            for method in service.methods() {
                assert!(declared(&method).is_some(), "{} lacks (credentials)", method.full_name());
            }
        }
        assert_eq!(accepted_credentials("SubmitMove"), Some(Credentials::Seat));
        assert_eq!(accepted_credentials("NoSuchMethod"), None);
    }
}
