//! The protos: their style, and that a change breaks no client of the released contract, which
//! `proto/released.binpb` keeps. proto/README.md says when to renew it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::steps::Steps;
use crate::{child, output, repository, tools};

/// The kept image, in `proto/`.
const RELEASED: &str = "released.binpb";

/// A field whose change breaks clients, and the line that breaks them.
const FIELD: (&str, &str, &str) =
    ("matchbook/v1/game_service.proto", "  string game_id = 1 ", "  uint64 game_id = 1 ");

/// Keep the protos as the contract that later changes must not break
///
/// Writes proto/released.binpb, which `cargo xtask lint` compares with the protos, and checks them as it
/// does. proto/README.md says when to do so.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> ExitCode {
    let mut steps = Steps::new();
    steps.step("Keep the protos", || {
        let image = folder().join(RELEASED);
        child::run(buf(&folder())?.args(["build", "--exclude-source-info", "--output"]).arg(image))
    });
    check(&mut steps);
    steps.finish()
}

/// Checks the protos.
pub(crate) fn check(steps: &mut Steps) {
    steps.step("Protos: style", || child::run(buf(&folder())?.arg("lint")));
    steps.step("Protos: compatibility", || {
        child::run(&mut breaking(&folder())?)
            .context("if the change is meant, see proto/README.md, The kept contract")
    });
    steps.step("Protos: a breaking change is found", finds_a_breaking_change);
}

/// Changes the type of a field in a copy of the protos, which must not pass.
fn finds_a_breaking_change() -> Result<()> {
    let copy = tempfile::tempdir().context("cannot create a temporary folder")?;
    child::run(Command::new("cp").arg("-r").arg(folder().join(".")).arg(copy.path()))?;
    child::run(&mut breaking(copy.path())?).context("the copy differs before the change")?;
    let (file, line, broken) = FIELD;
    let path = copy.path().join(file);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    if !text.contains(line) {
        bail!("{file} has no line `{line}` to change");
    }
    fs::write(&path, text.replace(line, broken))
        .with_context(|| format!("cannot write {}", path.display()))?;
    let found = breaking(copy.path())?.output().context("cannot run buf")?;
    let findings = String::from_utf8_lossy(&found.stdout);
    // 100 says that buf found breaking changes; other codes, that it failed.
    if found.status.code() != Some(100) || !findings.contains("changed type") {
        bail!("buf did not find the changed type of a field: {findings}");
    }
    output::print_line(format_args!("{}", findings.trim_end()));
    Ok(())
}

fn breaking(protos: &Path) -> Result<Command> {
    let mut command = buf(protos)?;
    command.args(["breaking", "--against", RELEASED]);
    Ok(command)
}

fn buf(protos: &Path) -> Result<Command> {
    let mut command = tools::BUF.command()?;
    command.current_dir(protos);
    Ok(command)
}

fn folder() -> PathBuf {
    repository::root().join("proto")
}
