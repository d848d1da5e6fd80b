//! A gRPC health client for the service on this machine.

mod any_certificate;

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use server::{LIVENESS_SERVICE, ListenError, resolve_address};
use tonic::Status;
use tonic::transport::Endpoint;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

/// Time limit for connecting, and again for the response.
const TIMEOUT: Duration = Duration::from_secs(3);

/// The property to check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HealthProbe {
    /// Whether the service accepts calls.
    Readiness,
    /// Whether the process responds, whatever the state of its database.
    Liveness,
}

/// The transport to connect with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HealthTransport {
    Plaintext,
    /// TLS, accepting any certificate.
    Tls,
}

impl fmt::Display for HealthTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plaintext => "plaintext",
            Self::Tls => "TLS",
        })
    }
}

/// Why a service is not healthy.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HealthError {
    /// The address to check is not one.
    #[error(transparent)]
    Address(#[from] ListenError),
    /// No connection was made.
    #[error("cannot connect to {address} over {transport}; check that matchbookd is running")]
    Unreachable {
        /// The address tried.
        address: SocketAddr,
        /// The transport tried.
        transport: HealthTransport,
    },
    /// The server at the address does not implement gRPC health.
    #[error(
        "{address} does not respond to gRPC health checks over {transport}: {message}; check the address, \
         and give --tls-cert here if the service has it",
        message = status.message()
    )]
    NotAHealthService {
        /// The address of the other server.
        address: SocketAddr,
        /// The transport of the connection.
        transport: HealthTransport,
        /// Its response.
        status: Status,
    },
    /// The service reports `NOT_SERVING`.
    #[error(
        "the service at {address} is not serving: it is stopping or its database is unavailable; see its log"
    )]
    NotServing {
        /// The address of the service.
        address: SocketAddr,
    },
}

/// Checks the service that listens on this address, and returns the address it connected to.
pub(crate) async fn check(
    listen: &str,
    transport: HealthTransport,
    probe: HealthProbe,
) -> Result<SocketAddr, HealthError> {
    let address = connectable(resolve_address(listen).await?);
    let endpoint = Endpoint::from_shared(format!("http://{address}"))
        .expect("an address makes a URL")
        .connect_timeout(TIMEOUT)
        .timeout(TIMEOUT);
    let channel = match transport {
        HealthTransport::Plaintext => endpoint.connect().await,
        HealthTransport::Tls => endpoint.connect_with_connector(any_certificate::connector(address)).await,
    };
    let channel = channel.map_err(|_| HealthError::Unreachable { address, transport })?;
    let service = match probe {
        HealthProbe::Readiness => "",
        HealthProbe::Liveness => LIVENESS_SERVICE,
    };
    let request = HealthCheckRequest { service: service.to_owned() };
    let response = HealthClient::new(channel).check(request).await;
    let response =
        response.map_err(|status| HealthError::NotAHealthService { address, transport, status })?;
    match response.into_inner().status() {
        ServingStatus::Serving => Ok(address),
        ServingStatus::NotServing | ServingStatus::Unknown | ServingStatus::ServiceUnknown => {
            Err(HealthError::NotServing { address })
        }
    }
}

/// Replaces an unspecified address, which cannot be connected to, with the loopback.
fn connectable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}
