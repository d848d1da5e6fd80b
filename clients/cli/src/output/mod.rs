//! What is printed, and how: text for people or lines of JSON, with colours or without. Only this file writes
//! to the standard streams, apart from the screen of `matchbook play`.

mod advice;
mod failure_report;
mod game_entry;
pub(crate) mod json;
mod match_table;
mod move_outcome;
mod next_steps;

use std::env;
use std::io::{self, IsTerminal as _, Write as _};

use board::{Colour, Orientation, TextStyle};
use prost::Message;
use serde_json::Value;

use self::failure_report::failure_as_json;
use crate::failure::Failure;

pub(crate) use advice::advice;
pub(crate) use failure_report::{failure_as_text, failure_line};
pub(crate) use game_entry::game_entry;
pub(crate) use match_table::{match_rows, match_table};
pub(crate) use move_outcome::{hex, move_outcome};
pub(crate) use next_steps::next_steps;

/// Form of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputFormat {
    /// Text for a person.
    Text,
    /// Canonical ProtoJSON for a program, one object per line.
    Json,
}

/// The standard streams, and how to write to them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    format: OutputFormat,
    colour: Colour,
}

impl Output {
    /// Uses colours only on a terminal that has them, unless the user disabled them.
    pub(crate) fn for_terminal(json: bool) -> Self {
        let disabled = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || env::var_os("TERM").is_some_and(|value| value == "dumb");
        let colour = if io::stdout().is_terminal() && !disabled { Colour::Ansi } else { Colour::Plain };
        Self { format: if json { OutputFormat::Json } else { OutputFormat::Text }, colour }
    }

    /// Returns the form of the output.
    pub(crate) fn format(self) -> OutputFormat {
        self.format
    }

    /// Returns how boards are drawn.
    pub(crate) fn style(self, orientation: Orientation) -> TextStyle {
        TextStyle { colour: self.colour, orientation }
    }

    /// Prints a message of `matchbook.v1` if the format is JSON. `name` is its short name.
    pub(crate) fn json(self, name: &str, message: &impl Message) -> Result<(), Failure> {
        match self.format {
            OutputFormat::Json => self.bytes(format!("{}\n", json::line(name, message)).as_bytes()),
            OutputFormat::Text => Ok(()),
        }
    }

    /// Prints an object of this program's own if the format is JSON.
    pub(crate) fn object(self, object: &Value) -> Result<(), Failure> {
        match self.format {
            OutputFormat::Json => self.bytes(format!("{}\n", json::escaped(&object.to_string())).as_bytes()),
            OutputFormat::Text => Ok(()),
        }
    }

    /// Prints text if the format is text. The text must be printable already.
    pub(crate) fn text(self, text: &str) -> Result<(), Failure> {
        match self.format {
            OutputFormat::Json => Ok(()),
            OutputFormat::Text => self.bytes(text.as_bytes()),
        }
    }

    /// Writes the bytes of a file, whatever the format.
    pub(crate) fn bytes(self, bytes: &[u8]) -> Result<(), Failure> {
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(bytes).and_then(|()| stdout.flush());
        written.map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::OutputClosed,
            _ => Failure::Output(error),
        })
    }

    /// Prints a warning on the error stream.
    pub(crate) fn warn(self, text: &str) {
        let _ = writeln!(io::stderr().lock(), "warning: {text}");
    }

    /// Prints on the error stream why the command failed.
    pub(crate) fn failure(self, failure: &Failure) {
        if matches!(failure, Failure::OutputClosed) {
            return;
        }
        let text = match self.format {
            OutputFormat::Json => json::escaped(&failure_as_json(failure).to_string()),
            OutputFormat::Text => failure_as_text(failure),
        };
        // There is nowhere left to report a failure of this write.
        let _ = writeln!(io::stderr().lock(), "{}", text.trim_end());
    }
}
