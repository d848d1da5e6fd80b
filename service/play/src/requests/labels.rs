//! What an app notes about its matches: labels, and its own id of a match.

use std::collections::{BTreeMap, HashMap};

use journal::Labels;

use super::{fields, limits};
use crate::Refusal;
use crate::keys::sha256;

/// Maximum labels in a filter: each is looked up for every candidate.
const MAX_LISTED: usize = 4;

/// Reads the labels of a match.
pub(crate) fn labels(field: &str, labels: HashMap<String, String>) -> Result<Labels, Refusal> {
    if labels.len() > limits::LABELS {
        return Err(Refusal::field(field, format!("must have at most {} labels", limits::LABELS)));
    }
    let labels = labels.into_iter().collect::<BTreeMap<_, _>>();
    labels.iter().try_for_each(|(key, value)| check(&format!("{field}.{key}"), key, value))?;
    Ok(Labels(labels))
}

/// Reads labels that are each written `key=value`.
pub(crate) fn listed(field: &str, texts: &[String]) -> Result<Labels, Refusal> {
    if texts.len() > MAX_LISTED {
        return Err(Refusal::field(field, format!("must have at most {MAX_LISTED} labels")));
    }
    let mut labels = BTreeMap::new();
    for (index, text) in texts.iter().enumerate() {
        let field = format!("{field}[{index}]");
        let Some((key, value)) = text.split_once('=') else {
            return Err(Refusal::field(field, "must be written KEY=VALUE"));
        };
        check(&field, key, value)?;
        if labels.insert(key.to_owned(), value.to_owned()).is_some() {
            let must = format!("must have another key: a match has one value of `{key}`");
            return Err(Refusal::field(field, must));
        }
    }
    Ok(Labels(labels))
}

/// Refuses a key or a value that no label can have. The refusal does not repeat the value.
fn check(field: &str, key: &str, value: &str) -> Result<(), Refusal> {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_.-".contains(&byte);
    let begins = key.starts_with(|first: char| first.is_ascii_lowercase());
    if key.len() > limits::LABEL_KEY_CHARS || !begins || !key.bytes().all(inner) {
        let must = format!(
            "must have a key of 1 to {} of the characters a-z, 0-9, `_`, `.` and `-`, first a letter",
            limits::LABEL_KEY_CHARS
        );
        return Err(Refusal::field(field, must));
    }
    if value.len() > limits::LABEL_VALUE_BYTES {
        let must = format!("must have a value of at most {} bytes", limits::LABEL_VALUE_BYTES);
        return Err(Refusal::field(field, must));
    }
    fields::visible(field, value)
}

/// Reads an app's own id of a match.
pub(crate) fn external_id(id: Option<String>) -> Result<Option<String>, Refusal> {
    id.map(|id| fields::text("external_id", id, limits::EXTERNAL_ID_CHARS)).transpose()
}

/// Refuses labels and external ids where no API key can own them.
pub(crate) fn check_owned(owner: &str, labels: &Labels, external_id: Option<&str>) -> Result<(), Refusal> {
    let given = [("labels", !labels.0.is_empty()), ("external_id", external_id.is_some())];
    match given.into_iter().find(|(_, given)| *given && owner.is_empty()) {
        None => Ok(()),
        Some((field, _)) => {
            Err(Refusal::field(field, "must be absent, since this service has no API keys to own matches"))
        }
    }
}

/// Returns the hash by which a retry proves that it repeats the labels; `None` without labels.
pub(crate) fn labels_hash(labels: &Labels) -> Option<[u8; 32]> {
    if labels.0.is_empty() {
        return None;
    }
    let mut bytes = Vec::new();
    for text in labels.0.iter().flat_map(|(key, value)| [key, value]) {
        // Both are shorter than 256 bytes.
        bytes.push(u8::try_from(text.len()).unwrap_or(u8::MAX));
        bytes.extend_from_slice(text.as_bytes());
    }
    Some(sha256(&[b"matchbook.labels.v1\0", &bytes]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Labels, Refusal> {
        labels("labels", pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect())
    }

    #[test]
    fn labels_are_few_short_and_visible() {
        let long = (format!("k{}", "x".repeat(62)), "é".repeat(64));
        let good: [&[(&str, &str)]; 4] =
            [&[], &[("a", "")], &[("tenant.id", "Acme Inc."), ("z_9-x", "天使")], &[(&long.0, &long.1)]];
        for labels in good {
            assert_eq!(read(labels).unwrap().0.len(), labels.len());
        }
        let longer = (format!("{}y", long.0), format!("{}y", long.1));
        for (key, value) in [
            ("", "x"),
            ("1", "x"),
            ("A", "x"),
            ("a b", "x"),
            ("a=b", "x"),
            ("é", "x"),
            (&*longer.0, "x"),
            ("a", &*longer.1),
            ("a", "x\u{200B}"),
            ("a", "x\n"),
            ("a", " x"),
        ] {
            let refusal = read(&[("ok", "x"), (key, value)]).unwrap_err();
            assert_eq!(refusal.fields[0].field, format!("labels.{key}"), "{key}={value}");
            if key.contains('=') {
                continue;
            }
            let texts = ["ok=x".to_owned(), format!("{key}={value}")];
            let refusal = listed("labels", &texts).unwrap_err();
            assert_eq!(refusal.fields[0].field, "labels[1]", "{key}={value}");
        }
        let many: Vec<String> = (0..17).map(|n| format!("k{n}")).collect();
        let many: Vec<(&str, &str)> = many.iter().map(|key| (key.as_str(), "x")).collect();
        assert!(read(&many[..16]).is_ok() && read(&many).is_err());
    }

    #[test]
    fn only_equal_labels_have_equal_hashes() {
        let sets: [&[(&str, &str)]; 5] = [
            &[("a", "bc")],
            &[("ab", "c")],
            &[("a", "b"), ("c", "")],
            &[("a", ""), ("b", "c")],
            &[("a", "b"), ("c", "d")],
        ];
        let hashes: std::collections::HashSet<_> =
            sets.iter().map(|set| labels_hash(&read(set).unwrap()).unwrap()).collect();
        assert_eq!(hashes.len(), sets.len());
        assert_eq!(labels_hash(&read(&[]).unwrap()), None);
    }

    #[test]
    fn an_external_id_is_short_and_visible() {
        let read = |id: &str| external_id(Some(id.to_owned()));
        for id in ["7", "game 1/b", &"é".repeat(128)] {
            assert_eq!(read(id).unwrap().as_deref(), Some(id));
        }
        for id in ["", " a", "a\tb", "\u{202E}", &"é".repeat(129)] {
            assert_eq!(read(id).unwrap_err().fields[0].field, "external_id", "{id:?}");
        }
    }
}
