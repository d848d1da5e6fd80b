//! The script of `clients/conformance`, through the commands of `matchbook`. A request that no command can
//! make is left out; the script says which these are.

use std::collections::{BTreeMap, BTreeSet};

use conformance::{Outcome, Refusal, Script, ScriptCall, ScriptCredential, ScriptKeys};
use serde_json::{Map, Value};

use super::service::{Service, api_key, objects, run};

const UUID_LENGTH: usize = 36;

#[tokio::test]
async fn the_commands_have_the_outcomes_of_the_script() {
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
    let addresses =
        services.iter().map(|(name, service)| (name.clone(), service.address().to_owned())).collect();
    let [app, stranger, audit] = made.map(|(key, _)| key);
    let mut seen = BTreeSet::new();
    conformance::run("matchbook", &ScriptKeys { app, stranger, audit }, &addresses, async |call| {
        // A command chooses a new UUID at each run.
        let id = call.request["requestId"].as_str();
        let is_new = id.is_none_or(|id| id.len() == UUID_LENGTH && seen.insert(id.to_owned()));
        // And reads the generation of a webhook's secret.
        let generation = call.request.get("currentGeneration").map(|_| call.request.to_string());
        let is_new = is_new && generation.is_none_or(|request| seen.insert(request));
        // It sends one credential with a call.
        let is_one = !matches!(call.credential, ScriptCredential::TokenAndKey(..));
        let command = (is_new && is_one).then(|| command(call)).flatten()?;
        outcome(&services["main"], call, &command)
    })
    .await;
}

/// Runs a command as a user who has stored nothing. Returns `None` if it refuses its arguments, so that the
/// service is not asked.
fn outcome(service: &Service, call: &ScriptCall, arguments: &[String]) -> Option<Outcome> {
    let home = tempfile::tempdir().expect("a folder for the test");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).chain(["--json"]).collect();
    let mut command = service.command(&arguments);
    command.env("MATCHBOOK_STATE", home.path());
    command.env("MATCHBOOK_SERVER", format!("http://{}", call.address));
    if let ScriptCredential::Key(secret) | ScriptCredential::Token(secret) = &call.credential {
        command.env("MATCHBOOK_TOKEN", secret);
    }
    let ran = run(command);
    if ran.code == 2 {
        return None;
    }
    let mut responses = objects(&ran.stdout);
    let error = ran.stderr.lines().find_map(|line| serde_json::from_str::<Value>(line).ok());
    if let Some(error) = error.and_then(|error| error.get("error").cloned()) {
        return Some(Err(refusal(&error)));
    }
    assert!(!responses.is_empty(), "{arguments:?}: {}", ran.stderr);
    let streams = ["WatchMatch", "ExportLog", "StreamFeed"].contains(&call.name.as_str());
    // `new` with a seat claims it by a second call, whose response has its token.
    Some(Ok(if streams { responses.into() } else { responses.swap_remove(responses.len() - 1) }))
}

fn refusal(error: &Value) -> Refusal {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let details = &error["details"];
    let metadata: BTreeMap<String, String> =
        serde_json::from_value(details["metadata"].clone()).unwrap_or_default();
    let fields = details["fieldViolations"].as_array().into_iter().flatten();
    Refusal {
        reason: text(&error["reason"]),
        metadata: Some(metadata),
        fields: Some(fields.map(|violation| text(&violation["field"])).collect()),
        retry: Some(!details["retryAfterMs"].is_null()),
        message: text(&error["message"]),
    }
}

/// The fields of a request that no argument stands for yet.
struct Request(Map<String, Value>);

impl Request {
    /// Takes a field as text.
    fn take(&mut self, name: &str) -> Option<String> {
        Some(text(&self.0.remove(name)?))
    }

    /// Takes a field as a flag with its value.
    fn flag(&mut self, name: &str, flag: &str) -> Vec<String> {
        self.take(name).map(|value| vec![flag.to_owned(), value]).unwrap_or_default()
    }

    /// Takes a map as a flag for each entry, such as `--label round=2`.
    fn entries(&mut self, name: &str, flag: &str) -> Vec<String> {
        let entries = match self.0.remove(name) {
            Some(Value::Object(entries)) => entries,
            _ => Map::new(),
        };
        let pairs = entries.iter().map(|(key, value)| format!("{key}={}", text(value)));
        pairs.flat_map(|pair| [flag.to_owned(), pair]).collect()
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns the arguments that make a call, or `None` if there are none.
fn command(call: &ScriptCall) -> Option<Vec<String>> {
    let mut request = Request(call.request.as_object().expect("requests are objects").clone());
    // Commands choose their own.
    request.0.remove("requestId");
    request.0.remove("claimSecret");
    let arguments = match call.name.as_str() {
        "CreateMatch" => creation(&mut request)?,
        "ClaimSeat" => claim(&mut request)?,
        "MakeProposal" | "AnswerProposal" => proposal(&mut request)?,
        "ListGames" => vec!["games".to_owned()],
        "ListKeys" => vec!["keys".to_owned()],
        "GetGame" => vec!["games".to_owned(), request.take("gameId")?],
        "StreamFeed" => {
            request.take("follow")?;
            let feed = vec!["feed".to_owned(), "--no-follow".to_owned()];
            [feed, request.flag("after", "--after")].concat()
        }
        "ListMatches" => {
            let labels = request.0.remove("labels")?;
            let labels = labels.as_array()?.iter().flat_map(|label| ["--label".to_owned(), text(label)]);
            ["matches".to_owned()].into_iter().chain(labels).collect()
        }
        "BatchGetMatches" => {
            let ids = request.0.remove("matchIds")?;
            ["matches".to_owned()].into_iter().chain(ids.as_array()?.iter().map(text)).collect()
        }
        name if name.contains("Webhook") || name.contains("DeadLetter") => webhook(name, &mut request)?,
        _ => of_match(call, &mut request)?,
    };
    request.0.is_empty().then_some(arguments)
}

/// Returns the arguments of a command whose first argument is a match.
fn of_match(call: &ScriptCall, request: &mut Request) -> Option<Vec<String>> {
    let id = request.take("matchId")?;
    let (name, more) = match call.name.as_str() {
        "GetMatch" => ("labels", vec![]),
        "UpdateMatchLabels" => {
            let labels = request.entries("labels", "").into_iter().filter(|part| !part.is_empty());
            ("labels", labels.collect())
        }
        "GetView" => ("show", view(request)?),
        "ListEvents" => ("events", request.flag("afterSeq", "--after")),
        "WatchMatch" => ("watch", request.flag("afterSeq", "--after")),
        "ListLegalMoves" => {
            let seat = request.flag("seat", "--seat");
            ("legal", [seat, request.flag("pageSize", "--limit")].concat())
        }
        "CheckMove" => ("check", vec![request.take("notation")?]),
        "SubmitMove" => {
            let notation = request.take("notation")?;
            ("move", [vec![notation], request.flag("expectedSeq", "--expect")].concat())
        }
        "SuggestMove" => {
            let skill = request.take("strategy")?.replace("STRATEGY_", "").to_lowercase();
            ("suggest", [vec!["--skill".to_owned(), skill], request.flag("seed", "--seed")].concat())
        }
        "RotateSeatToken" => ("rotate", vec![request.take("seat")?]),
        "RedactPlayer" => ("redact-player", vec![request.take("seat")?]),
        "ForkMatch" => ("fork", request.flag("atSeq", "--at")),
        "CreateRematch" => ("rematch", vec![]),
        "Resign" => ("resign", vec![]),
        "AbortMatch" => ("abort", vec![]),
        "ExportLog" => ("export", vec![]),
        "SignHead" => ("sign", vec![]),
        _ => return None,
    };
    Some([vec![name.to_owned(), id], more].concat())
}

/// Returns the arguments of a command about webhooks.
fn webhook(call: &str, request: &mut Request) -> Option<Vec<String>> {
    if call == "CreateWebhook" {
        let kinds = kinds(request.0.remove("kinds").unwrap_or_default());
        return Some([vec!["webhook".to_owned(), "create".to_owned(), request.take("url")?], kinds].concat());
    }
    let id = request.take("webhookId")?;
    let (action, more) = match call {
        "GetWebhook" => ("show", vec![]),
        "UpdateWebhook" => {
            let kinds = request.0.remove("kinds").map(|kinds| kinds["kinds"].clone()).unwrap_or_default();
            let enabled = request.take("enabled").map(|enabled| match enabled.as_str() {
                "true" => "--enable".to_owned(),
                _ => "--disable".to_owned(),
            });
            let kinds = self::kinds(kinds);
            ("update", [request.flag("url", "--url"), kinds, enabled.into_iter().collect()].concat())
        }
        "DeleteWebhook" => ("delete", vec![]),
        "PingWebhook" => ("ping", vec![]),
        "RotateWebhookSecret" => {
            request.take("currentGeneration");
            ("rotate", vec![])
        }
        "ListDeadLetters" => ("dead", vec![]),
        "RetryDeadLetters" => {
            let letters = request.0.remove("deliveryIds").unwrap_or_default();
            ("retry", letters.as_array().into_iter().flatten().map(text).collect())
        }
        _ => return None,
    };
    Some([vec!["webhook".to_owned(), action.to_owned(), id], more].concat())
}

fn kinds(kinds: Value) -> Vec<String> {
    kinds.as_array().into_iter().flatten().flat_map(|kind| ["--kind".to_owned(), text(kind)]).collect()
}

fn creation(request: &mut Request) -> Option<Vec<String>> {
    let mut arguments = vec!["new".to_owned(), request.take("gameId")?];
    if let Some(Value::Object(options)) = request.0.remove("options") {
        let mut options = Request(
            options.into_iter().next()?.1.as_object()?.iter().map(|(k, v)| (k.clone(), v.clone())).collect(),
        );
        let names: Vec<String> = options.0.keys().cloned().collect();
        arguments.extend(names.iter().flat_map(|name| {
            let value = options.take(name).unwrap_or_default();
            ["--option".to_owned(), format!("{name}={value}")]
        }));
    }
    if let Some(visibility) = request.take("visibility") {
        arguments.extend(["--visibility".to_owned(), visibility.replace("VISIBILITY_", "").to_lowercase()]);
    }
    if let Some(claim) = request.0.remove("claim") {
        let name = text(&claim["player"]["displayName"]);
        arguments.extend(["--seat".to_owned(), text(&claim["seat"]), "--name".to_owned(), name]);
    }
    if let Some(control) = request.0.remove("timeControl") {
        arguments.extend(["--time".to_owned(), text(&control["perMove"]["moveTime"])]);
    }
    arguments.extend(request.entries("labels", "--label"));
    arguments.extend(request.flag("externalId", "--external-id"));
    Some(arguments)
}

fn claim(request: &mut Request) -> Option<Vec<String>> {
    let (id, seat) = (request.take("matchId")?, request.take("seat")?);
    let player = request.0.remove("player")?;
    Some(vec!["claim".to_owned(), id, seat, "--name".to_owned(), text(&player["displayName"])])
}

fn proposal(request: &mut Request) -> Option<Vec<String>> {
    let (id, kind) = (request.take("matchId")?, request.take("kind")?);
    let (name, ask) = if kind == "PROPOSAL_KIND_DRAW" { ("draw", "offer") } else { ("takeback", "ask") };
    let action = match request.take("accept").as_deref() {
        None => ask,
        Some("true") => "accept",
        Some(_) => "decline",
    };
    Some([name, &id, action].map(str::to_owned).into())
}

/// Returns the flags of a view.
fn view(request: &mut Request) -> Option<Vec<String>> {
    let mut flags = request.flag("atSeq", "--at");
    match request.0.remove("viewer") {
        None => {}
        Some(viewer) if viewer["kind"] == "KIND_OPEN" => flags.push("--open".to_owned()),
        Some(viewer) => flags.extend(["--seat".to_owned(), viewer.get("seat").map(text)?]),
    }
    Some(flags)
}
