//! The address that the service listens on: looked up, judged, bound.

use std::io;
use std::net::SocketAddr;

use tokio::net::{TcpListener, lookup_host};

use crate::Exposure;

/// Why nothing listens.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// It would be reachable from other machines and nobody has said that this is meant.
    #[error(
        "{address} can be reached from other machines, and there is no access control yet: whoever reaches it can \
         create and watch matches. Listen on 127.0.0.1, or say --allow-open if that is what you want"
    )]
    Open {
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

/// Looks `HOST:PORT` up, refuses what is too open, and binds it.
pub(crate) async fn bind(listen: &str, exposure: Exposure) -> Result<TcpListener, ListenError> {
    let address = resolve(listen).await?;
    if exposure == Exposure::Loopback && !address.ip().is_loopback() {
        return Err(ListenError::Open { address });
    }
    TcpListener::bind(address).await.map_err(|cause| match cause.kind() {
        io::ErrorKind::AddrInUse => ListenError::InUse { address },
        _ => ListenError::Refused { address, cause },
    })
}

/// The first address of `HOST:PORT`.
pub(crate) async fn resolve(listen: &str) -> Result<SocketAddr, ListenError> {
    let unknown = |cause| ListenError::Unknown { text: listen.to_owned(), cause };
    let mut addresses = lookup_host(listen).await.map_err(unknown)?;
    addresses.next().ok_or_else(|| unknown(io::ErrorKind::NotFound.into()))
}
