//! Sockets and connections: the listening address, TLS, bounds on idle and stalled clients, the client's
//! address, HTTP on each connection.

mod address;
mod byte_stream;
mod certificate;
mod client_address;
mod coalescing;
mod connection;
mod connections;
mod inbound;
mod preface;
mod serving;
mod stream;
mod tls;
mod write_timeout;

pub use address::{Exposure, ListenError, resolve_address};
pub(crate) use address::{ListenPolicy, bind, bind_for_health};
pub use certificate::{TlsError, TlsFiles};
pub(crate) use client_address::ClientAddress;
pub use client_address::{ForwardedHeader, TrustedProxies};
pub(crate) use connection::{Connection, RunningCall};
pub(crate) use connections::{ConnectionLimits, Connections};
pub(crate) use serving::{HttpLimits, serve};
pub(crate) use tls::Tls;
