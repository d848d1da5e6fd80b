//! `matchbook verify`: log files checked on this machine alone.

use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget};
use replay::{LogFile, PublicKey, Receipt, Report, Trust, Verdict};

use crate::failure::{Exit, Failure};
use crate::known_keys::{KnownKeys, keys_in};
use crate::lineage::{Lineage, Parents};
use crate::log_source::read_file;
use crate::output::{Format, Output};
use crate::told_report::{as_json, as_text, unreadable_as_json};

const AFTER_HELP: &str = "\
Examples:
  matchbook verify match.jsonl --key 'play.example+d8a2f0c1+AYl...'
  matchbook verify *.jsonl --key keys.txt --json
  matchbook verify match.jsonl --receipt HASH@SEQ    is my move still in it?
  matchbook verify match.jsonl --trust               take the file's key, and know it from now on
  matchbook verify fork.jsonl --parent match.jsonl   did the fork begin where that match was?

Checked: structure, hash chain, times, commitments and openings, seed and deal, every move by the
rules, state digests, clocks, result, signature. Without --key only keys trusted earlier are known.

Exit codes, the worst of all files (in the order 1, 5, 4, 6, 7, 0):
  0  verified: everything was checked and is good
  1  refused: something is wrong; the first thing is named
  4  a file can't be read
  5  unreadable: no log file, or not in its one canonical spelling
  6  key_unknown: all is good, but nobody vouches for the key that signed it
  7  incomplete: good as far as it can be checked, as while the match runs";

/// Arguments of `matchbook verify`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Verify {
    /// Log files, in either form; - is the standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// A key that you know to be the service's, NAME+ID+KEY, or a file with one a line. May be repeated.
    #[arg(long = "key", value_name = "KEY")]
    keys: Vec<String>,
    /// An answer that you kept, HASH@SEQ, or a file with a signed head. May be repeated.
    #[arg(long = "receipt", value_name = "RECEIPT")]
    receipts: Vec<String>,
    /// The file of the match that a fork among the files goes on from; is verified as well. May be repeated.
    #[arg(long = "parent", value_name = "FILE")]
    parents: Vec<PathBuf>,
    /// Take the key of a service that is not known yet from the file, and know it from now on.
    #[arg(long, conflicts_with = "keys")]
    trust: bool,
}

impl Verify {
    pub(crate) fn run(self, output: Output) -> Result<Exit, Failure> {
        let keys = self.pinned()?;
        let receipts = self.receipts.iter().map(|text| read_receipt(text)).collect::<Result<Vec<_>, _>>()?;
        let trust = Trust { keys, receipts };
        let progress = progress(self.files.len() + self.parents.len());
        let parents = Parents::read(&self.parents);
        let mut worst = Exit::Done;
        let mut compared = 0;
        let files = self.files.iter().map(|path| (path, Some(&parents)));
        for (path, parents) in files.chain(self.parents.iter().map(|path| (path, None))) {
            let exit = match self.verify(path, &trust, output) {
                Ok((file, report)) => {
                    let lineage = parents.and_then(|parents| parents.lineage_of(&file));
                    compared += usize::from(lineage.is_some());
                    tell(path, &report, lineage.as_ref(), output, &progress)?;
                    if lineage.is_some_and(|lineage| lineage.is_wrong()) {
                        Exit::Refused
                    } else {
                        exit_of(report.verdict)
                    }
                }
                Err(failure @ (Failure::LogFile { .. } | Failure::Unreadable { .. })) => {
                    progress.suspend(|| match output.format() {
                        Format::Json => output.object(&unreadable_as_json(path, &failure)),
                        Format::Text => output.text(&format!("{failure}\n  unreadable\n")),
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
            output.warn("none of the files is a fork, so there was nothing to compare with --parent");
        }
        Ok(worst)
    }

    fn verify(&self, path: &Path, trust: &Trust, output: Output) -> Result<(LogFile, Report), Failure> {
        let (file, _) = read_file(path)?;
        let report = self.report(&file, trust, output)?;
        Ok((file, report))
    }

    fn report(&self, file: &LogFile, trust: &Trust, output: Output) -> Result<Report, Failure> {
        if !self.keys.is_empty() {
            return Ok(file.verify(trust));
        }
        let known = KnownKeys::of_user();
        let keys = known.as_ref().map_or(Ok(Vec::new()), |known| known.of_service(&file.header.service))?;
        let report = file.verify(&Trust { keys, receipts: trust.receipts.clone() });
        match (report.verdict, &report.signed_by, known) {
            (Verdict::KeyUnknown, Some(key), Some(known)) if self.trust => {
                output.warn(&format!(
                    "trusting {key} from now on: it was first seen here, and nobody has vouched for it"
                ));
                known.add(key)?;
                Ok(verified_under(file, key.clone(), trust))
            }
            _ => Ok(report),
        }
    }

    fn pinned(&self) -> Result<Vec<PublicKey>, Failure> {
        let mut pinned = Vec::new();
        for text in &self.keys {
            match (text.parse::<PublicKey>(), fs::read_to_string(text)) {
                (Ok(key), _) => pinned.push(key),
                (Err(_), Ok(file)) if keys_in(&file).next().is_some() => pinned.extend(keys_in(&file)),
                (Err(error), _) => {
                    let message = format!("--key {text} is no key ({error}), and no file with one a line");
                    return Err(Failure::Usage(message));
                }
            }
        }
        Ok(pinned)
    }
}

fn verified_under(file: &LogFile, key: PublicKey, trust: &Trust) -> Report {
    file.verify(&Trust { keys: vec![key], receipts: trust.receipts.clone() })
}

fn tell(
    path: &Path,
    report: &Report,
    lineage: Option<&Lineage>,
    output: Output,
    progress: &ProgressBar,
) -> Result<(), Failure> {
    progress.suspend(|| match output.format() {
        Format::Json => {
            let mut told = as_json(path, report);
            told["parent"] = lineage.map(Lineage::as_json).into();
            output.object(&told)
        }
        Format::Text => {
            output.text(&(as_text(path, report) + &lineage.map(Lineage::as_text).unwrap_or_default()))
        }
    })
}

fn read_receipt(text: &str) -> Result<Receipt, Failure> {
    let receipt = match (text.parse(), fs::read_to_string(text)) {
        (Ok(receipt), _) => Ok(receipt),
        (Err(_), Ok(file)) => file.parse(),
        (Err(error), Err(_)) => Err(error),
    };
    receipt.map_err(|error| Failure::Usage(format!("--receipt {text}: {error}")))
}

fn exit_of(verdict: Verdict) -> Exit {
    match verdict {
        Verdict::Verified => Exit::Done,
        Verdict::Incomplete => Exit::Incomplete,
        Verdict::KeyUnknown => Exit::KeyUnknown,
        Verdict::Refused => Exit::Refused,
    }
}

fn worse(a: Exit, b: Exit) -> Exit {
    const WORST_FIRST: [Exit; 6] =
        [Exit::Refused, Exit::Unreadable, Exit::Local, Exit::KeyUnknown, Exit::Incomplete, Exit::Done];
    WORST_FIRST.into_iter().find(|exit| [a, b].contains(exit)).unwrap_or(Exit::Done)
}

/// A bar where somebody sees it and has to wait.
fn progress(files: usize) -> ProgressBar {
    let seen = files > 1 && io::stderr().is_terminal();
    let target = if seen { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    ProgressBar::with_draw_target(Some(files as u64), target)
}
