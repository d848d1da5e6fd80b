//! `matchbook convert`: converts a log file to its other form, with the same content.

use std::path::PathBuf;

use audit::FileForm;
use clap::Args;

use crate::arguments::Global;
use crate::failure::Failure;
use crate::log_file::{read_log_file, write_file};
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
    /// Log file in either form; - is standard input
    #[arg(value_name = "FILE")]
    from: PathBuf,
    /// File to write; default: standard output
    #[arg(value_name = "OUTPUT")]
    to: Option<PathBuf>,
}

impl Convert {
    pub(crate) async fn run(self, _: &Global, output: Output) -> Result<(), Failure> {
        let (file, form) = read_log_file(&self.from)?;
        let other = match form {
            FileForm::Json => FileForm::Binary,
            FileForm::Binary => FileForm::Json,
        };
        let bytes = file.write(other);
        match self.to {
            Some(path) => write_file(&path, &bytes),
            None => output.bytes(&bytes),
        }
    }
}
