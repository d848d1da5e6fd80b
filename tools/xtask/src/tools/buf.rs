//! buf, which checks the protos' style: the pinned version, from PATH or from npm.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{child, repository};

const PACKAGE: &str = "@bufbuild/buf";
const VERSION: &str = "1.75.0";

/// The path of buf in the pinned version; other versions judge other things.
pub(crate) fn buf() -> Result<PathBuf> {
    if let Some(program) = repository::on_path("buf").filter(is_pinned) {
        return Ok(program);
    }
    let folder = repository::tools_folder().join(format!("buf-{VERSION}"));
    let program = folder.join("node_modules/.bin/buf");
    if is_pinned(&program) {
        return Ok(program);
    }
    if repository::on_path("npm").is_none() {
        bail!(
            "buf {VERSION} comes from npm, which is not installed: install Node.js with npm, or buf {VERSION} itself"
        );
    }
    println!("buf {VERSION} is not installed: downloading it from npm into {}", folder.display());
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut npm = Command::new("npm");
    // The package's install script only tests what is tested below.
    npm.args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix"]).arg(&folder);
    child::run(npm.arg(format!("{PACKAGE}@{VERSION}")))?;
    if !is_pinned(&program) {
        bail!("npm brought something that is not buf {VERSION}: {}", program.display());
    }
    Ok(program)
}

fn is_pinned(program: &PathBuf) -> bool {
    child::ask(Command::new(program).arg("--version")).is_some_and(|answer| answer == VERSION)
}
