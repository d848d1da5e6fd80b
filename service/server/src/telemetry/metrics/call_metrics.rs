//! Call durations by method and code, and refusals by reason. Recorded on every call, so each series is bound
//! once and kept: recording takes one uncontended lock and no allocation.

use std::sync::OnceLock;
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{BoundCounter, BoundHistogram, Counter, Histogram, Meter};
use tonic::Code;
use transcode::code_name;
use wire::v1::ErrorReason;

use crate::protocol::{MethodIndex, RpcMethods, error_reasons};

/// Bucket boundaries in seconds, from a view in memory to the longest wait.
const DURATION_BUCKETS: [f64; 14] =
    [0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.125, 0.25, 0.5, 1.0, 2.5, 10.0];

/// The number of gRPC status codes, which start at 0.
const CODE_COUNT: usize = 17;

/// The instruments of calls.
pub(crate) struct CallMetrics {
    durations: Histogram<f64>,
    refusals: Counter<u64>,
    /// Each method's name and its series by code, bound on first use.
    methods: Vec<(String, [OnceLock<BoundHistogram<f64>>; CODE_COUNT])>,
    /// The series by reason number, bound on first use.
    reasons: Vec<OnceLock<BoundCounter<u64>>>,
}

impl CallMetrics {
    /// Creates the instruments for all methods.
    pub(crate) fn new(methods: &RpcMethods, meter: &Meter) -> Self {
        let durations = meter
            .f64_histogram("matchbook.rpc.duration")
            .with_unit("s")
            .with_description(
                "Time to respond to a call over gRPC, gRPC-Web or REST; for a stream, to its first message",
            )
            .with_boundaries(DURATION_BUCKETS.into())
            .build();
        let refusals = meter
            .u64_counter("matchbook.refusals")
            .with_description("Refused calls and HTTP requests, and streams ended by an error")
            .build();
        let methods = methods
            .names()
            .into_iter()
            .map(|name| (name.to_string(), std::array::from_fn(|_| OnceLock::new())));
        let highest = error_reasons().map(number).max().unwrap_or_default();
        let reasons = (0..=highest).map(|_| OnceLock::new()).collect();
        Self { durations, refusals, methods: methods.collect(), reasons }
    }

    /// Records a call that was responded to or cancelled.
    pub(crate) fn record(&self, MethodIndex(method): MethodIndex, code: Code, duration: Duration) {
        let Some((name, by_code)) = self.methods.get(method) else { return };
        let Some(series) = usize::try_from(i32::from(code)).ok().and_then(|code| by_code.get(code)) else {
            return;
        };
        let series = series.get_or_init(|| {
            let labels = [KeyValue::new("method", name.clone()), KeyValue::new("code", code_name(code))];
            self.durations.bind(&labels)
        });
        series.record(duration.as_secs_f64());
    }

    /// Counts a refusal.
    pub(crate) fn record_refusal(&self, reason: ErrorReason) {
        let Some(series) = self.reasons.get(number(reason)) else { return };
        let series =
            series.get_or_init(|| self.refusals.bind(&[KeyValue::new("reason", play::reason_name(reason))]));
        series.add(1);
    }
}

fn number(reason: ErrorReason) -> usize {
    usize::try_from(i32::from(reason)).unwrap_or_default()
}
