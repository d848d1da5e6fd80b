//! Fields of requests about webhooks.

use wire::log::v1::EventKind;

use crate::Refusal;
use crate::webhooks::WebhookSettings;

/// Maximum length of a URL, in bytes.
const MAX_URL_BYTES: usize = 2048;

/// Maximum number of kinds that a request may name.
const MAX_KINDS: usize = 64;

/// Checks the URL of a webhook.
pub(super) fn url(settings: &WebhookSettings, url: &str) -> Result<(), Refusal> {
    if url.is_empty() || url.len() > MAX_URL_BYTES {
        return Err(Refusal::field("url", format!("must have 1 to {MAX_URL_BYTES} bytes")));
    }
    settings.sender.check_url(url).map_err(|must| Refusal::field("url", must))
}

/// Reads kinds of events by name. Returns them sorted, each once; none for all kinds.
pub(super) fn kinds(field: &str, names: &[String]) -> Result<Vec<u16>, Refusal> {
    if names.len() > MAX_KINDS {
        return Err(Refusal::field(field, format!("must have at most {MAX_KINDS} kinds")));
    }
    let known = || (1..=u16::from(u8::MAX)).filter_map(EventKind::from_number);
    let mut kinds = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let kind = known().find(|kind| kind.word() == *name).ok_or_else(|| {
            let words: Vec<String> = known().map(EventKind::word).collect();
            Refusal::field(format!("{field}[{index}]"), format!("must be one of {}", words.join(", ")))
        })?;
        kinds.push(kind.number());
    }
    kinds.sort_unstable();
    kinds.dedup();
    Ok(kinds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_named_like_the_fields_of_an_event() {
        let event = wire::DESCRIPTORS.get_message_by_name("matchbook.v1.Event").unwrap();
        let oneof = event.oneofs().find(|oneof| oneof.name() == "kind").unwrap();
        let names: Vec<String> = oneof.fields().map(|field| field.name().to_owned()).collect();
        assert!(names.len() >= 11);
        assert_eq!(kinds("kinds", &names).unwrap().len(), names.len());
        let twice = ["move_made".to_owned(), "match_ended".to_owned(), "move_made".to_owned()];
        assert_eq!(kinds("kinds", &twice).unwrap(), [6, 11]);
        let refusal = kinds("kinds", &["move_made".to_owned(), "Move".to_owned()]).unwrap_err();
        assert_eq!(refusal.fields[0].field, "kinds[1]");
        assert!(kinds("kinds", &vec!["move_made".to_owned(); 65]).is_err());
    }
}
