//! `matchbook export`: exports a match's log as a file.

use std::path::PathBuf;

use audit::{FileForm, FileWriter};
use board::counted;
use clap::Args;
use wire::log::v1::EventKind;
use wire::v1::LogEvent;
use wire::v1::export_log_response::Record;

use crate::arguments::SeatName;
use crate::arguments::match_id;
use crate::failure::Failure;
use crate::log_file::{export_log, write_file};
use crate::session::Session;

const AFTER_HELP: &str = "\
Examples:
  matchbook export MATCH -o match.jsonl
  matchbook export MATCH --binary -o match.log         the same, smaller
  matchbook export MATCH | matchbook verify - --key KEY

While a match is running, the file contains only what you may see: with a seat's token
that seat's sealed choice, and never the deal. It can be verified all the same.";

/// Arguments of `matchbook export`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Export {
    /// Id of the match
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// File to write; default: standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the binary form
    #[arg(long)]
    binary: bool,
    /// Seat to view as, with its stored token
    #[arg(long)]
    seat: Option<SeatName>,
}

impl Export {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let client = session.viewer_client(&self.match_id, self.seat.as_ref()).await?;
        let mut writer = FileWriter::new(if self.binary { FileForm::Binary } else { FileForm::Json });
        let mut bytes = Vec::new();
        let (mut events, mut moves) = (0_usize, 0);
        // Fetch everything before the file is touched: half a file would fail verification.
        export_log(&client, &self.match_id, |record| {
            bytes.extend(writer.record(&record));
            if let Some(Record::Event(event)) = &record.record {
                events += 1;
                moves += usize::from(is_move(event));
            }
        })
        .await?;
        let Some(path) = self.output else { return session.output.bytes(&bytes) };
        write_file(&path, &bytes)?;
        let size = bytes.len();
        let per_move =
            size.checked_div(moves).map_or(String::new(), |bytes| format!(", {bytes} bytes per move"));
        let events = counted(events, "event", "events");
        session.output.text(&format!("{}: {events}, {size} bytes{per_move}\n", path.display()))
    }
}

/// Returns whether an event is a move. Two sealed choices are two moves; their reveal is not one.
fn is_move(event: &LogEvent) -> bool {
    let kind = u16::try_from(event.kind).ok().and_then(EventKind::from_number);
    matches!(kind, Some(EventKind::MoveMade | EventKind::MoveSealed))
}
