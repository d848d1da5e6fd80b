//! The REST bindings of the services: this list has every RPC.

use std::collections::BTreeSet;

use transcode::{Body, Routes};
use wire::DESCRIPTORS;

const BINDINGS: &str = "\
AbortMatch      POST  /v1/matches/{match_id}:abort
AnswerProposal  POST  /v1/matches/{match_id}/proposals:answer
BatchGetMatches GET   /v1/matches:batchGet
CheckMove       POST  /v1/matches/{match_id}/moves:check
ClaimSeat       POST  /v1/matches/{match_id}/seats/{seat}:claim
CreateMatch     POST  /v1/matches
CreateRematch   POST  /v1/matches/{match_id}:rematch
CreateWebhook   POST  /v1/webhooks
DeleteWebhook   DELETE /v1/webhooks/{webhook_id}
ExportLog       GET   /v1/matches/{match_id}/log
ExportMatches   GET   /v1/logs
ForkMatch       POST  /v1/matches/{match_id}:fork
GetChoices      POST  /v1/matches/{match_id}/choices
GetGame         GET   /v1/games/{game_id}
GetMatch        GET   /v1/matches/{match_id}
GetView         GET   /v1/matches/{match_id}/view
GetWebhook      GET   /v1/webhooks/{webhook_id}
ListDeadLetters GET   /v1/webhooks/{webhook_id}/deadLetters
ListEvents      GET   /v1/matches/{match_id}/events
ListGames       GET   /v1/games
ListKeys        GET   /v1/keys
ListLegalMoves  GET   /v1/matches/{match_id}/legalMoves
ListMatches     GET   /v1/matches
ListWebhooks    GET   /v1/webhooks
MakeProposal    POST  /v1/matches/{match_id}/proposals
PingWebhook     POST  /v1/webhooks/{webhook_id}:ping
RedactPlayer    POST  /v1/matches/{match_id}/seats/{seat}:redactPlayer
Resign          POST  /v1/matches/{match_id}:resign
RetryDeadLetters POST  /v1/webhooks/{webhook_id}/deadLetters:retry
RotateSeatToken POST  /v1/matches/{match_id}/seats/{seat}:rotate
RotateWebhookSecret POST  /v1/webhooks/{webhook_id}:rotateSecret
SignHead        GET   /v1/matches/{match_id}/head
StreamFeed      GET   /v1/feed
SubmitMove      POST  /v1/matches/{match_id}/moves
SubmitMoves     POST  /v1/moves:submit
SuggestMove     GET   /v1/matches/{match_id}/moves:suggest
UpdateMatchLabels POST  /v1/matches/{match_id}:updateLabels
UpdateWebhook   PATCH /v1/webhooks/{webhook_id}
WatchMatch      GET   /v1/matches/{match_id}/watch
";

fn routes() -> Routes {
    Routes::from_pool(&DESCRIPTORS).expect("the annotations are sound and free of conflicts")
}

#[test]
fn the_bindings_are_these() {
    let mut lines: Vec<String> = routes()
        .iter()
        .map(|route| {
            let method = route.http_method().to_string();
            format!("{:<15} {method:<5} {}\n", route.rpc().name(), route.template())
        })
        .collect();
    lines.sort();
    assert_eq!(lines.concat(), BINDINGS);
}

#[test]
fn paths_are_in_one_casing() {
    // AIP-122 and AIP-136: lowerCamelCase for collections and verbs, snake_case for fields of the request.
    let is_camel = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_lowercase())
            && word.chars().all(|char| char.is_ascii_alphanumeric())
    };
    for route in routes().iter() {
        let template = route.template().to_string();
        for word in template.trim_start_matches('/').split(['/', ':']) {
            assert!(is_camel(word) || (word.starts_with('{') && word.ends_with('}')), "{word} in {template}");
        }
    }
}

#[test]
fn every_rpc_is_bound() {
    let routes = routes();
    let bound: BTreeSet<&str> = routes.iter().map(|route| route.rpc().full_name()).collect();
    for rpc in DESCRIPTORS.services().flat_map(|service| service.methods().collect::<Vec<_>>()) {
        assert!(bound.contains(rpc.full_name()), "{} has no REST form", rpc.full_name());
    }
}

#[test]
fn a_post_or_patch_takes_its_whole_request_and_a_get_no_body() {
    for route in routes().iter() {
        let wanted = match route.http_method().to_string().as_str() {
            "POST" | "PATCH" => Body::Whole,
            _ => Body::None,
        };
        assert_eq!(*route.body(), wanted, "{}", route.rpc().name());
    }
}

#[test]
fn reflection_can_show_the_annotations() {
    for file in ["google/api/annotations.proto", "google/api/http.proto", "google/protobuf/descriptor.proto"]
    {
        assert!(DESCRIPTORS.get_file_by_name(file).is_some(), "{file} is not in the descriptor set");
    }
}
