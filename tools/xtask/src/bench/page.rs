//! `cargo xtask bench page`: how fast the page at `/` is in Chromium.

use std::process::Command;

use anyhow::Result;

use super::machine;
use crate::programs::{Profile, Programs};
use crate::{child, repository, tools, typescript_client};

/// Measure how fast the page is in Chromium
///
/// With a release build and a database of its own: from the navigation to the first board of each game, with
/// nothing stored; from the answer to a move to the frame that shows it; from frame to frame while the slider
/// goes over a match of a thousand events; and what the page's scripts then hold. Run nothing else meanwhile.
/// Needs Node 20 or later.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  cargo xtask bench page     about a minute after building")]
pub(crate) struct Arguments {}

/// Measures and prints the table.
pub(super) fn run(Arguments {}: &Arguments) -> Result<()> {
    let programs = Programs::build(Profile::Release)?;
    let folder = repository::root().join("clients/web");
    typescript_client::install(&folder)?;
    let busy = machine::busy().unwrap_or_default();
    let mut figures = Command::new("node");
    figures.arg("tests/figures.mjs").current_dir(&folder);
    figures.env("MATCHBOOKD", programs.path("matchbookd"));
    child::run(figures.env("MATCHBOOK_CHROMIUM", tools::CHROMIUM.path()?))?;
    print!("{}", machine::busy_note(busy));
    Ok(())
}
