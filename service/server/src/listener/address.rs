//! The address to listen on: resolved, checked for exposure, bound.

use std::io;
use std::net::SocketAddr;

use tokio::net::{TcpListener, lookup_host};

/// The addresses on which the service may listen without a protection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exposure {
    /// Loopback addresses only.
    Loopback,
    /// Any address.
    Anywhere,
}

/// An address, and what protects the service there.
pub(crate) struct ListenPolicy<'a> {
    /// `HOST:PORT`.
    pub(crate) listen: &'a str,
    /// Whether there are no API keys.
    pub(crate) open: bool,
    /// Whether there is no TLS.
    pub(crate) plaintext: bool,
    /// Where the service may be open.
    pub(crate) open_exposure: Exposure,
    /// Where the service may use plaintext.
    pub(crate) plaintext_exposure: Exposure,
}

/// Why the service cannot listen on an address.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// The address is reachable from other machines, and there are no API keys.
    #[error(
        "{address} is reachable from other machines, and without API keys everyone who reaches it can create \
         and watch matches; create a key with `matchbookd key new` and pass its line with --api-key, listen \
         on 127.0.0.1, or pass --allow-open"
    )]
    Open {
        /// The requested address.
        address: SocketAddr,
    },
    /// The address is reachable from other machines, and there is no TLS.
    #[error(
        "{address} is reachable from other machines, and without TLS keys and tokens cross the network \
         unencrypted; pass --tls-cert and --tls-key, listen on 127.0.0.1, or pass --allow-plaintext if a \
         proxy terminates TLS"
    )]
    Plaintext {
        /// The requested address.
        address: SocketAddr,
    },
    /// The address does not resolve.
    #[error(
        "the address `{text}` to listen on cannot be resolved: {cause}; write it as HOST:PORT, for example \
         127.0.0.1:7420"
    )]
    Unknown {
        /// The value.
        text: String,
        /// The operating system's error.
        cause: io::Error,
    },
    /// Another program listens on the port.
    #[error(
        "{address} is in use by another program, perhaps another matchbookd; stop it, or choose another port \
         with --{setting} (port 0 picks a free one)"
    )]
    InUse {
        /// The requested address.
        address: SocketAddr,
        /// The setting that names the address.
        setting: &'static str,
    },
    /// The operating system refuses.
    #[error("cannot listen on {address}: {cause}")]
    Refused {
        /// The requested address.
        address: SocketAddr,
        /// The operating system's error.
        cause: io::Error,
    },
}

/// Resolves the address, checks its exposure, and binds it.
pub(crate) async fn bind(policy: &ListenPolicy<'_>) -> Result<TcpListener, ListenError> {
    let address = resolve_address(policy.listen).await?;
    check_exposure(address, policy)?;
    bind_to(address, "listen").await
}

/// Resolves the address of the health checks, which disclose nothing, and binds it.
pub(crate) async fn bind_for_health(listen: &str) -> Result<TcpListener, ListenError> {
    bind_to(resolve_address(listen).await?, "health-listen").await
}

async fn bind_to(address: SocketAddr, setting: &'static str) -> Result<TcpListener, ListenError> {
    TcpListener::bind(address).await.map_err(|cause| match cause.kind() {
        io::ErrorKind::AddrInUse => ListenError::InUse { address, setting },
        _ => ListenError::Refused { address, cause },
    })
}

fn check_exposure(address: SocketAddr, policy: &ListenPolicy<'_>) -> Result<(), ListenError> {
    if address.ip().is_loopback() {
        return Ok(());
    }
    if policy.open {
        // A deliberately open service has nothing to protect with TLS either.
        return match policy.open_exposure {
            Exposure::Anywhere => Ok(()),
            Exposure::Loopback => Err(ListenError::Open { address }),
        };
    }
    match (policy.plaintext, policy.plaintext_exposure) {
        (false, _) | (true, Exposure::Anywhere) => Ok(()),
        (true, Exposure::Loopback) => Err(ListenError::Plaintext { address }),
    }
}

/// Resolves `HOST:PORT` to its first address.
pub async fn resolve_address(listen: &str) -> Result<SocketAddr, ListenError> {
    let unknown = |cause| ListenError::Unknown { text: listen.to_owned(), cause };
    let mut addresses = lookup_host(listen).await.map_err(unknown)?;
    addresses.next().ok_or_else(|| unknown(io::ErrorKind::NotFound.into()))
}
