//! Export to an OpenTelemetry collector (OTLP over http/protobuf), configured by the standard `OTEL_*`
//! variables.

mod error;
mod http_client;
mod resource;
mod sampler;
mod settings;
mod signal;

pub use error::OtlpError;
pub(super) use resource::resource;
pub(super) use sampler::UNTRACED_SPAN;
pub use settings::OtlpSettings;
