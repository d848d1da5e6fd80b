//! Runs `script.json`, the calls whose outcome is the same through every client, from the tests of clients in
//! Rust. The tests of the other clients read the same file; `README.md` says what its fields mean.

mod call;
mod outcome;
mod path;
mod proxy;
mod script;
mod silent;
mod watch;

use std::collections::BTreeMap;
use std::iter;
use std::time::{Duration, Instant};

pub use call::{ScriptCall, ScriptCredential};
pub use outcome::{Outcome, Refusal};
pub use script::{Script, ScriptStep};

use call::ScriptValues;
use silent::Silent;
use watch::open_watch;

/// How long a step with `until` is repeated.
const PATIENCE: Duration = Duration::from_secs(20);

/// Pause before it is repeated.
const PAUSE: Duration = Duration::from_millis(50);

/// The API keys of the service that a script runs against: `app` and `stranger` have the role `app`, `audit`
/// the role `audit`. Each may have one webhook.
#[derive(Debug, Clone)]
pub struct ScriptKeys {
    /// The key that owns the script's matches.
    pub app: String,
    /// A key that owns none.
    pub stranger: String,
    /// A key that may read everything.
    pub audit: String,
}

/// Makes all calls of the script through a client and compares their outcomes. `services` are the addresses
/// (`HOST:PORT`) of the script's services by name.
///
/// `make` makes one call. It returns `None` if the client has no way to make it, which the script must say of
/// the client (`cannot`), and which it must not say of a call that the client can make.
///
/// # Panics
///
/// If an outcome differs from the script's.
pub async fn run(
    client: &str,
    keys: &ScriptKeys,
    services: &BTreeMap<String, String>,
    mut make: impl AsyncFnMut(&ScriptCall) -> Option<Outcome>,
) {
    let script = Script::read();
    let silent = Silent::start();
    let mut session = ScriptValues::new(keys, silent.url());
    let mut differences = Vec::new();
    for step in script.steps.iter().flat_map(|step| iter::repeat_n(step, step.times as usize)) {
        let call = session.call(step, &services[&step.service]);
        let _stream = session.watched_beside(step).map(|id| open_watch(&call.address, &id));
        let _ping = session.pinged_beside(step).map(|id| silent.ping(&call.address, &keys.app, &id));
        let deadline = Instant::now() + PATIENCE;
        let difference = loop {
            let Some(outcome) = make(&call).await else {
                break (!step.cannot.contains(client)).then(|| "the client can't make it".to_owned());
            };
            if step.cannot.contains(client) {
                break Some("the script says that the client can't make it".to_owned());
            }
            match session.difference(step, &outcome) {
                Some(_) if !step.until.is_empty() && Instant::now() < deadline => {
                    tokio::time::sleep(PAUSE).await;
                }
                difference => break difference.or_else(|| session.save(step, &outcome)),
            }
        };
        differences.extend(difference.map(|what| format!("{}: {what}", step.name)));
    }
    assert!(differences.is_empty(), "{client}:\n{}", differences.join("\n"));
}
