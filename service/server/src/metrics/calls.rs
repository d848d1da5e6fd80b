//! Calls by method and code, with their latency, and refusals by reason. On the way of every call, so each series is
//! looked up once and then kept: a call costs one uncontended lock and no allocation.

use std::sync::OnceLock;
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{BoundCounter, BoundHistogram, Counter, Histogram, Meter};
use tonic::Code;
use transcode::code_name;
use wire::v1::ErrorReason;

use crate::effect::{MethodNumber, Methods};
use crate::errors;

/// Seconds, from a view out of memory to the longest wait.
const DURATIONS: [f64; 14] =
    [0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.125, 0.25, 0.5, 1.0, 2.5, 10.0];

/// gRPC has these many codes, from 0 on.
const CODES: usize = 17;

/// The counts of all calls.
pub(crate) struct Calls {
    durations: Histogram<f64>,
    refusals: Counter<u64>,
    /// Each method's name, and its series by code as they are needed.
    methods: Vec<(String, [OnceLock<BoundHistogram<f64>>; CODES])>,
    /// By the reason's number.
    reasons: Vec<OnceLock<BoundCounter<u64>>>,
}

impl Calls {
    /// Of all methods of the protocol.
    pub(crate) fn new(methods: &Methods, meter: &Meter) -> Self {
        let durations = meter
            .f64_histogram("matchbook.rpc.duration")
            .with_unit("s")
            .with_description(
                "Time to answer a call, over gRPC, gRPC-Web or REST; to the first frame of a watch",
            )
            .with_boundaries(DURATIONS.into())
            .build();
        let refusals = meter
            .u64_counter("matchbook.refusals")
            .with_description("Calls and HTTP requests that were refused, and watches that were broken off")
            .build();
        let methods = methods
            .names()
            .into_iter()
            .map(|name| (name.to_string(), std::array::from_fn(|_| OnceLock::new())));
        let most = errors::reasons().map(number).max().unwrap_or_default();
        let reasons = (0..=most).map(|_| OnceLock::new()).collect();
        Self { durations, refusals, methods: methods.collect(), reasons }
    }

    /// A call was answered, or given up by its caller.
    pub(crate) fn answered(&self, MethodNumber(method): MethodNumber, code: Code, took: Duration) {
        let Some((name, by_code)) = self.methods.get(method) else { return };
        let Some(series) = usize::try_from(i32::from(code)).ok().and_then(|code| by_code.get(code)) else {
            return;
        };
        let series = series.get_or_init(|| {
            let labels = [KeyValue::new("method", name.clone()), KeyValue::new("code", code_name(code))];
            self.durations.bind(&labels)
        });
        series.record(took.as_secs_f64());
    }

    /// Something was refused for this reason.
    pub(crate) fn refused(&self, reason: ErrorReason) {
        let Some(series) = self.reasons.get(number(reason)) else { return };
        let series =
            series.get_or_init(|| self.refusals.bind(&[KeyValue::new("reason", play::reason_word(reason))]));
        series.add(1);
    }
}

fn number(reason: ErrorReason) -> usize {
    usize::try_from(i32::from(reason)).unwrap_or_default()
}
