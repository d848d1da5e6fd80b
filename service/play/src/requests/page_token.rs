//! Page tokens (AIP-158): where a list's next page begins. A token is valid only with the request that it was
//! made for, apart from the page's size, and is authenticated with the service key, so that none can be made
//! up. It hides nothing: its caller was shown the position, or owns the match that it names.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use prost::Message;
use subtle::ConstantTimeEq;

use crate::keys::{MacKey, sha256};
use crate::{ApiKey, Refusal, ServiceKey};

/// Prefix of every token, so that none begins with a hyphen and is taken for a flag on a command line.
const PREFIX: &str = "mbp_";

const TAG_BYTES: usize = 16;

/// The page tokens of all lists under one service key.
pub(crate) struct PageTokens(MacKey);

impl PageTokens {
    pub(crate) fn new(key: &ServiceKey) -> Self {
        Self(key.page_key())
    }

    /// Returns the tokens of one list that is the same for everyone: the RPC, and its request without the
    /// page.
    pub(crate) fn of(&self, rpc: &'static str, request: &impl Message) -> ListTokens<'_> {
        self.of_key(rpc, request, None)
    }

    /// Returns the tokens of one list that depends on the caller's API key. Those of another key's list, or
    /// of the one without a key, are not valid in it.
    pub(crate) fn of_key(
        &self,
        rpc: &'static str,
        request: &impl Message,
        key: Option<&ApiKey>,
    ) -> ListTokens<'_> {
        let name = key.map_or("", |key| &key.name);
        let length = [u8::try_from(name.len()).unwrap_or(u8::MAX)];
        let parts = [rpc.as_bytes(), b"\0", &length, name.as_bytes(), &request.encode_to_vec()];
        ListTokens { key: &self.0, list: sha256(&parts) }
    }
}

/// Encodes and decodes the page tokens of one list.
pub(crate) struct ListTokens<'a> {
    key: &'a MacKey,
    list: [u8; 32],
}

impl ListTokens<'_> {
    /// Returns the token of the page that begins at a position.
    pub(crate) fn encode(&self, position: &[u8]) -> String {
        PREFIX.to_owned() + &URL_SAFE_NO_PAD.encode([&self.tag_of(position)[..], position].concat())
    }

    /// Returns the token of the page that begins at an index, or an empty one without a next page.
    pub(crate) fn encode_index(&self, next: Option<u32>) -> String {
        next.map(|index| self.encode(&index.to_be_bytes())).unwrap_or_default()
    }

    /// Returns the position of a token of this list, or `None` for the first page.
    pub(crate) fn decode<const N: usize>(&self, token: &str) -> Result<Option<[u8; N]>, Refusal> {
        if token.is_empty() {
            return Ok(None);
        }
        let refused = || {
            let must = "must be the next_page_token of a response to the same request with the same API key, \
                        or empty";
            Refusal::field("page_token", must)
        };
        // Do not decode a text that is too long to be a token.
        let encoded = token.strip_prefix(PREFIX).filter(|text| text.len() <= 2 * (TAG_BYTES + N));
        let sent = encoded.and_then(|text| URL_SAFE_NO_PAD.decode(text).ok()).ok_or_else(refused)?;
        let (tag, position) = sent.split_first_chunk::<TAG_BYTES>().ok_or_else(refused)?;
        let authentic: bool = self.tag_of(position).ct_eq(tag).into();
        position.try_into().ok().filter(|_| authentic).map(Some).ok_or_else(refused)
    }

    /// Returns the index of a token of this list, or 0 for the first page.
    pub(crate) fn decode_index(&self, token: &str) -> Result<u32, Refusal> {
        Ok(self.decode(token)?.map_or(0, u32::from_be_bytes))
    }

    fn tag_of(&self, position: &[u8]) -> [u8; TAG_BYTES] {
        *self.key.mac(&[&self.list, position]).first_chunk().expect("a MAC has 32 bytes")
    }
}

#[cfg(test)]
mod tests {
    use wire::v1::GetMatchRequest;

    use super::*;
    use crate::Role;

    fn request(match_id: &str) -> GetMatchRequest {
        GetMatchRequest { match_id: match_id.to_owned() }
    }

    #[test]
    fn a_token_is_valid_for_its_list_and_key_only() {
        let tokens = PageTokens::new(&ServiceKey::from_bytes([1; 32]));
        let token = tokens.of("ListEvents", &request("a")).encode(b"1234");
        let list = tokens.of("ListEvents", &request("a"));
        assert_eq!(list.decode(&token).unwrap(), Some(*b"1234"));
        assert_eq!(list.decode::<4>("").unwrap(), None);
        assert!(list.decode::<5>(&token).is_err());
        assert!(tokens.of("ListEvents", &request("b")).decode::<4>(&token).is_err());
        assert!(tokens.of("ListGames", &request("a")).decode::<4>(&token).is_err());
        for name in ["app", "b"] {
            let (key, _) = ApiKey::generate(name, Role::App).unwrap();
            let of_key = tokens.of_key("ListEvents", &request("a"), Some(&key));
            assert!(of_key.decode::<4>(&token).is_err(), "{name}");
            let own = of_key.encode(b"1234");
            assert_eq!(of_key.decode(&own).unwrap(), Some(*b"1234"));
            assert!(list.decode::<4>(&own).is_err(), "{name}");
        }
        let foreign = PageTokens::new(&ServiceKey::from_bytes([2; 32]));
        assert!(foreign.of("ListEvents", &request("a")).decode::<4>(&token).is_err());
    }

    #[test]
    fn a_text_from_elsewhere_is_refused() {
        let tokens = PageTokens::new(&ServiceKey::from_bytes([1; 32]));
        let list = tokens.of("ListEvents", &request("a"));
        let good = list.encode(b"1234");
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad.replace_range(at..=at, if &good[at..=at] == "A" { "B" } else { "A" });
            assert!(list.decode::<4>(&bad).is_err(), "{bad}");
        }
        let unsigned = PREFIX.to_owned() + &URL_SAFE_NO_PAD.encode(b"1234");
        let long = format!("{PREFIX}{}", "A".repeat(9000));
        for bad in [&good[1..], &good[PREFIX.len()..], &format!("{good}A"), "x", "é", &unsigned, &long] {
            assert_eq!(list.decode::<4>(bad).unwrap_err().fields[0].field, "page_token");
        }
    }
}
