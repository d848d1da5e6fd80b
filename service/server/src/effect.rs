//! What each RPC does to the world, read off the protocol itself, and its name for the log.

use std::collections::HashMap;
use std::sync::Arc;

/// What cutting a call short would leave unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It may have changed something.
    Changes,
    /// It only looks.
    Looks,
    /// Health and reflection: answered from memory, and needed most when the service is busy.
    Serves,
}

/// An RPC as the door sees it.
#[derive(Debug, Clone)]
pub(crate) struct Method {
    /// `MatchService/SubmitMove`, for the log.
    pub(crate) name: Arc<str>,
    /// What it does.
    pub(crate) effect: Effect,
    /// Which of `Methods::names` it is.
    pub(crate) number: MethodNumber,
}

/// A method's place among all methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MethodNumber(pub(crate) usize);

/// All RPCs of the protocol by their HTTP path.
#[derive(Clone)]
pub(crate) struct Methods {
    by_path: Arc<HashMap<String, Method>>,
    other: Method,
}

impl Methods {
    /// Reads the protocol's descriptors. A request that can be repeated safely has a `request_id`, because it
    /// changes something; there is no other mark to keep in step.
    pub(crate) fn of_protocol() -> Self {
        let mut by_path = HashMap::new();
        for service in wire::DESCRIPTORS.services() {
            for method in service.methods() {
                let changes = method.input().get_field_by_name("request_id").is_some();
                let effect = if changes { Effect::Changes } else { Effect::Looks };
                let name = format!("{}/{}", service.name(), method.name()).into();
                let path = format!("/{}/{}", service.full_name(), method.name());
                let number = MethodNumber(by_path.len());
                by_path.insert(path, Method { name, effect, number });
            }
        }
        // A path that a caller made up has no place in the log.
        let number = MethodNumber(by_path.len());
        let other = Method { name: "other".into(), effect: Effect::Serves, number };
        Self { by_path: Arc::new(by_path), other }
    }

    /// All names, in the order of their numbers; the last is `other`.
    pub(crate) fn names(&self) -> Vec<Arc<str>> {
        let mut methods: Vec<&Method> = self.by_path.values().chain([&self.other]).collect();
        methods.sort_by_key(|method| method.number.0);
        methods.into_iter().map(|method| Arc::clone(&method.name)).collect()
    }

    /// The RPC behind a path; everything unknown is `other`.
    pub(crate) fn at(&self, path: &str) -> &Method {
        self.by_path.get(path).unwrap_or(&self.other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_from_looks() {
        let methods = Methods::of_protocol();
        let mut changing: Vec<&str> = methods
            .by_path
            .values()
            .filter(|method| method.effect == Effect::Changes)
            .map(|method| &*method.name)
            .collect();
        changing.sort_unstable();
        assert_eq!(
            changing,
            [
                "MatchService/AbortMatch",
                "MatchService/AcceptDraw",
                "MatchService/ClaimSeat",
                "MatchService/CreateMatch",
                "MatchService/CreateRematch",
                "MatchService/DeclineDraw",
                "MatchService/ForkMatch",
                "MatchService/OfferDraw",
                "MatchService/Resign",
                "MatchService/RotateSeatToken",
                "MatchService/SubmitMove",
            ]
        );
        assert_eq!(methods.at("/matchbook.v1.MatchService/GetView").effect, Effect::Looks);
        assert_eq!(methods.at("/grpc.health.v1.Health/Check").effect, Effect::Serves);
    }
}
