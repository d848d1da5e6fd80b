//! The address that the service listens on: looked up, judged, bound.

use std::io;
use std::net::SocketAddr;

use tokio::net::{TcpListener, lookup_host};

use crate::{Config, Exposure};

/// Why nothing listens.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// It would be reachable from other machines and nobody has said that this is meant.
    #[error(
        "{address} can be reached from other machines, and there are no API keys: whoever reaches it could create and \
         watch matches. Make a key with `matchbookd key new` and give its line with --api-key, listen on 127.0.0.1, or \
         say --allow-open if everybody is meant to"
    )]
    Open {
        /// The address asked for.
        address: SocketAddr,
    },
    /// Keys and tokens would cross the network for everybody to read.
    #[error(
        "{address} can be reached from other machines, and without TLS everybody on the way could read keys and tokens. \
         Give --tls-cert and --tls-key, listen on 127.0.0.1, or say --allow-plaintext if a proxy in front does TLS"
    )]
    Plaintext {
        /// The address asked for.
        address: SocketAddr,
    },
    /// Not an address.
    #[error("--listen takes HOST:PORT, for example 127.0.0.1:7420, and not `{text}`: {cause}")]
    Unknown {
        /// As it was given.
        text: String,
        /// What the system says.
        cause: io::Error,
    },
    /// Another program has the port.
    #[error(
        "{address} is in use: another program, perhaps another matchbookd, listens there. Stop it, or choose another \
         port with --listen (port 0 takes a free one)"
    )]
    InUse {
        /// The address asked for.
        address: SocketAddr,
    },
    /// The system does not let us.
    #[error("{address} can't be listened on: {cause}")]
    Refused {
        /// The address asked for.
        address: SocketAddr,
        /// What the system says.
        cause: io::Error,
    },
}

/// Looks the address up, refuses what is too open, and binds it.
pub(crate) async fn bind(config: &Config) -> Result<TcpListener, ListenError> {
    let address = resolve_address(&config.listen).await?;
    judge(address, config)?;
    TcpListener::bind(address).await.map_err(|cause| match cause.kind() {
        io::ErrorKind::AddrInUse => ListenError::InUse { address },
        _ => ListenError::Refused { address, cause },
    })
}

/// Whether it is safe, or was asked for, to listen there.
fn judge(address: SocketAddr, config: &Config) -> Result<(), ListenError> {
    if address.ip().is_loopback() {
        return Ok(());
    }
    if config.api_keys.is_open() {
        // Who says that everybody may come in says that nothing is to be protected on the way.
        return match config.exposure {
            Exposure::Anywhere => Ok(()),
            Exposure::Loopback => Err(ListenError::Open { address }),
        };
    }
    match (&config.tls, config.plaintext) {
        (Some(_), _) | (None, Exposure::Anywhere) => Ok(()),
        (None, Exposure::Loopback) => Err(ListenError::Plaintext { address }),
    }
}

/// Resolves `HOST:PORT` to its first address.
pub async fn resolve_address(listen: &str) -> Result<SocketAddr, ListenError> {
    let unknown = |cause| ListenError::Unknown { text: listen.to_owned(), cause };
    let mut addresses = lookup_host(listen).await.map_err(unknown)?;
    addresses.next().ok_or_else(|| unknown(io::ErrorKind::NotFound.into()))
}
