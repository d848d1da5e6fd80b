//! The key that a call's rate limits are counted under: its API key, or its address and token.

use std::hash::{BuildHasher, RandomState};

use http::{HeaderMap, Request};
use play::{KEY_PREFIX, KeyRing};
use tonic::transport::server::TcpConnectInfo;

use crate::keys::bearer_token;
use crate::listener::{ClientAddress, TrustedProxies};

/// The identity of a caller for limits. Credentials appear as hashes that mean nothing outside this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum RateLimitKey {
    /// This machine, which is exempt from limits.
    Local,
    /// A configured API key, from any address: an app calls for many players.
    ApiKey(u64),
    /// Any other caller, by address and by token if there is one.
    Address(ClientAddress, Option<u64>),
}

/// Derives rate limit keys from requests.
pub(crate) struct RateLimitKeys {
    proxies: TrustedProxies,
    keys: KeyRing,
    hasher: RandomState,
}

impl RateLimitKeys {
    /// Creates the derivation for these API keys behind these proxies.
    pub(crate) fn new(proxies: TrustedProxies, keys: KeyRing) -> Self {
        Self { proxies, keys, hasher: RandomState::new() }
    }

    /// Returns the key of a request.
    pub(crate) fn of<B>(&self, request: &Request<B>) -> RateLimitKey {
        let connection = request.extensions().get::<TcpConnectInfo>();
        let peer = connection.and_then(TcpConnectInfo::remote_addr).map(|address| address.ip());
        match self.proxies.client_address(peer, request.headers()) {
            ClientAddress::Local => RateLimitKey::Local,
            address @ ClientAddress::Remote(_) => self.of_remote(address, request.headers()),
        }
    }

    fn of_remote(&self, address: ClientAddress, headers: &HeaderMap) -> RateLimitKey {
        let token = bearer_token::unchecked(headers);
        let hash = token.map(|token| self.hasher.hash_one(token));
        match (token, hash) {
            (Some(token), Some(hash)) if token.starts_with(KEY_PREFIX) && self.keys.find(token).is_some() => {
                RateLimitKey::ApiKey(hash)
            }
            _ => RateLimitKey::Address(address, hash),
        }
    }
}
