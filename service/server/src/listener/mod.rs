//! Sockets and connections: the listening address, TLS, bounds on idle and stalled clients, the client's
//! address.

mod address;
mod certificate;
mod client_address;
mod incoming;
mod preface;
mod stream;
mod tls;
mod write_timeout;

pub use address::{Exposure, ListenError, resolve_address};
pub(crate) use address::{ListenPolicy, bind};
pub use certificate::{TlsError, TlsFiles};
pub(crate) use client_address::ClientAddress;
pub use client_address::{ForwardedHeader, TrustedProxies};
pub(crate) use incoming::incoming;
pub(crate) use tls::Tls;
