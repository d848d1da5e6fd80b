//! `matchbook convert`: the other form of a log file, with the same content.

use std::path::PathBuf;

use clap::Args;
use replay::FileForm;

use super::export::write;
use crate::failure::Failure;
use crate::log_source::read_file;
use crate::output::Output;

const AFTER_HELP: &str = "\
Examples:
  matchbook convert match.jsonl match.log     JSON to binary
  matchbook convert match.log match.jsonl     and back, byte for byte
  matchbook convert match.log > match.jsonl";

/// Arguments of `matchbook convert`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Convert {
    /// A log file, in either form; - is the standard input.
    #[arg(value_name = "FILE")]
    from: PathBuf,
    /// Where to write; else to the standard output.
    #[arg(value_name = "OUTPUT")]
    to: Option<PathBuf>,
}

impl Convert {
    pub(crate) fn run(self, output: Output) -> Result<(), Failure> {
        let (file, form) = read_file(&self.from)?;
        let other = match form {
            FileForm::Json => FileForm::Binary,
            FileForm::Binary => FileForm::Json,
        };
        let bytes = file.write(other);
        match self.to {
            Some(path) => write(&path, &bytes).map_err(|source| Failure::LogFile { path, source }),
            None => output.bytes(&bytes),
        }
    }
}
