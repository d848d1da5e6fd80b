//! Health: gRPC health v1, and the readiness behind it and `/readyz`.

mod grpc_health;
mod readiness;

pub use grpc_health::LIVENESS_SERVICE;
pub(crate) use grpc_health::{report, report_liveness};
pub(crate) use readiness::Readiness;
