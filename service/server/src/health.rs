//! gRPC health v1: what the service reports about itself.

use tonic::server::NamedService;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

use crate::rpc::{GameServer, LogServer, MatchServer};

/// The name under which the process says that it lives, whatever becomes of its database: what restarts it asks this one,
/// since a restart brings no database back.
pub const LIVENESS_SERVICE: &str = "liveness";

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
    reporter.set_service_status(LIVENESS_SERVICE, ServingStatus::Serving).await;
}
