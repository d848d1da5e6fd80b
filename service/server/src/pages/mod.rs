//! The paths that are not RPCs: the page for browsers, the index for scripts, health probes, metrics, OpenAPI
//! and its reference page.

mod application;
mod fixed_page;
mod metrics_access;
mod response;

pub use metrics_access::MetricsAccess;
pub(crate) use metrics_access::MetricsGuard;
pub(crate) use response::Pages;
