//! The statuses of failed calls by RPC: reasons that any call can have, reasons that follow from the form of
//! the request, and those that the RPC's comment lists after `Errors:`, with the table of refusals.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use transcode::{Body, ErrorStatus, Route, Routes};
use wire::v1::{Credentials, ErrorReason, Retry};

use crate::protocol::{accepted_credentials, error_mapping, parse_reason};

/// The reasons for which any call over HTTP can fail. That of an unsupported method is what its path answers.
const ANY: [ErrorReason; 8] = [
    ErrorReason::InvalidArgument,
    ErrorReason::MethodNotAllowed,
    ErrorReason::NotAcceptable,
    ErrorReason::MessageTooLarge,
    ErrorReason::RateLimited,
    ErrorReason::Overloaded,
    ErrorReason::ShuttingDown,
    ErrorReason::Internal,
];

/// The fields of requests that name a seq which the match must have reached.
const REACHED_SEQS: [&str; 2] = ["expected_seq", "min_seq"];

/// Introduces an RPC's reasons in its comment.
const LIST: &str = "Errors:";

/// Introduces another RPC, whose reasons this one has as well.
const THOSE_OF: &str = "those of ";

/// Returns the statuses of every RPC by its full name.
pub(super) fn by_rpc(routes: &Routes) -> BTreeMap<String, Vec<ErrorStatus>> {
    let comments = transcode::rpc_comments(routes);
    let by_rpc = routes.iter().map(|route| {
        let mut reasons = BTreeSet::from(ANY);
        reasons.extend(of_credentials(route));
        reasons.extend(of_form(route));
        reasons.extend(listed(route.rpc().full_name(), &comments));
        (route.rpc().full_name().to_owned(), statuses(&reasons))
    });
    by_rpc.collect()
}

/// Returns the statuses of the pages that are no RPCs, for which a request's length is limited too.
pub(super) fn of_pages(unready: bool) -> Vec<ErrorStatus> {
    let unready = unready.then_some([ErrorReason::Overloaded, ErrorReason::ShuttingDown]);
    let any = [ErrorReason::MessageTooLarge, ErrorReason::MethodNotAllowed];
    statuses(&unready.into_iter().flatten().chain(any).collect())
}

/// Returns the reason for which credentials are refused, if the RPC reads any.
fn of_credentials(route: &Route) -> Option<ErrorReason> {
    match accepted_credentials(route.rpc().name())? {
        Credentials::Unspecified | Credentials::None => None,
        Credentials::OptionalKey
        | Credentials::Key
        | Credentials::Optional
        | Credentials::KeyOrSeat
        | Credentials::Seat => Some(ErrorReason::BadToken),
    }
}

/// The reasons for which a call on a match can be refused, whatever it does.
const OF_A_MATCH: [ErrorReason; 3] =
    [ErrorReason::UnknownMatch, ErrorReason::UnknownRulesVersion, ErrorReason::MatchArchived];

/// Returns the reasons that follow from the fields and the body of a request.
fn of_form(route: &Route) -> Vec<ErrorReason> {
    let mut reasons = Vec::new();
    if route.rpc().input().get_field_by_name("match_id").is_some() {
        reasons.extend(OF_A_MATCH);
    }
    if REACHED_SEQS.iter().any(|name| route.rpc().input().get_field_by_name(name).is_some()) {
        reasons.push(ErrorReason::UnknownSeq);
    }
    if route.rpc().is_server_streaming() {
        reasons.push(ErrorReason::TooManyStreams);
    }
    if *route.body() != Body::None {
        reasons.push(ErrorReason::UnsupportedMediaType);
    }
    reasons
}

/// Returns the reasons that the comment of an RPC lists.
fn listed(rpc: &str, comments: &BTreeMap<String, String>) -> BTreeSet<ErrorReason> {
    let Some((_, list)) = comments.get(rpc).and_then(|comment| comment.split_once(LIST)) else {
        return BTreeSet::new();
    };
    let mut reasons: BTreeSet<ErrorReason> = list.split('`').filter_map(parse_reason).collect();
    if let Some((_, other)) = list.split_once(THOSE_OF) {
        let (service, _) = rpc.rsplit_once('.').unwrap_or_default();
        let name: String = other.chars().take_while(char::is_ascii_alphanumeric).collect();
        reasons.extend(listed(&format!("{service}.{name}"), comments));
    }
    reasons
}

fn statuses(reasons: &BTreeSet<ErrorReason>) -> Vec<ErrorStatus> {
    let mut by_status: BTreeMap<u16, Vec<ErrorReason>> = BTreeMap::new();
    for reason in reasons {
        by_status.entry(error_mapping(*reason).http).or_default().push(*reason);
    }
    let statuses = by_status.into_iter().map(|(http, reasons)| {
        let names: Vec<String> =
            reasons.iter().map(|reason| format!("`{}`", play::reason_name(*reason))).collect();
        ErrorStatus {
            http,
            description: match http {
                405 => format!("Refused to other methods at this path: {}.", names.join(", ")),
                _ => format!("Refused: {}.", names.join(", ")),
            },
            headers: headers(http, &reasons),
        }
    });
    statuses.collect()
}

fn headers(http: u16, reasons: &[ErrorReason]) -> Map<String, Value> {
    let mut headers = Map::new();
    if http == 401 {
        let text = "The schemes of the credentials that can help: `Bearer` for an API key, and that of a \
                    seat's token.";
        headers.insert("WWW-Authenticate".to_owned(), header(text, json!({"type": "string"})));
    }
    if http == 405 {
        let text = "The methods that the path supports.";
        headers.insert("Allow".to_owned(), header(text, json!({"type": "string"})));
    }
    if reasons.iter().any(|reason| wire::retry(*reason) != Retry::Unspecified) {
        let text = "Seconds to wait before retrying; absent if retrying does not help.";
        headers.insert("Retry-After".to_owned(), header(text, json!({"type": "integer", "minimum": 0})));
    }
    headers
}

/// Returns an OpenAPI header object.
pub(super) fn header(description: &str, schema: Value) -> Value {
    json!({"description": description, "schema": schema})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_in_a_list_of_errors_is_a_reason_or_an_rpc() {
        let routes = Routes::from_pool(&wire::DESCRIPTORS).unwrap();
        let comments = transcode::rpc_comments(&routes);
        for (rpc, comment) in &comments {
            let Some((_, list)) = comment.split_once(LIST) else { continue };
            for name in list.split('`').skip(1).step_by(2) {
                assert!(parse_reason(name).is_some(), "{rpc} lists `{name}`, which is no reason");
            }
            assert!(!listed(rpc, &comments).is_empty(), "{rpc} lists no reason: {list}");
        }
    }

    #[test]
    fn a_request_that_names_a_seq_to_be_reached_lists_the_refusal_in_its_comment() {
        let routes = Routes::from_pool(&wire::DESCRIPTORS).unwrap();
        let comments = transcode::rpc_comments(&routes);
        let has = |route: &Route, names: &[&str]| {
            names.iter().any(|name| route.rpc().input().get_field_by_name(name).is_some())
        };
        let mut naming = BTreeSet::new();
        for route in routes.iter().filter(|route| has(route, &REACHED_SEQS) || has(route, &["at_seq"])) {
            let rpc = route.rpc().full_name();
            assert!(listed(rpc, &comments).contains(&ErrorReason::UnknownSeq), "{rpc}");
            naming.insert(route.rpc().name().to_owned());
        }
        for name in ["CheckMove", "GetChoices", "GetView", "ListEvents", "SubmitMove"] {
            assert!(naming.contains(name), "{name}");
        }
    }

    #[test]
    fn the_form_of_a_request_has_reasons_of_its_own() {
        let routes = Routes::from_pool(&wire::DESCRIPTORS).unwrap();
        let of = |name: &str| of_form(routes.iter().find(|route| route.rpc().name() == name).unwrap());
        assert!(of("ListEvents").contains(&ErrorReason::UnknownSeq), "it has `min_seq`");
        assert!(of("SubmitMove").contains(&ErrorReason::UnknownSeq), "it has `expected_seq`");
        assert!(of("ExportLog").contains(&ErrorReason::TooManyStreams), "it is a stream");
        assert_eq!(of("GetMatch"), OF_A_MATCH);
        assert!(OF_A_MATCH.contains(&ErrorReason::MatchArchived));
    }

    #[test]
    fn a_list_can_refer_to_another_rpc() {
        let comments = BTreeMap::from(
            [
                ("club.v1.Club.Join", "Joins. Errors: `BAD_TOKEN`, `MATCH_OVER`."),
                ("club.v1.Club.Leave", "Leaves. Errors: those of Join, and `NO_PROPOSAL`."),
            ]
            .map(|(rpc, comment)| (rpc.to_owned(), comment.to_owned())),
        );
        let reasons = [ErrorReason::BadToken, ErrorReason::MatchOver, ErrorReason::NoProposal];
        assert_eq!(listed("club.v1.Club.Leave", &comments), BTreeSet::from(reasons));
    }
}
