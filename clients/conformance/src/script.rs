//! The script as it is stored.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Map, Value};

/// All calls in order.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Script {
    /// The services, each with its flags. `main` is that of a step that names none.
    pub services: BTreeMap<String, Vec<String>>,
    /// The reasons that no step is refused for, each with what it would take.
    pub not_caused: BTreeMap<String, String>,
    /// The calls.
    pub steps: Vec<ScriptStep>,
}

/// A call and its outcome.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ScriptStep {
    /// What the step shows.
    pub name: String,
    /// The RPC's name.
    pub call: String,
    /// The service that is called.
    #[serde(default = "main_service")]
    pub service: String,
    /// The credential.
    pub r#as: String,
    /// The name of a key that is sent beside a token.
    pub key: Option<String>,
    /// How often the call is made, each time with this outcome.
    #[serde(default = "once")]
    pub times: u32,
    /// The match that somebody watches meanwhile.
    pub beside: Option<String>,
    /// The webhook that `app` pings meanwhile; its receiver never answers.
    pub pinged: Option<String>,
    /// Whether the answer of the first attempt is lost on its way.
    #[serde(default)]
    pub lost: bool,
    /// The request as JSON.
    pub request: Value,
    /// Names for values of the response that later steps use, each with its path.
    #[serde(default)]
    pub save: BTreeMap<String, String>,
    /// Values of the response by path.
    #[serde(default)]
    pub expect: Map<String, Value>,
    /// Values that the response will have soon.
    #[serde(default)]
    pub until: Map<String, Value>,
    /// Paths that the response does not have.
    #[serde(default)]
    pub absent: Vec<String>,
    /// The refusal; the call succeeds without.
    pub refused: Option<ExpectedRefusal>,
    /// The clients that have no way to make the call.
    #[serde(default)]
    pub cannot: BTreeSet<String>,
}

fn main_service() -> String {
    "main".to_owned()
}

fn once() -> u32 {
    1
}

/// What a refusal must say.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ExpectedRefusal {
    /// The reason, as in ErrorInfo.
    pub reason: String,
    /// The paragraph of the rules.
    pub paragraph: Option<String>,
    /// The paths of all fields that are wrong, in proto spelling.
    #[serde(default)]
    pub fields: Vec<String>,
    /// Some of ErrorInfo's metadata.
    #[serde(default)]
    pub metadata: BTreeMap<String, String>,
    /// Whether the call is worth a retry; not compared if absent.
    pub retry: Option<bool>,
}

impl Script {
    /// Returns the script of this build.
    ///
    /// # Panics
    ///
    /// If the file is malformed.
    #[must_use]
    pub fn read() -> Self {
        serde_json::from_str(include_str!("../script.json")).expect("script.json is well-formed")
    }
}
