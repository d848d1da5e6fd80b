//! What is printed, and how: people's text or JSON lines, with colours or not.
//! The only place that writes to the standard streams.

use std::env;
use std::io::{self, IsTerminal as _, Write as _};

use board::{Colour, Near, TextStyle, printable};
use matchbook_client::{FieldViolation, Refusal};
use prost::Message;
use serde_json::{Value, json};
use tonic::Code;

use crate::advice::advice;
use crate::failure::Failure;
use crate::json;

/// Whom the output is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// A person.
    Text,
    /// A program: canonical ProtoJSON, one object a line.
    Json,
}

/// Where answers go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    format: Format,
    colour: Colour,
}

impl Output {
    /// Colours only on a terminal that has them and for people who want them.
    pub(crate) fn for_terminal(json: bool) -> Self {
        let unwanted = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || env::var_os("TERM").is_some_and(|value| value == "dumb");
        let colour = if io::stdout().is_terminal() && !unwanted { Colour::Ansi } else { Colour::Plain };
        Self { format: if json { Format::Json } else { Format::Text }, colour }
    }

    /// Whom the output is for.
    pub(crate) fn format(self) -> Format {
        self.format
    }

    /// How boards are drawn.
    pub(crate) fn style(self, near: Near) -> TextStyle {
        TextStyle { colour: self.colour, near }
    }

    /// Prints an answer if it is for a program. `name` is the message's short
    /// name in `matchbook.v1`.
    pub(crate) fn json(self, name: &str, message: &impl Message) -> Result<(), Failure> {
        match self.format {
            Format::Json => self.write(&format!("{}\n", json::line(name, message))),
            Format::Text => Ok(()),
        }
    }

    /// Prints something of this program's own if it is for a program.
    pub(crate) fn object(self, object: &Value) -> Result<(), Failure> {
        match self.format {
            Format::Json => self.write(&format!("{}\n", json::safe(&object.to_string()))),
            Format::Text => Ok(()),
        }
    }

    /// Writes the bytes of a file, whoever it is for.
    pub(crate) fn bytes(self, bytes: &[u8]) -> Result<(), Failure> {
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(bytes).and_then(|()| stdout.flush());
        written.map_err(output_failed)
    }

    /// Tells a person something beside the answer, on the error stream.
    pub(crate) fn warn(self, text: &str) {
        let _ = writeln!(io::stderr().lock(), "warning: {text}");
    }

    /// Prints text if it is for a person. The text must be printable already.
    pub(crate) fn text(self, text: &str) -> Result<(), Failure> {
        match self.format {
            Format::Json => Ok(()),
            Format::Text => self.write(text),
        }
    }

    fn write(self, text: &str) -> Result<(), Failure> {
        self.bytes(text.as_bytes())
    }

    /// Tells on the error stream why the program fails.
    pub(crate) fn failure(self, failure: &Failure) {
        if matches!(failure, Failure::OutputClosed) {
            return;
        }
        let text = match self.format {
            Format::Json => json::safe(&failure_as_json(failure).to_string()),
            Format::Text => failure_as_text(failure),
        };
        // There is nowhere left to complain if this fails.
        let _ = writeln!(io::stderr().lock(), "{}", text.trim_end());
    }
}

fn output_failed(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::OutputClosed,
        _ => Failure::Output(error),
    }
}

fn failure_as_text(failure: &Failure) -> String {
    let mut text = format!("error: {failure}");
    if let Failure::Refused(refusal) = failure {
        text.push_str(&details(refusal));
    }
    text.push('\n');
    if let Some(advice) = advice(failure) {
        text.push_str(&format!("  next: {advice}\n"));
    }
    text
}

fn details(refusal: &Refusal) -> String {
    let word = refusal.reason.clone().unwrap_or_else(|| code_name(refusal.code));
    let mut text = format!(" ({})", printable(&word));
    for (key, value) in &refusal.metadata {
        text.push_str(&format!("\n  {}: {}", printable(key), printable(value)));
    }
    for field in &refusal.fields {
        text.push_str(&format!("\n  field {}: {}", printable(&field.path), printable(&field.description)));
    }
    if let Some(wait) = refusal.retry_after {
        text.push_str(&format!("\n  try again in {:.1} s", wait.as_secs_f64()));
    }
    text
}

/// The same shape as the errors of the REST door.
fn failure_as_json(failure: &Failure) -> Value {
    let mut error = json!({ "message": failure.to_string() });
    match failure {
        Failure::Refused(refusal) => {
            error["code"] = json!(code_name(refusal.code));
            error["reason"] = json!(refusal.reason);
            let field =
                |field: &FieldViolation| json!({ "field": field.path, "description": field.description });
            error["details"] = json!({
                "metadata": refusal.metadata,
                "fieldViolations": refusal.fields.iter().map(field).collect::<Vec<_>>(),
                "retryAfterMs": refusal.retry_after.map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)),
            });
        }
        Failure::Unreachable { .. } => error["reason"] = json!("unreachable"),
        Failure::Usage(_) => error["reason"] = json!("usage"),
        Failure::Unreadable { .. } => error["reason"] = json!("unreadable"),
        Failure::File { .. }
        | Failure::LogFile { .. }
        | Failure::StateFile { .. }
        | Failure::Input(_)
        | Failure::OutputClosed
        | Failure::Output(_) => error["reason"] = json!("local"),
    }
    if let Some(advice) = advice(failure) {
        error["advice"] = json!(advice);
    }
    json!({ "error": error })
}

/// The code as gRPC's own documents spell it: `FAILED_PRECONDITION`.
fn code_name(code: Code) -> String {
    let mut name = String::new();
    for c in format!("{code:?}").chars() {
        if c.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(c.to_ascii_uppercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn refused() -> Failure {
        Failure::Refused(Box::new(Refusal {
            code: Code::FailedPrecondition,
            reason: Some("illegal_move".to_owned()),
            message: "no\u{1b}[2J".to_owned(),
            metadata: BTreeMap::from([("paragraph".to_owned(), "AD-4".to_owned())]),
            fields: Vec::new(),
            retry_after: None,
        }))
    }

    #[test]
    fn a_refusal_is_told_with_all_that_is_known_and_nothing_that_drives_the_terminal() {
        assert_eq!(
            failure_as_text(&refused()),
            "error: no\u{FFFD}[2J (illegal_move)\n  paragraph: AD-4\n  next: `matchbook legal MATCH` lists the moves \
             you can make\n"
        );
    }

    #[test]
    fn codes_are_spelled_as_everywhere() {
        let json = failure_as_json(&refused());
        assert_eq!(json["error"]["code"], "FAILED_PRECONDITION");
        assert_eq!(code_name(Code::Ok), "OK");
    }
}
