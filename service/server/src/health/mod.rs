//! Health: gRPC health v1, and the readiness behind it and `/readyz`.

mod grpc_health;
mod own_listener;
mod readiness;

pub use grpc_health::LIVENESS_SERVICE;
pub(crate) use grpc_health::{report, report_liveness};
pub(crate) use own_listener::spawn;
pub(crate) use readiness::Readiness;
