//! The fields of a span in text lines, each with its last value. tracing-subscriber's own format appends a
//! field that is recorded again instead of replacing it.

use std::fmt;

use tracing::span::Record;
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::format::{DefaultFields, Writer};
use tracing_subscriber::fmt::{FormatFields, FormattedFields};

/// Begins the name of a field on a terminal: italic.
const ITALIC: &str = "\x1b[3m";

/// The default format of fields, without overwritten values.
#[derive(Debug, Default)]
pub(super) struct LastFields(DefaultFields);

impl<'writer> FormatFields<'writer> for LastFields {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'writer>, fields: R) -> fmt::Result {
        self.0.format_fields(writer, fields)
    }

    fn add_fields(&self, current: &'writer mut FormattedFields<Self>, fields: &Record<'_>) -> fmt::Result {
        if !current.fields.is_empty() {
            current.fields.push(' ');
        }
        self.0.format_fields(current.as_writer(), fields)?;
        current.fields = keep_last(&current.fields);
        Ok(())
    }
}

/// Removes each field whose name comes again.
fn keep_last(text: &str) -> String {
    let mut fields: Vec<(&str, String)> = Vec::new();
    for word in text.split(' ') {
        match (name_of(word), fields.last_mut()) {
            (None, Some((_, value))) => *value += &format!(" {word}"),
            (name, _) => {
                let name = name.unwrap_or_default();
                fields.retain(|(known, _)| *known != name);
                fields.push((name, word.to_owned()));
            }
        }
    }
    let fields: Vec<String> = fields.into_iter().map(|(_, field)| field).collect();
    fields.join(" ")
}

/// Returns the name of the field that begins with this word; none if the word continues a value.
fn name_of(word: &str) -> Option<&str> {
    let name = match word.strip_prefix(ITALIC) {
        Some(rest) => rest.split('\x1b').next()?,
        None => word.split_once('=')?.0,
    };
    let is_name =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._".contains(&byte));
    is_name.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::{ITALIC, keep_last};

    #[test]
    fn the_last_value_of_each_field_stays() {
        for (all, last) in [
            ("", ""),
            ("method=\"A/B\" call.id=7-1", "method=\"A/B\" call.id=7-1"),
            (
                "call.id=7-1 match.id=a match.seq=2 match.id=b match.seq=3",
                "call.id=7-1 match.id=b match.seq=3",
            ),
            ("cause=\"a b\" seq=1 cause=\"no = c\"", "seq=1 cause=\"no = c\""),
        ] {
            assert_eq!(keep_last(all), last);
        }
    }

    #[test]
    fn colours_do_not_hide_a_name() {
        let field = |name, value| format!("{ITALIC}{name}\x1b[0m\x1b[2m=\x1b[0m{value}");
        let [id, old, new] = [field("call.id", "7-1"), field("match.seq", "2"), field("match.seq", "3")];
        assert_eq!(keep_last(&format!("{id} {old} {new}")), format!("{id} {new}"));
    }
}
