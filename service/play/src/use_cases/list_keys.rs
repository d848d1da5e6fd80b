//! `ListKeys`: the keys that the service's signatures are checked with.

use wire::v1 as proto;

use crate::Play;

impl Play {
    /// The public keys, for everybody.
    pub fn list_keys(&self, _: proto::ListKeysRequest) -> proto::ListKeysResponse {
        proto::ListKeysResponse { keys: self.signing.shown() }
    }
}
