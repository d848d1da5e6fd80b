//! Keeps the last value of each span attribute. tracing-opentelemetry appends a value on every record instead
//! of replacing it.

use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SpanData, SpanExporter as ExportSpans};

/// An exporter that removes overwritten attribute values.
#[derive(Debug)]
pub(super) struct LastValueExporter(pub(super) SpanExporter);

impl ExportSpans for LastValueExporter {
    async fn export(&self, mut batch: Vec<SpanData>) -> OTelSdkResult {
        for span in &mut batch {
            keep_last(&mut span.attributes);
        }
        self.0.export(batch).await
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.0.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.0.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.0.set_resource(resource);
    }
}

fn keep_last(attributes: &mut Vec<KeyValue>) {
    let mut index = 0;
    while index < attributes.len() {
        let overwritten = attributes[index + 1..].iter().any(|later| later.key == attributes[index].key);
        if overwritten {
            attributes.remove(index);
        } else {
            index += 1;
        }
    }
}
