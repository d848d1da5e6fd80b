//! gRPC health v1: what the service says of itself, and the client that `matchbookd healthcheck` is.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use tonic::Status;
use tonic::server::NamedService;
use tonic::transport::Endpoint;
use tonic_health::ServingStatus;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus as Answer;
use tonic_health::pb::health_client::HealthClient;
use tonic_health::server::HealthReporter;

use crate::any_certificate;
use crate::listen::{self, ListenError};
use crate::rpc::{GameServer, LogServer, MatchServer};

/// How long a health check waits.
const PATIENCE: Duration = Duration::from_secs(3);

/// The name under which the process says that it lives, whatever becomes of its database: what restarts it asks this one,
/// since a restart brings no database back.
const LIVENESS: &str = "liveness";

/// The services that have a health of their own; the empty name is the whole.
const NAMES: [&str; 4] = ["", GameServer::NAME, LogServer::NAME, MatchServer::NAME];

/// Tells everybody who asks or watches.
pub(crate) async fn report(reporter: &HealthReporter, status: ServingStatus) {
    for name in NAMES {
        reporter.set_service_status(name, status).await;
    }
}

/// Says that the process lives, for as long as it does.
pub(crate) async fn report_life(reporter: &HealthReporter) {
    reporter.set_service_status(LIVENESS, ServingStatus::Serving).await;
}

/// What a service is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Whether calls should be sent there.
    Ready,
    /// Whether the process answers.
    Alive,
}

/// How a service is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Security {
    /// Without TLS.
    Plaintext,
    /// With TLS; whatever certificate is shown.
    Tls,
}

impl fmt::Display for Security {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plaintext => "in plaintext",
            Self::Tls => "over TLS",
        })
    }
}

/// Why a service is not healthy.
#[derive(Debug, thiserror::Error)]
pub enum HealthError {
    /// The address makes no sense.
    #[error(transparent)]
    Address(#[from] ListenError),
    /// Nobody answers there.
    #[error("nobody answers {security} at {address}: is matchbookd running?")]
    Unreachable {
        /// Where it was asked.
        address: SocketAddr,
        /// And how.
        security: Security,
    },
    /// Somebody answers, but not as a gRPC service with health does.
    #[error("what listens at {address} has no gRPC health: {status}")]
    Strange {
        /// Where it was asked.
        address: SocketAddr,
        /// What it says.
        status: Status,
    },
    /// It says so itself.
    #[error(
        "the service at {address} is not serving: it stops, or its database is not there; its log says why"
    )]
    NotServing {
        /// Where it was asked.
        address: SocketAddr,
    },
}

/// Asks the service that listens at `listen`.
pub async fn check(listen: &str, security: Security, question: Question) -> Result<SocketAddr, HealthError> {
    let address = reachable(listen::resolve(listen).await?);
    let endpoint = Endpoint::from_shared(format!("http://{address}"))
        .expect("an address makes a URL")
        .connect_timeout(PATIENCE)
        .timeout(PATIENCE);
    let channel = match security {
        Security::Plaintext => endpoint.connect().await,
        Security::Tls => endpoint.connect_with_connector(any_certificate::connector(address)).await,
    };
    let channel = channel.map_err(|_| HealthError::Unreachable { address, security })?;
    let service = match question {
        Question::Ready => "",
        Question::Alive => LIVENESS,
    };
    let request = HealthCheckRequest { service: service.to_owned() };
    let answer = HealthClient::new(channel).check(request).await;
    match answer.map_err(|status| HealthError::Strange { address, status })?.into_inner().status() {
        Answer::Serving => Ok(address),
        Answer::NotServing | Answer::Unknown | Answer::ServiceUnknown => {
            Err(HealthError::NotServing { address })
        }
    }
}

/// A service that listens everywhere is asked on the loopback.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}
