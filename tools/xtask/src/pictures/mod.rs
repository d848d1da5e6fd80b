//! `cargo xtask pictures`: the pictures of the README, made with the programs themselves.

mod ansi;
mod boards;
mod nesting;
mod recording;
mod session;

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::programs::{Profile, Programs};
use crate::repository;
use crate::service::RunningService;
use crate::steps::Steps;

/// The themes of the pictures, by their names in the REST API.
const THEMES: [&str; 2] = ["light", "dark"];

/// Make the README's pictures
///
/// Plays a match of each game on a service in memory and writes docs/pictures/. The result is the same each
/// time, except for the cards of Ace Exorcist: the service contributes to their seed.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> ExitCode {
    let mut steps = Steps::new();
    steps.step("Make the pictures", make);
    steps.finish()
}

fn make() -> Result<()> {
    let programs = Programs::build(Profile::Quick)?;
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let service = RunningService::start(&programs, folder.path(), "memory:")?;
    let matches = boards::play(&programs, &service, folder.path())?;
    let session = session::record(&programs, &service, folder.path())?;
    for theme in THEMES {
        write(&format!("boards-{theme}.svg"), &boards::compose(&service, &matches, theme)?)?;
        write(&format!("terminal-{theme}.svg"), &recording::draw(&session, theme)?)?;
    }
    service.stop()
}

fn write(name: &str, picture: &str) -> Result<()> {
    let path = repository::root().join("docs/pictures").join(name);
    fs::write(&path, picture).with_context(|| format!("cannot write {}", path.display()))
}
