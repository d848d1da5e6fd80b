//! The table of RPC methods, derived from the protocol's descriptors: which are writes, and their names in
//! logs and metrics.

use std::collections::HashMap;
use std::sync::Arc;

use prost_reflect::MethodDescriptor;
use prost_types::method_options::IdempotencyLevel;

/// The path of health checks. Health's other method is a stream like any other.
const HEALTH_CHECK: &str = "/grpc.health.v1.Health/Check";

/// What a timeout of the method leaves open, and which limits apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MethodKind {
    /// May have changed something.
    Write,
    /// Changes nothing.
    Read,
    /// Takes a stream of requests, each of which is admitted and answered as a call of its own.
    RequestStream,
    /// Health checks, which no limit applies to, as they are needed most under load.
    Health,
    /// Reflection, health watches, pages and unknown paths: served from memory, so that only rate limits and
    /// limits on streams apply.
    Other,
}

/// An RPC method.
#[derive(Debug, Clone)]
pub(crate) struct RpcMethod {
    /// `MatchService/SubmitMove`, as logs and metrics name it.
    pub(crate) name: Arc<str>,
    /// Whether it is a write.
    pub(crate) kind: MethodKind,
    /// Whether it returns a stream.
    pub(crate) is_streaming: bool,
    /// Its index in `RpcMethods::names`.
    pub(crate) index: MethodIndex,
}

/// A method's index among all methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MethodIndex(pub(crate) usize);

/// All RPC methods by HTTP path.
#[derive(Clone)]
pub(crate) struct RpcMethods {
    by_path: Arc<HashMap<String, RpcMethod>>,
    health: RpcMethod,
    other: RpcMethod,
}

impl RpcMethods {
    /// Reads the protocol's descriptors. A method with one request is a write unless it is declared to have
    /// no side effects.
    pub(crate) fn from_descriptors() -> Self {
        let mut by_path = HashMap::new();
        for service in wire::DESCRIPTORS.services() {
            for method in service.methods() {
                let kind = kind_of(&method);
                let name = format!("{}/{}", service.name(), method.name()).into();
                let path = format!("/{}/{}", service.full_name(), method.name());
                let index = MethodIndex(by_path.len());
                let is_streaming = method.is_server_streaming();
                by_path.insert(path, RpcMethod { name, kind, is_streaming, index });
            }
        }
        // Unknown paths are chosen by callers and must not reach logs or labels.
        let index = MethodIndex(by_path.len());
        let other = RpcMethod { name: "other".into(), kind: MethodKind::Other, is_streaming: true, index };
        let health = RpcMethod { kind: MethodKind::Health, is_streaming: false, ..other.clone() };
        Self { by_path: Arc::new(by_path), health, other }
    }

    /// Returns all names in the order of their indices, `other` last.
    pub(crate) fn names(&self) -> Vec<Arc<str>> {
        let mut methods: Vec<&RpcMethod> = self.by_path.values().chain([&self.other]).collect();
        methods.sort_by_key(|method| method.index.0);
        methods.into_iter().map(|method| Arc::clone(&method.name)).collect()
    }

    /// Returns the method at a path, `other` if the path is not one of the service's own.
    pub(crate) fn at(&self, path: &str) -> &RpcMethod {
        let other = if path == HEALTH_CHECK { &self.health } else { &self.other };
        self.by_path.get(path).unwrap_or(other)
    }

    /// Returns the method of requests that call none.
    pub(crate) fn other(&self) -> &RpcMethod {
        &self.other
    }
}

fn kind_of(method: &MethodDescriptor) -> MethodKind {
    if method.is_client_streaming() {
        MethodKind::RequestStream
    } else if is_read(method) {
        MethodKind::Read
    } else {
        MethodKind::Write
    }
}

/// Returns whether a method is declared to change nothing.
fn is_read(method: &MethodDescriptor) -> bool {
    let options = method.options();
    let level = options.get_field_by_name("idempotency_level");
    level.and_then(|level| level.as_enum_number()) == Some(IdempotencyLevel::NoSideEffects as i32)
}

#[cfg(test)]
mod tests {
    use http::Method;
    use transcode::{HttpMethod, Routes};

    use super::*;

    #[test]
    fn writes_are_told_from_reads() {
        let methods = RpcMethods::from_descriptors();
        let mut writes: Vec<&str> = methods
            .by_path
            .values()
            .filter(|method| method.kind == MethodKind::Write)
            .map(|method| &*method.name)
            .collect();
        writes.sort_unstable();
        assert_eq!(
            writes,
            [
                "MatchService/AbortMatch",
                "MatchService/AnswerProposal",
                "MatchService/ClaimSeat",
                "MatchService/CreateMatch",
                "MatchService/CreateRematch",
                "MatchService/ForkMatch",
                "MatchService/MakeProposal",
                "MatchService/RedactPlayer",
                "MatchService/Resign",
                "MatchService/RotateSeatToken",
                "MatchService/SubmitMove",
                "MatchService/UpdateMatchLabels",
                "WebhookService/CreateWebhook",
                "WebhookService/DeleteWebhook",
                "WebhookService/PingWebhook",
                "WebhookService/RetryDeadLetters",
                "WebhookService/RotateWebhookSecret",
                "WebhookService/UpdateWebhook",
            ]
        );
        for route in Routes::from_pool(&wire::DESCRIPTORS).unwrap().iter() {
            let is_get = *route.http_method() == HttpMethod::Only(Method::GET);
            assert!(!is_get || is_read(route.rpc()), "{} is a GET with side effects", route.rpc().name());
        }
        assert_eq!(methods.at("/matchbook.v1.MatchService/GetView").kind, MethodKind::Read);
        assert_eq!(methods.at("/matchbook.v1.MatchService/SubmitMoves").kind, MethodKind::RequestStream);
        assert_eq!(methods.at("/grpc.health.v1.Health/Check").kind, MethodKind::Health);
        assert_eq!(methods.at("/grpc.reflection.v1.ServerReflection/X").kind, MethodKind::Other);
    }
}
