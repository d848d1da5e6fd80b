//! The service's metrics: one meter, read as Prometheus text at `/metrics` and exported by OTLP if
//! configured. `call_metrics` and the journal record as events happen; `gauges` reads values when they are
//! collected.

mod call_metrics;
mod gauges;
mod pipeline;

pub(crate) use call_metrics::CallMetrics;
pub(crate) use pipeline::Metrics;
