//! The sampler of `OTEL_TRACES_SAMPLER`, restricted to calls: background work, health checks and reflection
//! are never traced.

use opentelemetry::trace::{Link, SpanKind, TraceContextExt, TraceId, TraceState};
use opentelemetry::{Context, KeyValue};
use opentelemetry_sdk::trace::{Sampler, SamplingDecision, SamplingResult, ShouldSample};

use super::error::OtlpError;

/// The span name of calls that are not RPCs of ours: health, reflection, unknown paths.
pub(in crate::telemetry) const UNTRACED_SPAN: &str = "other";

const SAMPLER: &str = "OTEL_TRACES_SAMPLER";
const ARGUMENT: &str = "OTEL_TRACES_SAMPLER_ARG";

/// Decides which spans are exported.
#[derive(Clone, Debug)]
pub(in crate::telemetry) struct CallSampler(Sampler);

impl Default for CallSampler {
    fn default() -> Self {
        Self(Sampler::ParentBased(Box::new(Sampler::AlwaysOn)))
    }
}

impl CallSampler {
    /// Reads the sampler's variables.
    pub(super) fn from_variables(variable: &impl Fn(&str) -> Option<String>) -> Result<Self, OtlpError> {
        let unsupported =
            |variable: &str, expected| OtlpError::Unsupported { variable: variable.to_owned(), expected };
        let ratio = match variable(ARGUMENT).map(|value| value.trim().parse::<f64>()) {
            None => 1.0,
            Some(Ok(ratio)) if (0.0..=1.0).contains(&ratio) => ratio,
            Some(_) => return Err(unsupported(ARGUMENT, "a number from 0 to 1")),
        };
        let Some(name) = variable(SAMPLER) else { return Ok(Self::default()) };
        let parent_based = |sampler| Sampler::ParentBased(Box::new(sampler));
        let sampler = match name.trim() {
            "always_on" => Sampler::AlwaysOn,
            "always_off" => Sampler::AlwaysOff,
            "traceidratio" => Sampler::TraceIdRatioBased(ratio),
            "parentbased_always_on" => parent_based(Sampler::AlwaysOn),
            "parentbased_always_off" => parent_based(Sampler::AlwaysOff),
            "parentbased_traceidratio" => parent_based(Sampler::TraceIdRatioBased(ratio)),
            _ => {
                let names = "always_on, always_off, traceidratio, or one of these prefixed with parentbased_";
                return Err(unsupported(SAMPLER, names));
            }
        };
        Ok(Self(sampler))
    }
}

impl ShouldSample for CallSampler {
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
        let in_call = has_parent || *kind == SpanKind::Server;
        if !in_call || name == UNTRACED_SPAN {
            return SamplingResult {
                decision: SamplingDecision::Drop,
                attributes: Vec::new(),
                trace_state: TraceState::default(),
            };
        }
        self.0.should_sample(parent, trace_id, name, kind, attributes, links)
    }
}
