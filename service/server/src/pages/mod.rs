//! The fixed paths that are not RPCs: index, health probes, metrics, OpenAPI and its reference page.

mod fixed_page;
mod metrics_access;
mod response;

pub use metrics_access::MetricsAccess;
pub(crate) use metrics_access::MetricsGuard;
pub(crate) use response::Pages;
