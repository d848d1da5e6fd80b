//! Whose account a call is put on: an API key's, or an address's. Known before any work is done for the call.

use std::hash::{BuildHasher, RandomState};

use http::HeaderMap;
use play::{KEY_PREFIX, KeyRing};
use tonic::transport::server::TcpConnectInfo;

use crate::caller;
use crate::origin::{Origin, TrustedProxies};

/// Who pays for a call. Credentials stand in it as hashes that mean nothing outside of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Payer {
    /// This machine itself: not limited.
    Here,
    /// A known API key, wherever it is used from: an app calls for many players.
    Key(u64),
    /// Everybody else, by address, and by token if there is one.
    Address(Origin, Option<u64>),
}

/// Finds out who pays.
pub(crate) struct Accounts {
    proxies: TrustedProxies,
    keys: KeyRing,
    hasher: RandomState,
}

impl Accounts {
    /// With these keys, behind these proxies.
    pub(crate) fn new(proxies: TrustedProxies, keys: KeyRing) -> Self {
        Self { proxies, keys, hasher: RandomState::new() }
    }

    /// Who pays for this request.
    pub(crate) fn payer<B>(&self, request: &http::Request<B>) -> Payer {
        let connection = request.extensions().get::<TcpConnectInfo>();
        let peer = connection.and_then(TcpConnectInfo::remote_addr).map(|address| address.ip());
        match self.proxies.origin(peer, request.headers()) {
            Origin::Here => Payer::Here,
            origin @ Origin::Address(_) => self.of(origin, request.headers()),
        }
    }

    fn of(&self, origin: Origin, headers: &HeaderMap) -> Payer {
        let token = caller::token(headers);
        let hash = token.map(|token| self.hasher.hash_one(token));
        match (token, hash) {
            (Some(token), Some(hash)) if token.starts_with(KEY_PREFIX) && self.keys.find(token).is_some() => {
                Payer::Key(hash)
            }
            _ => Payer::Address(origin, hash),
        }
    }
}
