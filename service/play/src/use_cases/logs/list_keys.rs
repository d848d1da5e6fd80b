//! `ListKeys`: the public keys that verify the service's signatures.

use wire::v1 as proto;

use crate::requests::{Page, fields};
use crate::{Play, Refusal};

impl Play {
    /// Returns a page of the public keys to any caller.
    pub fn list_keys(&self, request: &proto::ListKeysRequest) -> Result<proto::ListKeysResponse, Refusal> {
        let tokens = self.page_tokens.of("ListKeys", &proto::ListKeysRequest::default());
        let from = tokens.decode_index(&request.page_token)?;
        let keys = self.signing.public_keys();
        let page = Page::of(&keys, from, fields::keys(request.page_size));
        Ok(proto::ListKeysResponse {
            keys: page.items.to_vec(),
            next_page_token: tokens.encode_index(page.next),
        })
    }
}
