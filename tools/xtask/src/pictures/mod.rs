//! `cargo xtask pictures`: the pictures of the README, made with the programs themselves.

mod ansi;
mod boards;
mod nesting;
mod recording;
mod session;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::programs::{Profile, Programs};
use crate::repository;
use crate::service::RunningService;
use crate::steps::Steps;

/// The themes of the pictures, by their names in the REST API.
const THEMES: [&str; 2] = ["light", "dark"];

/// Make the README's pictures
///
/// Lets bots play matches on a service in memory and writes docs/pictures/. The result is the same each time.
/// The board of Ace Exorcist is a drawing of the tests in service/board, as every deal is another one.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  cargo xtask pictures
  cargo xtask pictures --check     fails if docs/pictures/ has others")]
pub(crate) struct Arguments {
    /// Compare the pictures with docs/pictures/ instead of writing them
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let mut steps = Steps::new();
    let keep = if arguments.check { compare } else { write };
    steps.step("Make the pictures", || make(&Programs::build(Profile::Quick)?, keep));
    steps.finish()
}

/// Checks that the pictures are those that the programs make.
pub(crate) fn check(programs: &Programs) -> Result<()> {
    make(programs, compare)
}

/// Makes each picture and passes it on with its name.
fn make(programs: &Programs, keep: fn(&str, &str) -> Result<()>) -> Result<()> {
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let service = RunningService::start(programs, folder.path(), "memory:")?;
    let matches = boards::play(programs, &service, folder.path())?;
    let session = session::record(programs, &service, folder.path())?;
    for theme in THEMES {
        keep(&format!("boards-{theme}.svg"), &boards::compose(&service, &matches, theme)?)?;
        keep(&format!("terminal-{theme}.svg"), &recording::draw(&session, theme)?)?;
    }
    service.stop()
}

fn write(name: &str, picture: &str) -> Result<()> {
    let path = path(name);
    fs::write(&path, picture).with_context(|| format!("cannot write {}", path.display()))
}

fn compare(name: &str, picture: &str) -> Result<()> {
    let path = path(name);
    let kept = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    if kept != picture {
        bail!("the programs draw another {}; run `cargo xtask pictures`", path.display());
    }
    Ok(())
}

fn path(name: &str) -> PathBuf {
    repository::root().join("docs/pictures").join(name)
}
