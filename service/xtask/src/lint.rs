//! `cargo xtask lint`: format, clippy, the protos' style and, where it is installed, cargo-deny.

use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::steps::Steps;
use crate::{child, repository, tools};

/// Check format, clippy, the protos' style and (if installed) licences and sources of dependencies
///
/// Nothing is changed; `cargo fmt --all` repairs the format. buf comes from PATH if it is the pinned
/// version, else it is downloaded once into target/tools. How the code is cut (who may import whom, how
/// long a file may be) is checked by tests: `cargo test -p xtask`.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> Result<ExitCode> {
    let mut steps = Steps::new();
    steps.step("Format", || cargo(&["fmt", "--all", "--check"]));
    steps.step("Protos", || {
        child::run(Command::new(tools::buf()?).arg("lint").current_dir(repository::root().join("proto")))
    });
    steps.step("Clippy", || cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]));
    if repository::has_cargo_command("deny") {
        steps.step("Dependencies", || cargo(&["deny", "check"]));
    } else {
        steps.leave_out("Dependencies", "cargo-deny is not installed, so deny.toml was NOT checked");
    }
    Ok(steps.finish())
}

fn cargo(arguments: &[&str]) -> Result<()> {
    child::run(repository::cargo().args(arguments))
}
