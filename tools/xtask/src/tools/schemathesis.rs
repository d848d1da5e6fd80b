//! schemathesis, which calls a service with whatever its OpenAPI document allows: the pinned version from PyPI, in a
//! Python environment of its own.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{child, repository};

/// Names the package and its version.
const REQUIREMENTS: &str = "tools/xtask/tools/openapi/requirements.txt";
const VERSION: &str = "4.32.5";

/// The path of schemathesis.
pub(crate) fn schemathesis() -> Result<PathBuf> {
    let folder = repository::tools_folder().join(format!("schemathesis-{VERSION}"));
    let program = folder.join("bin/schemathesis");
    if is_pinned(&program) {
        return Ok(program);
    }
    println!("downloading schemathesis {VERSION} from PyPI into {}", folder.display());
    child::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))
        .context("Python 3 with venv is needed (Debian's package is python3-venv)")?;
    let mut pip = Command::new(folder.join("bin/python"));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]);
    child::run(pip.arg(repository::root().join(REQUIREMENTS)))?;
    if !is_pinned(&program) {
        bail!("pip brought something that is not schemathesis {VERSION}: {}", program.display());
    }
    Ok(program)
}

fn is_pinned(program: &PathBuf) -> bool {
    let answer = child::ask(Command::new(program).arg("--version"));
    answer.is_some_and(|answer| answer.ends_with(VERSION))
}
