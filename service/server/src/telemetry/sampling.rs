//! Which calls are traced: what `OTEL_TRACES_SAMPLER` says, for calls alone. Work that no call asked for, health checks
//! and reflection are never traced.

use opentelemetry::trace::{Link, SpanKind, TraceContextExt, TraceId, TraceState};
use opentelemetry::{Context, KeyValue};
use opentelemetry_sdk::trace::{Sampler, SamplingDecision, SamplingResult, ShouldSample};

use super::otlp::OtlpError;
use super::spans::UNTRACED;

const SAMPLER: &str = "OTEL_TRACES_SAMPLER";
const ARGUMENT: &str = "OTEL_TRACES_SAMPLER_ARG";

/// Decides for a span whether it is sent.
#[derive(Clone, Debug)]
pub(super) struct Sampling(Sampler);

impl Default for Sampling {
    fn default() -> Self {
        Self(Sampler::ParentBased(Box::new(Sampler::AlwaysOn)))
    }
}

impl Sampling {
    /// As the variables wish.
    pub(super) fn of(variable: &impl Fn(&str) -> Option<String>) -> Result<Self, OtlpError> {
        let unknown = |variable: &str, known| OtlpError::Unknown { variable: variable.to_owned(), known };
        let ratio = match variable(ARGUMENT).map(|value| value.trim().parse::<f64>()) {
            None => 1.0,
            Some(Ok(ratio)) if (0.0..=1.0).contains(&ratio) => ratio,
            Some(_) => return Err(unknown(ARGUMENT, "a number from 0 to 1")),
        };
        let Some(name) = variable(SAMPLER) else { return Ok(Self::default()) };
        let by_parent = |sampler| Sampler::ParentBased(Box::new(sampler));
        let sampler = match name.trim() {
            "always_on" => Sampler::AlwaysOn,
            "always_off" => Sampler::AlwaysOff,
            "traceidratio" => Sampler::TraceIdRatioBased(ratio),
            "parentbased_always_on" => by_parent(Sampler::AlwaysOn),
            "parentbased_always_off" => by_parent(Sampler::AlwaysOff),
            "parentbased_traceidratio" => by_parent(Sampler::TraceIdRatioBased(ratio)),
            _ => {
                let known =
                    "always_on, always_off, traceidratio, or one of these with parentbased_ before it";
                return Err(unknown(SAMPLER, known));
            }
        };
        Ok(Self(sampler))
    }
}

impl ShouldSample for Sampling {
    fn should_sample(
        &self,
        parent: Option<&Context>,
        trace_id: TraceId,
        name: &str,
        kind: &SpanKind,
        attributes: &[KeyValue],
        links: &[Link],
    ) -> SamplingResult {
        let has_parent = parent.is_some_and(Context::has_active_span);
        let of_a_call = has_parent || *kind == SpanKind::Server;
        if !of_a_call || name == UNTRACED {
            return SamplingResult {
                decision: SamplingDecision::Drop,
                attributes: Vec::new(),
                trace_state: TraceState::default(),
            };
        }
        self.0.should_sample(parent, trace_id, name, kind, attributes, links)
    }
}
