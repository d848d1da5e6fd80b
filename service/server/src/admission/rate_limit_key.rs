//! The identity of a caller for limits: its API key, or its address and seat. Each limit counts by one part
//! of it. A player that sends an app's key as well counts under the app.

use std::convert::Infallible;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use http::{HeaderMap, Request};
use play::{KeyRing, SeatTokens, ShareHolder};
use quick_cache::sync::Cache;

use crate::keys::credentials;
use crate::listener::{ClientAddress, Connection, TrustedProxies};

/// Maximum number of seats whose newest tokens are remembered.
const MAX_SEATS: usize = 65_536;

/// How many times as much as one address a /48 of IPv6 has, which holds 65 536 of what counts as an address.
pub(super) const ADDRESSES_OF_NETWORK: u32 = 8;

/// The identity of a caller for limits. Credentials appear as hashes that mean nothing outside this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum RateLimitKey {
    /// This machine, which is exempt from limits.
    Local,
    /// A configured API key, from any address: an app calls for many players.
    ApiKey(u64),
    /// Any other caller, by address and by seat if there is a seat's token.
    Address(ClientAddress, Option<u64>),
}

/// The part of a rate limit key that one limit counts by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum LimitSubject {
    /// An API key or a seat, from any address.
    Credential(u64),
    /// An address, whatever tokens its calls carry.
    Address(ClientAddress),
    /// The /48 of an IPv6 address.
    Network(ClientAddress),
}

impl LimitSubject {
    /// Returns the network that an address is one of many of.
    pub(super) fn network(self) -> Option<Self> {
        match self {
            Self::Address(address) => address.wider_network().map(Self::Network),
            Self::Credential(_) | Self::Network(_) => None,
        }
    }
}

impl RateLimitKey {
    /// Returns the API key or token.
    pub(super) fn credential(self) -> Option<LimitSubject> {
        match self {
            Self::Local | Self::Address(_, None) => None,
            Self::ApiKey(hash) | Self::Address(_, Some(hash)) => Some(LimitSubject::Credential(hash)),
        }
    }

    /// Returns the address, unless the call has a configured API key.
    pub(super) fn address(self) -> Option<LimitSubject> {
        match self {
            Self::Local | Self::ApiKey(_) => None,
            Self::Address(address, _) => Some(LimitSubject::Address(address)),
        }
    }

    /// Returns the /48 of an IPv6 address, unless the call has a configured API key.
    pub(super) fn network(self) -> Option<LimitSubject> {
        self.address().and_then(LimitSubject::network)
    }

    /// Returns the API key, or the address without one. Ignores tokens: in an open service everyone can have
    /// any number of them.
    pub(super) fn api_key_or_address(self) -> Option<LimitSubject> {
        match self {
            Self::ApiKey(hash) => Some(LimitSubject::Credential(hash)),
            Self::Local | Self::Address(..) => self.address(),
        }
    }
}

impl fmt::Display for LimitSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Credential(_) => "this caller",
            Self::Address(_) => "this address",
            Self::Network(_) => "this network",
        })
    }
}

/// Derives rate limit keys from requests.
pub(crate) struct RateLimitKeys {
    proxies: TrustedProxies,
    keys: KeyRing,
    tokens: SeatTokens,
    /// The newest generation of a seat's tokens that a call came with, by the seat's hash.
    newest: Cache<u64, Arc<AtomicU32>>,
    hasher: RandomState,
}

impl RateLimitKeys {
    /// Creates the derivation for these API keys and seats' tokens behind these proxies.
    pub(crate) fn new(proxies: TrustedProxies, keys: KeyRing, tokens: SeatTokens) -> Self {
        Self { proxies, keys, tokens, newest: Cache::new(MAX_SEATS), hasher: RandomState::new() }
    }

    /// Returns who bears the part of a call of what all callers share, or `None` for callers that are exempt.
    pub(crate) fn share_holder(&self, key: RateLimitKey) -> Option<ShareHolder> {
        let holder = ShareHolder::new(self.hasher.hash_one(key.api_key_or_address()?));
        Some(key.network().map_or(holder, |network| holder.within(self.hasher.hash_one(network))))
    }

    /// Returns the key of a request.
    pub(crate) fn of<B>(&self, request: &Request<B>) -> RateLimitKey {
        let peer = Connection::peer_of(request.extensions());
        match self.proxies.client_address(peer, request.headers()) {
            ClientAddress::Local => RateLimitKey::Local,
            address @ ClientAddress::Remote(_) => self.of_remote(address, request.headers()),
        }
    }

    fn of_remote(&self, address: ClientAddress, headers: &HeaderMap) -> RateLimitKey {
        match credentials::unchecked_api_key(headers).filter(|key| self.keys.find(key).is_some()) {
            Some(key) => RateLimitKey::ApiKey(self.hasher.hash_one(key)),
            None => {
                let token = credentials::unchecked_seat_token(headers);
                RateLimitKey::Address(address, token.map(|token| self.of_token(token)))
            }
        }
    }

    /// Returns the key of a caller that acts for the seat of this token.
    pub(crate) fn of_seat(&self, caller: RateLimitKey, token: &str) -> RateLimitKey {
        match caller {
            RateLimitKey::Local | RateLimitKey::ApiKey(_) => caller,
            RateLimitKey::Address(address, _) => RateLimitKey::Address(address, Some(self.of_token(token))),
        }
    }

    /// Returns the hash of the seat whose token it is, so that a new token is no new caller. A token counts
    /// for itself if this service did not issue it, or if a later one of its seat was seen: an old
    /// token does not use up the seat's rate.
    fn of_token(&self, token: &str) -> u64 {
        let Some(holder) = self.tokens.holder(token) else { return self.hasher.hash_one(token) };
        let seat = self.hasher.hash_one((holder.match_id.0, holder.seat.number()));
        let none_seen = || Ok::<_, Infallible>(Arc::new(AtomicU32::new(0)));
        let Ok(newest) = self.newest.get_or_insert_with(&seat, none_seen);
        let seen = newest.fetch_max(holder.generation, Ordering::Relaxed);
        if seen > holder.generation { self.hasher.hash_one(token) } else { seat }
    }
}
