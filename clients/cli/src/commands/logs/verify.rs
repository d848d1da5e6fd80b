//! `matchbook verify`: verifies log files on this machine, without a service.

use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use audit::{LogFile, PublicKey, Receipt, Report, Trust, Verification, keys_in};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget};
use rules::Games;

use crate::arguments::Global;
use crate::credentials::KnownKeys;
use crate::failure::{Exit, Failure};
use crate::log_file::read_log_file;
use crate::log_file::{Lineage, Parents};
use crate::log_file::{report_as_json, report_as_text, unreadable_as_json, unreadable_as_text};
use crate::output::{Output, OutputFormat};

const AFTER_HELP: &str = "\
Examples:
  matchbook verify match.jsonl --key 'play.example+d8a2f0c1+AYl...'
  matchbook verify *.jsonl --key keys.txt --json
  matchbook verify match.jsonl --receipt HASH@SEQ    is my move still in it?
  matchbook verify match.jsonl --trust               trust the file's key, now and later
  matchbook verify fork.jsonl --parent match.jsonl   does the fork continue that match?

Checks: structure, hash chain, times, commitments and openings, seed and deal, every
move by the rules, state digests, clocks, result, signature. Without --key, only keys
trusted earlier are known.

Exit codes, the worst of all files (in the order 1, 5, 4, 6, 7, 0):
  0  verified: every check passed
  1  refused: a check failed; the first failure is named
  4  not_read: a file is missing, or cannot be opened or read
  5  unreadable: not a log file, or not in canonical form
  6  key_unknown: no check failed, but no trusted key signed the log
  7  incomplete: no check failed, but some were not made, as while the match runs; the
     report lists them";

/// Arguments of `matchbook verify`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Verify {
    /// Log files in either form; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Trusted key of the service, NAME+ID+KEY, or a file with one per line; repeatable
    #[arg(long = "key", value_name = "KEY")]
    keys: Vec<String>,
    /// Receipt, HASH@SEQ, or a file with a signed head; repeatable
    #[arg(long = "receipt", value_name = "RECEIPT")]
    receipts: Vec<String>,
    /// File of the match that a fork among the files continues, verified as well; repeatable
    #[arg(long = "parent", value_name = "FILE")]
    parents: Vec<PathBuf>,
    /// Trust the key in the file if the service is not known yet, now and later
    #[arg(long, conflicts_with = "keys")]
    trust: bool,
}

impl Verify {
    pub(crate) async fn run(self, _: &Global, output: Output) -> Result<Exit, Failure> {
        let keys = self.trusted_keys()?;
        let receipts = self.receipts.iter().map(|text| read_receipt(text)).collect::<Result<Vec<_>, _>>()?;
        let trust = Trust { keys, receipts, games: Games::built_in() };
        let progress = progress(self.files.len() + self.parents.len());
        let parents = Parents::read(&self.parents);
        let mut worst = Exit::Success;
        let mut compared = 0;
        let files = self.files.iter().map(|path| (path, Some(&parents)));
        for (path, parents) in files.chain(self.parents.iter().map(|path| (path, None))) {
            let exit = match self.verify(path, &trust, output) {
                Ok((file, report)) => {
                    let lineage = parents.and_then(|parents| parents.lineage_of(&file));
                    compared += usize::from(lineage.is_some());
                    print(path, &report, lineage.as_ref(), output, &progress)?;
                    if lineage.is_some_and(|lineage| lineage.is_invalid()) {
                        Exit::Refused
                    } else {
                        exit_of(report.verdict)
                    }
                }
                Err(failure @ (Failure::LogFile { .. } | Failure::Unreadable { .. })) => {
                    progress.suspend(|| match output.format() {
                        OutputFormat::Json => output.object(&unreadable_as_json(path, &failure)),
                        OutputFormat::Text => output.text(&unreadable_as_text(&failure)),
                    })?;
                    failure.exit()
                }
                Err(failure) => return Err(failure),
            };
            worst = worse(worst, exit);
            progress.inc(1);
        }
        progress.finish_and_clear();
        if compared == 0 && !self.parents.is_empty() {
            output.warn("no file is a fork, so --parent had no effect");
        }
        Ok(worst)
    }

    fn verify(&self, path: &Path, trust: &Trust, output: Output) -> Result<(LogFile, Report), Failure> {
        let (file, _) = read_log_file(path)?;
        let report = self.report(&file, trust, output)?;
        Ok((file, report))
    }

    fn report(&self, file: &LogFile, trust: &Trust, output: Output) -> Result<Report, Failure> {
        if !self.keys.is_empty() {
            return Ok(file.verify(trust));
        }
        let known = KnownKeys::of_user();
        let keys = known.as_ref().map_or(Ok(Vec::new()), |known| known.of_service(&file.header.service))?;
        let report = file.verify(&Trust { keys, ..trust.clone() });
        match (report.verdict, &report.signed_by, known) {
            (Verification::KeyUnknown, Some(key), Some(known)) if self.trust => {
                output
                    .warn(&format!("trusting {key} from now on: first use, not confirmed by another source"));
                known.add(key)?;
                Ok(verify_with(file, key.clone(), trust))
            }
            _ => Ok(report),
        }
    }

    fn trusted_keys(&self) -> Result<Vec<PublicKey>, Failure> {
        let mut keys = Vec::new();
        for text in &self.keys {
            match (text.parse::<PublicKey>(), fs::read_to_string(text)) {
                (Ok(key), _) => keys.push(key),
                (Err(_), Ok(file)) if keys_in(&file).next().is_some() => keys.extend(keys_in(&file)),
                (Err(error), Ok(_)) => {
                    return Err(Failure::Usage(format!("--key {text}: the file has no key: {error}")));
                }
                (Err(error), Err(cause)) => {
                    let message = format!("--key {text} is neither a key ({error}) nor a file ({cause})");
                    return Err(Failure::Usage(message));
                }
            }
        }
        Ok(keys)
    }
}

fn verify_with(file: &LogFile, key: PublicKey, trust: &Trust) -> Report {
    file.verify(&Trust { keys: vec![key], ..trust.clone() })
}

fn print(
    path: &Path,
    report: &Report,
    lineage: Option<&Lineage>,
    output: Output,
    progress: &ProgressBar,
) -> Result<(), Failure> {
    progress.suspend(|| match output.format() {
        OutputFormat::Json => {
            let mut json = report_as_json(path, report);
            json["parent"] = lineage.map(Lineage::as_json).into();
            output.object(&json)
        }
        OutputFormat::Text => {
            output.text(&(report_as_text(path, report) + &lineage.map(Lineage::as_text).unwrap_or_default()))
        }
    })
}

fn read_receipt(text: &str) -> Result<Receipt, Failure> {
    let receipt = match (text.parse::<Receipt>(), fs::read_to_string(text)) {
        (Ok(receipt), _) => Ok(receipt),
        (Err(_), Ok(file)) => file.parse(),
        (Err(error), Err(cause)) => {
            let message = format!("--receipt {text} is neither a receipt ({error}) nor a file ({cause})");
            return Err(Failure::Usage(message));
        }
    };
    receipt.map_err(|error| Failure::Usage(format!("--receipt {text}: {error}")))
}

fn exit_of(verdict: Verification) -> Exit {
    match verdict {
        Verification::Verified => Exit::Success,
        Verification::Incomplete => Exit::Incomplete,
        Verification::KeyUnknown => Exit::KeyUnknown,
        Verification::Refused => Exit::Refused,
    }
}

fn worse(a: Exit, b: Exit) -> Exit {
    const WORST_FIRST: [Exit; 6] =
        [Exit::Refused, Exit::Unreadable, Exit::Local, Exit::KeyUnknown, Exit::Incomplete, Exit::Success];
    WORST_FIRST.into_iter().find(|exit| [a, b].contains(exit)).unwrap_or(Exit::Success)
}

/// Returns a progress bar, hidden unless a person waits for several files.
fn progress(files: usize) -> ProgressBar {
    let visible = files > 1 && io::stderr().is_terminal();
    let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    ProgressBar::with_draw_target(Some(files as u64), target)
}
