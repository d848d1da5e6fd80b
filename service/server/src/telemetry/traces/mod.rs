//! Traces: one span per call, converted to OpenTelemetry's RPC conventions and exported.

mod conventions;
mod last_value;
mod pipeline;
pub(crate) mod traceparent;

pub(crate) use conventions::{CALL_SPAN, record_end};
pub use pipeline::TracePipeline;
