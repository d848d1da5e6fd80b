//! What the service reports while it runs: the log, traces and metrics. Without OpenTelemetry settings it
//! only logs.

pub(crate) mod call_id;
pub(crate) mod call_log;
mod flush;
mod last_fields;
mod log;
mod log_format;
pub(crate) mod metrics;
mod otlp;
mod trace_ids;
pub(crate) mod traces;

pub(crate) use flush::flush;
pub use log::{LogFilterError, init_log};
pub use log_format::LogFormat;
pub use otlp::{OtlpError, OtlpSettings};
pub use traces::TracePipeline;
