//! The script of `clients/conformance`, through the client.

use std::collections::BTreeMap;
use std::time::Duration;

use conformance::{Outcome, Refusal, Script, ScriptCall, ScriptCredential, ScriptKeys};
use futures_util::{Stream, TryStreamExt as _};
use matchbook_client::{Client, Error, RetryPolicy, v1};
use prost::Message;
use prost_reflect::{DynamicMessage, MethodDescriptor, SerializeOptions};
use serde_json::Value;

use crate::stage::{Service, api_key};

/// Makes a call by the client's method of that name, which takes the request as a message.
macro_rules! by_method {
    ($client:ident, $call:ident, $($name:literal => $method:ident,)*) => {
        match $call.name.as_str() {
            $($name => json($call, &$client.$method(request($call)).await?),)*
            name => panic!("no method for {name}"),
        }
    };
}

#[tokio::test]
async fn the_client_has_the_outcomes_of_the_script() {
    let made =
        [("app", "app"), ("stranger", "app"), ("audit", "audit")].map(|(name, role)| api_key(name, role));
    let keys: Vec<&str> = made.iter().flat_map(|(_, config)| ["--api-key", config]).collect();
    let services: BTreeMap<String, Service> = Script::read()
        .services
        .into_iter()
        .map(|(name, flags)| {
            let flags: Vec<&str> = keys.iter().copied().chain(flags.iter().map(String::as_str)).collect();
            (name, Service::start_with(&flags))
        })
        .collect();
    let addresses = services.iter().map(|(name, service)| (name.clone(), service.address.clone())).collect();
    let [app, stranger, audit] = made.map(|(key, _)| key);
    conformance::run("rust", &ScriptKeys { app, stranger, audit }, &addresses, async |call| {
        Some(outcome(call).await)
    })
    .await;
}

async fn outcome(call: &ScriptCall) -> Outcome {
    // What is refused is refused at each attempt, and an answer is lost once.
    let quick = RetryPolicy::default().attempts(3).max_delay(Duration::from_millis(50));
    let client = Client::builder(&call.address).retry(quick).connect().await.expect("the service runs");
    let fits = "it fits into a header";
    let client = match &call.credential {
        ScriptCredential::Nobody => client.clone(),
        ScriptCredential::Key(key) => client.with_api_key(key).expect(fits),
        ScriptCredential::Token(token) => client.with_seat_token(token).expect(fits),
        ScriptCredential::TokenAndKey(token, key) => {
            client.with_api_key(key).expect(fits).with_seat_token(token).expect(fits)
        }
    };
    let outcome = if method(call).is_server_streaming() {
        stream(&client, call).await
    } else {
        unary(&client, call).await
    };
    outcome.map_err(|error| match error {
        Error::Refused(refusal) => Refusal {
            reason: refusal.reason.clone().unwrap_or_default(),
            metadata: Some(refusal.metadata.clone()),
            fields: Some(refusal.fields.iter().map(|field| field.path.clone()).collect()),
            retry: Some(refusal.retry_after.is_some()),
            message: refusal.message.clone(),
        },
        error => panic!("{call:?}: {error}"),
    })
}

async fn unary(client: &Client, call: &ScriptCall) -> Result<Value, Error> {
    if call.name == "GetMatch" {
        let v1::GetMatchRequest { match_id } = request(call);
        return Ok(json(call, &client.get_match(&match_id).await?));
    }
    Ok(by_method! { client, call,
        "ListGames" => list_games,
        "GetGame" => get_game,
        "ListKeys" => list_keys,
        "SignHead" => sign_head,
        "CreateMatch" => create_match,
        "ForkMatch" => fork_match,
        "CreateRematch" => create_rematch,
        "ClaimSeat" => claim_seat,
        "RotateSeatToken" => rotate_seat_token,
        "RedactPlayer" => redact_player,
        "ListMatches" => list_matches,
        "BatchGetMatches" => batch_get_matches,
        "UpdateMatchLabels" => update_match_labels,
        "GetView" => get_view,
        "ListEvents" => list_events,
        "ListLegalMoves" => list_legal_moves,
        "GetChoices" => get_choices,
        "CheckMove" => check_move,
        "SuggestMove" => suggest_move,
        "SubmitMove" => submit_move,
        "MakeProposal" => make_proposal,
        "AnswerProposal" => answer_proposal,
        "Resign" => resign,
        "AbortMatch" => abort_match,
        "CreateWebhook" => create_webhook,
        "GetWebhook" => get_webhook,
        "UpdateWebhook" => update_webhook,
        "PingWebhook" => ping_webhook,
        "RotateWebhookSecret" => rotate_webhook_secret,
        "ListDeadLetters" => list_dead_letters,
        "RetryDeadLetters" => retry_dead_letters,
        "DeleteWebhook" => delete_webhook,
    })
}

/// Reads a stream to its end.
async fn stream(client: &Client, call: &ScriptCall) -> Result<Value, Error> {
    match call.name.as_str() {
        "ExportLog" => {
            let v1::ExportLogRequest { match_id } = request(call);
            all(call, client.export_log(&match_id).await?).await
        }
        "ExportMatches" => all(call, client.export_matches(request(call)).await?).await,
        "StreamFeed" => {
            let asked: v1::StreamFeedRequest = request(call);
            all(call, client.feed().after(asked.after).until_caught_up()).await
        }
        "WatchMatch" => {
            let asked: v1::WatchMatchRequest = request(call);
            let watch = client.watch(asked.match_id);
            match (asked.after_seq, asked.after_hash) {
                (Some(seq), Some(hash)) => all(call, watch.after_event(seq, hash)).await,
                (Some(seq), None) => all(call, watch.after(seq)).await,
                (None, _) => all(call, watch).await,
            }
        }
        name => panic!("no stream {name}"),
    }
}

async fn all<T: Message>(
    call: &ScriptCall,
    stream: impl Stream<Item = Result<T, Error>>,
) -> Result<Value, Error> {
    stream.map_ok(|message| json(call, &message)).try_collect::<Vec<Value>>().await.map(Value::Array)
}

/// Reads a call's request.
fn request<T: Message + Default>(call: &ScriptCall) -> T {
    let message = DynamicMessage::deserialize(method(call).input(), call.request.clone());
    message.expect("the script has a request of the call").transcode_to().expect("it is the call's message")
}

/// Returns a message of a call's response as JSON.
fn json<T: Message>(call: &ScriptCall, message: &T) -> Value {
    let mut response = DynamicMessage::new(method(call).output());
    response.transcode_from(message).expect("it is the call's message");
    let options = SerializeOptions::new().skip_default_fields(false);
    response.serialize_with_options(serde_json::value::Serializer, &options).expect("every message is JSON")
}

fn method(call: &ScriptCall) -> MethodDescriptor {
    let services = wire::DESCRIPTORS.services().filter(|service| service.package_name() == "matchbook.v1");
    let mut methods = services.flat_map(|service| service.methods().collect::<Vec<_>>());
    methods.find(|method| method.name() == call.name).expect("the script names an RPC")
}
