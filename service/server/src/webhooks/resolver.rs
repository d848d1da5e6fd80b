//! Looks up host names and drops the addresses that may not be sent to, so that the client never connects to
//! one. It does so for each connection: what a name resolved to before does not count.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::vec::IntoIter;

use hyper_util::client::legacy::connect::dns::Name;
use tower::Service;

use super::addresses::ReachableAddresses;

/// Most addresses of a name that are tried.
const MAX_ADDRESSES: usize = 8;

/// Resolves host names to addresses that may be sent to.
#[derive(Debug, Clone)]
pub(super) struct GuardedResolver {
    pub(super) addresses: ReachableAddresses,
    pub(super) lookup: Lookup,
}

/// How all addresses of a name are found, with port 0.
pub(super) type Lookup = fn(Name) -> FoundAddresses;

/// The addresses to come.
pub(super) type FoundAddresses = Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send>>;

/// Asks the system's resolver.
pub(super) fn system_lookup(name: Name) -> FoundAddresses {
    Box::pin(async move { Ok(tokio::net::lookup_host((name.as_str(), 0)).await?.collect()) })
}

/// Why a name cannot be sent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum ResolveError {
    /// The lookup failed or found nothing.
    #[error("the host name has no address")]
    NoAddress,
    /// All of its addresses are such as may not be sent to.
    #[error("the host name has no address that may be sent to")]
    Refused,
}

impl Service<Name> for GuardedResolver {
    type Response = IntoIter<SocketAddr>;
    type Error = ResolveError;
    type Future = Pin<Box<dyn Future<Output = Result<IntoIter<SocketAddr>, ResolveError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), ResolveError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let Self { addresses, lookup } = *self;
        Box::pin(async move {
            let found = lookup(name).await.map_err(|_| ResolveError::NoAddress)?;
            reachable(addresses, found.into_iter())
        })
    }
}

/// Returns the addresses that may be sent to.
fn reachable(
    addresses: ReachableAddresses,
    found: impl Iterator<Item = SocketAddr>,
) -> Result<IntoIter<SocketAddr>, ResolveError> {
    let mut found = found.peekable();
    if found.peek().is_none() {
        return Err(ResolveError::NoAddress);
    }
    let reachable: Vec<SocketAddr> =
        found.filter(|address| addresses.contains(address.ip())).take(MAX_ADDRESSES).collect();
    if reachable.is_empty() { Err(ResolveError::Refused) } else { Ok(reachable.into_iter()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(addresses: &[&str]) -> Result<Vec<String>, ResolveError> {
        let found = addresses.iter().map(|address| SocketAddr::new(address.parse().unwrap(), 0));
        let kept = reachable(ReachableAddresses::Public, found.collect::<Vec<_>>().into_iter());
        kept.map(|kept| kept.map(|address| address.ip().to_string()).collect())
    }

    #[test]
    fn a_name_is_sent_to_at_its_public_addresses_only() {
        assert_eq!(judged(&["127.0.0.1", "1.1.1.1", "::1"]).unwrap(), ["1.1.1.1"]);
        assert_eq!(judged(&["10.0.0.1", "fd00::1"]), Err(ResolveError::Refused));
        assert_eq!(judged(&[]), Err(ResolveError::NoAddress));
        assert_eq!(judged(&["1.1.1.1"; 50]).unwrap().len(), MAX_ADDRESSES);
    }

    #[tokio::test]
    async fn a_name_of_this_machine_is_refused() {
        let name: Name = "localhost".parse().unwrap();
        let mut strict = GuardedResolver { addresses: ReachableAddresses::Public, lookup: system_lookup };
        assert_eq!(strict.call(name.clone()).await.err(), Some(ResolveError::Refused));
        let addresses = ReachableAddresses::PublicAndPrivate;
        let mut lenient = GuardedResolver { addresses, lookup: system_lookup };
        assert!(lenient.call(name).await.unwrap().all(|address| address.ip().is_loopback()));
    }
}
