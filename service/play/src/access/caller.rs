//! The caller of a use case, as the transport sees it.

use std::fmt;

use super::TokenHash;
use crate::shares::Bearer;

/// Who bears a call's part of what all callers share, as the transport tells callers and networks apart. Only
/// equality means anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShareHolder {
    caller: u64,
    network: Option<u64>,
}

impl ShareHolder {
    /// Returns a caller that no network bears a part for.
    pub const fn new(caller: u64) -> Self {
        Self { caller, network: None }
    }

    /// Adds the network that the caller shares with many others, any number of which can be the same person.
    #[must_use]
    pub const fn within(self, network: u64) -> Self {
        Self { network: Some(network), ..self }
    }

    /// Returns all that bear the call's part: the caller first, then its network.
    pub(crate) fn bearers(self) -> impl Iterator<Item = Bearer> + Clone {
        std::iter::once(Bearer::Caller(self.caller)).chain(self.network.map(Bearer::Network))
    }
}

/// The credentials of one call: an API key, a seat's token, both or neither.
#[derive(Clone, Default)]
pub struct Caller {
    key: Option<String>,
    seat_token: Option<SentToken>,
    share_holder: Option<ShareHolder>,
}

/// A seat's token, and its hash, which is made once for all comparisons of a call.
#[derive(Clone)]
struct SentToken {
    text: String,
    hash: TokenHash,
}

impl Caller {
    /// Returns a caller without a credential.
    pub fn anonymous() -> Self {
        Self::default()
    }

    /// Adds the API key that the caller sent.
    #[must_use]
    pub fn with_key(self, key: impl Into<String>) -> Self {
        Self { key: Some(key.into()), ..self }
    }

    /// Adds the seat's token that the caller sent.
    #[must_use]
    pub fn with_seat_token(self, token: impl Into<String>) -> Self {
        let text = token.into();
        let hash = TokenHash::of(&text);
        Self { seat_token: Some(SentToken { text, hash }), ..self }
    }

    /// Adds who bears the call's part of what all callers share. A caller without one has no share to keep
    /// to.
    #[must_use]
    pub fn with_share_holder(self, holder: Option<ShareHolder>) -> Self {
        Self { share_holder: holder, ..self }
    }

    /// Returns the caller without its seat's token, for a call on another match.
    pub(crate) fn without_seat_token(&self) -> Self {
        Self { seat_token: None, ..self.clone() }
    }

    /// Returns the API key as it was sent, unchecked.
    pub(crate) fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// Returns who bears the call's part of what all callers share.
    pub(crate) fn share_holder(&self) -> Option<ShareHolder> {
        self.share_holder
    }

    /// Returns the seat's token as it was sent, unchecked.
    pub(crate) fn seat_token(&self) -> Option<&str> {
        self.seat_token.as_ref().map(|token| &*token.text)
    }

    /// Returns the hash of the seat's token as it was sent, unchecked.
    pub(crate) fn seat_token_hash(&self) -> Option<TokenHash> {
        self.seat_token.as_ref().map(|token| token.hash)
    }
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Both are secrets; logs may only say whether there were any.
        f.debug_struct("Caller")
            .field("has_key", &self.key.is_some())
            .field("has_seat_token", &self.seat_token.is_some())
            .finish()
    }
}
