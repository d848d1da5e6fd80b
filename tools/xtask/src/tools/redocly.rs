//! redocly, which judges OpenAPI documents: the pinned version, from PATH or from npm.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{child, repository};

const PACKAGE: &str = "@redocly/cli";
const VERSION: &str = "2.30.0";

/// The path of redocly in the pinned version; other versions judge other things.
pub(crate) fn redocly() -> Result<PathBuf> {
    if let Some(program) = repository::on_path("redocly").filter(is_pinned) {
        return Ok(program);
    }
    let folder = repository::tools_folder().join(format!("redocly-{VERSION}"));
    let program = folder.join("node_modules/.bin/redocly");
    if is_pinned(&program) {
        return Ok(program);
    }
    if repository::on_path("npm").is_none() {
        bail!("redocly {VERSION} comes from npm, which is not installed: install Node.js with npm");
    }
    println!("redocly {VERSION} is not installed: downloading it from npm into {}", folder.display());
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix"]).arg(&folder);
    child::run(npm.arg(format!("{PACKAGE}@{VERSION}")))?;
    if !is_pinned(&program) {
        bail!("npm brought something that is not redocly {VERSION}: {}", program.display());
    }
    Ok(program)
}

fn is_pinned(program: &PathBuf) -> bool {
    child::ask(Command::new(program).arg("--version")).is_some_and(|answer| answer == VERSION)
}
