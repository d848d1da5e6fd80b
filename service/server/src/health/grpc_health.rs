//! The status that gRPC health v1 reports.

use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;
use wire::v1::{game_service_server, log_service_server, match_service_server, webhook_service_server};

/// The health service name for liveness: serving while the process runs, whatever the state of its database.
/// Supervisors check this one, as a restart does not repair a database.
pub const LIVENESS_SERVICE: &str = "liveness";

/// The names with a readiness status; the empty name is the whole server.
const READINESS_SERVICES: [&str; 5] = [
    "",
    game_service_server::SERVICE_NAME,
    log_service_server::SERVICE_NAME,
    match_service_server::SERVICE_NAME,
    webhook_service_server::SERVICE_NAME,
];

/// Sets the readiness status, which also reaches health watches.
pub(crate) async fn report(reporter: &HealthReporter, status: ServingStatus) {
    for name in READINESS_SERVICES {
        reporter.set_service_status(name, status).await;
    }
}

/// Sets the liveness status to serving.
pub(crate) async fn report_liveness(reporter: &HealthReporter) {
    reporter.set_service_status(LIVENESS_SERVICE, ServingStatus::Serving).await;
}
