//! What came of a call.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::script::ExpectedRefusal;

/// A response as JSON, of a stream the array of all its messages; or a refusal.
pub type Outcome = Result<Value, Refusal>;

/// A refusal as a client shows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Refusal {
    /// The reason, as in ErrorInfo.
    pub reason: String,
    /// ErrorInfo's metadata; `None` if the client shows it in its sentence only.
    pub metadata: Option<BTreeMap<String, String>>,
    /// The paths of the fields that are wrong, in proto spelling; `None` as above.
    pub fields: Option<Vec<String>>,
    /// Whether RetryInfo is present; `None` if the client does not tell.
    pub retry: Option<bool>,
    /// The sentence for people.
    pub message: String,
}

/// Returns how a refusal differs from the script's. What a client does not show by itself must be in its
/// sentence.
pub(crate) fn refusal_difference(
    expected: &ExpectedRefusal,
    refusal: &Refusal,
    filled: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    let differs = |what: &str| Some(format!("{what} of {refusal:?} is not that of {expected:?}"));
    if refusal.reason != expected.reason {
        return differs("the reason");
    }
    if refusal.message.is_empty() {
        return Some(format!("{} without a sentence", refusal.reason));
    }
    if expected.retry.is_some() && refusal.retry.is_some() && expected.retry != refusal.retry {
        return differs("the retry");
    }
    if refusal.fields.as_ref().is_some_and(|fields| *fields != expected.fields) {
        return differs("the list of fields");
    }
    let paragraph = expected.paragraph.iter().map(|paragraph| ("paragraph", paragraph));
    let metadata = expected.metadata.iter().map(|(name, value)| (name.as_str(), value));
    for (name, value) in metadata.chain(paragraph) {
        let value = filled(value);
        if let Some(metadata) = &refusal.metadata
            && metadata.get(name) != value.as_ref()
        {
            return differs(name);
        }
    }
    None
}
