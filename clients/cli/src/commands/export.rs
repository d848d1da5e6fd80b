//! `matchbook export`: a match's log as a file.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::PathBuf;

use clap::Args;
use event::EventKind;
use replay::{FileForm, FileWriter};
use wire::v1::LogEvent;
use wire::v1::export_log_response::Record;

use crate::commands::match_id;
use crate::credentials::Session;
use crate::failure::Failure;
use crate::log_source::exported;
use crate::seat_name::SeatName;

const AFTER_HELP: &str = "\
Examples:
  matchbook export MATCH -o match.jsonl
  matchbook export MATCH --binary -o match.log         the same, smaller
  matchbook export MATCH | matchbook verify - --key KEY

While a match runs the file has what you may see: with a seat's token that seat's own sealed
choice, and of nobody the deal. It verifies all the same.";

/// Arguments of `matchbook export`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Export {
    /// The match's id.
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Where to write; else to the standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The binary form.
    #[arg(long)]
    binary: bool,
    /// Look as this seat, with its stored token.
    #[arg(long)]
    seat: Option<SeatName>,
}

impl Export {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let service = session.looking(&self.match_id, self.seat.as_ref()).await?;
        let mut writer = FileWriter::new(if self.binary { FileForm::Binary } else { FileForm::Json });
        let mut bytes = Vec::new();
        let (mut events, mut moves) = (0_usize, 0);
        // Whole before the file is touched: half a file would only be refused later.
        exported(&service, &self.match_id, |record| {
            bytes.extend(writer.record(&record));
            if let Some(Record::Event(event)) = &record.record {
                events += 1;
                moves += usize::from(is_move(event));
            }
        })
        .await?;
        let Some(path) = self.output else { return session.output.bytes(&bytes) };
        write(&path, &bytes).map_err(|source| Failure::LogFile { path: path.clone(), source })?;
        let size = bytes.len();
        let a_move = size.checked_div(moves).map_or(String::new(), |bytes| format!(", {bytes} a move"));
        session.output.text(&format!("{}: {events} events, {size} bytes{a_move}\n", path.display()))
    }
}

/// A turn's two sealed choices are two moves, and their reveal is none.
fn is_move(event: &LogEvent) -> bool {
    let kind = u16::try_from(event.kind).ok().and_then(EventKind::from_number);
    matches!(kind, Some(EventKind::MoveMade | EventKind::MoveSealed))
}

pub(super) fn write(path: &PathBuf, bytes: &[u8]) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(bytes)?;
    file.flush()
}
