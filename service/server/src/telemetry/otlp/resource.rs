//! The OpenTelemetry resource that identifies this process.

use std::env;
use std::sync::LazyLock;

use opentelemetry::KeyValue;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::resource::{EnvResourceDetector, TelemetryResourceDetector};
use uuid::Uuid;

/// The same instance id for traces and metrics.
static INSTANCE_ID: LazyLock<Uuid> = LazyLock::new(Uuid::new_v4);

/// Returns the attributes of `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`, with defaults for the
/// missing ones.
pub(in crate::telemetry) fn resource() -> Resource {
    let defaults = [
        KeyValue::new("service.name", "matchbook"),
        KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
        KeyValue::new("service.instance.id", INSTANCE_ID.to_string()),
    ];
    let builder = Resource::builder_empty()
        .with_attributes(defaults)
        .with_detector(Box::new(TelemetryResourceDetector))
        .with_detector(Box::new(EnvResourceDetector::new()));
    match env::var("OTEL_SERVICE_NAME") {
        Ok(name) if !name.is_empty() => builder.with_service_name(name).build(),
        _ => builder.build(),
    }
}
