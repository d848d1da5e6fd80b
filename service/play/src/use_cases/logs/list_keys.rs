//! `ListKeys`: the public keys that verify the service's signatures.

use wire::v1 as proto;

use crate::Play;

impl Play {
    /// Returns the public keys to any caller.
    pub fn list_keys(&self, _: proto::ListKeysRequest) -> proto::ListKeysResponse {
        proto::ListKeysResponse { keys: self.signing.public_keys() }
    }
}
