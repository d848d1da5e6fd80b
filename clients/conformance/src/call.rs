//! A call with the values that earlier steps saved.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::outcome::{Outcome, refusal_difference};
use crate::path::{at, fits};
use crate::proxy::losing_an_answer;
use crate::{ScriptKeys, ScriptStep};

/// Length of the text `$large`.
const LARGE_BYTES: usize = 100_000;

/// A call as a client makes it.
#[derive(Debug, Clone)]
pub struct ScriptCall {
    /// The RPC's name, such as `SubmitMove`.
    pub name: String,
    /// What identifies the caller.
    pub credential: ScriptCredential,
    /// `HOST:PORT` of the service, or of a proxy that loses its first answer.
    pub address: String,
    /// Whether the answer of the first attempt is lost.
    pub is_lost: bool,
    /// The request as JSON.
    pub request: Value,
}

/// What a call carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptCredential {
    /// Nothing.
    Nobody,
    /// An API key.
    Key(String),
    /// The token of a seat.
    Token(String),
    /// Both.
    TokenAndKey(String, String),
}

/// What earlier steps saved, by name. `large`, `silent` and the keys are there from the start.
pub(crate) struct ScriptValues {
    saved: BTreeMap<String, Value>,
    keys: BTreeMap<&'static str, String>,
}

impl ScriptValues {
    pub(crate) fn new(keys: &ScriptKeys, silent: &str) -> Self {
        let unknown = format!("mbk_{}", "A".repeat(43));
        let keys = [
            ("app", keys.app.clone()),
            ("stranger", keys.stranger.clone()),
            ("audit", keys.audit.clone()),
            ("unknown key", unknown),
        ];
        let large = "a".repeat(LARGE_BYTES);
        let saved =
            BTreeMap::from([("large".to_owned(), large.into()), ("silent".to_owned(), silent.into())]);
        Self { saved, keys: keys.into() }
    }

    pub(crate) fn call(&self, step: &ScriptStep, address: &str) -> ScriptCall {
        let request = self.filled(&step.request);
        let credential = match (self.credential(&step.r#as), &step.key) {
            (ScriptCredential::Token(token), Some(key)) => {
                ScriptCredential::TokenAndKey(token, self.keys[key.as_str()].clone())
            }
            (credential, _) => credential,
        };
        let address = if step.lost { losing_an_answer(address) } else { address.to_owned() };
        ScriptCall { name: step.call.clone(), credential, address, is_lost: step.lost, request }
    }

    /// Returns the id of the match that somebody watches during a step.
    pub(crate) fn watched_beside(&self, step: &ScriptStep) -> Option<String> {
        self.id(step.beside.as_deref()?)
    }

    /// Returns the id of the webhook that is pinged during a step.
    pub(crate) fn pinged_beside(&self, step: &ScriptStep) -> Option<String> {
        self.id(step.pinged.as_deref()?)
    }

    fn id(&self, name: &str) -> Option<String> {
        Some(self.filled(&name.into()).as_str()?.to_owned())
    }

    fn credential(&self, name: &str) -> ScriptCredential {
        if let Some(key) = self.keys.get(name) {
            return ScriptCredential::Key(key.clone());
        }
        match name {
            "nobody" => ScriptCredential::Nobody,
            "malformed token" => ScriptCredential::Token("mbs_nonsense".to_owned()),
            saved => match self.filled(&saved.into()) {
                Value::String(token) => ScriptCredential::Token(token),
                other => panic!("{name} is no token: {other}"),
            },
        }
    }

    /// Replaces each text `$name` by what was saved under the name.
    fn filled(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => match text.strip_prefix('$') {
                // A client that can't make a call saves nothing of it, and can't make what follows from it.
                Some(name) => self.saved.get(name).unwrap_or(value).clone(),
                None => value.clone(),
            },
            Value::Array(values) => values.iter().map(|value| self.filled(value)).collect(),
            Value::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| (name.clone(), self.filled(value)));
                Value::Object(fields.collect())
            }
            other => other.clone(),
        }
    }

    /// Returns how an outcome differs from the script's.
    pub(crate) fn difference(&self, step: &ScriptStep, outcome: &Outcome) -> Option<String> {
        match (&step.refused, outcome) {
            (None, Ok(response)) => self.response_difference(step, response),
            (None, Err(refusal)) => Some(format!("refused: {refusal:?}")),
            (Some(expected), Ok(response)) => Some(format!("not {}: {response}", expected.reason)),
            (Some(expected), Err(refusal)) => {
                let filled = |value: &str| self.filled(&value.into()).as_str().map(str::to_owned);
                refusal_difference(expected, refusal, filled)
            }
        }
    }

    fn response_difference(&self, step: &ScriptStep, response: &Value) -> Option<String> {
        let wrong = |expected: &Map<String, Value>| {
            let mut wrong =
                expected.iter().map(|(path, value)| (path, self.filled(value), at(response, path)));
            let (path, expected, actual) = wrong.find(|(_, expected, actual)| !fits(expected, actual))?;
            Some(format!("{path} is {actual}, not {expected}: {response}"))
        };
        let present = step.absent.iter().find(|path| !at(response, path).is_null());
        wrong(&step.expect)
            .or_else(|| wrong(&step.until))
            .or_else(|| present.map(|path| format!("has {path}: {response}")))
    }

    /// Saves what later steps refer to. Returns what the response lacks of it.
    pub(crate) fn save(&mut self, step: &ScriptStep, outcome: &Outcome) -> Option<String> {
        let response = outcome.as_ref().ok()?;
        let values: Vec<_> =
            step.save.iter().map(|(name, path)| (name.clone(), at(response, path))).collect();
        let missing = values.iter().find(|(_, value)| value.is_null());
        let missing = missing.map(|(name, _)| format!("nothing to save as {name}: {response}"));
        self.saved.extend(values);
        missing
    }
}
