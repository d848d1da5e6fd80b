//! The Pythons that the package supports and that are installed here, each with an environment of its own
//! below `target/tools`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{child, output, repository};

/// Everything in an environment.
const LOCK: &str = include_str!("../../tools/python_client/lock.txt");

/// The supported versions, and the step that tests on each: all tests, or those that can differ between them.
const SUPPORTED: [(&str, &str, &str); 3] = [
    ("3.11", "Python: tests on 3.11", "Python: tests on 3.11 that can differ"),
    ("3.12", "Python: tests on 3.12", "Python: tests on 3.12 that can differ"),
    ("3.13", "Python: tests on 3.13", "Python: tests on 3.13 that can differ"),
];

/// Leaves out the tests that one Python runs for all.
const THAT_CAN_DIFFER: [&str; 2] = ["-m", "not once"];

/// The Python of an environment.
pub(crate) struct Python {
    /// Its path.
    pub(crate) program: PathBuf,
    /// The name of the step that tests on it.
    pub(crate) step: &'static str,
    /// The arguments that choose its tests.
    pub(crate) selection: &'static [&'static str],
}

/// Returns the environments of all supported Pythons that are installed, the oldest first, after creating
/// those that are missing. The oldest one runs all tests.
pub(crate) fn prepare() -> Result<Vec<Python>> {
    let mut pythons = Vec::new();
    for (version, everything, step) in SUPPORTED {
        match find(version) {
            Some(interpreter) => {
                let program = environment(version, &interpreter)?;
                let (step, selection): (_, &[_]) =
                    if pythons.is_empty() { (everything, &[]) } else { (step, &THAT_CAN_DIFFER) };
                pythons.push(Python { program, step, selection });
            }
            None => output::print_line(format_args!("Python {version} is not installed: not tested")),
        }
    }
    if pythons.is_empty() {
        bail!("Python 3.11, 3.12 or 3.13 is required (Debian package `python3`)");
    }
    Ok(pythons)
}

/// Returns a Python of this version, from `PATH` or from pyenv's folder.
fn find(version: &str) -> Option<PathBuf> {
    let name = format!("python{version}");
    let pyenv = std::env::home_dir()?.join(".pyenv/versions");
    let versions = fs::read_dir(pyenv).into_iter().flatten().flatten();
    let candidates = versions.map(|entry| entry.path().join("bin").join(&name));
    repository::on_path(&name).into_iter().chain(candidates).find(|python| works(python))
}

/// Returns whether a Python starts and can make environments: pyenv has stand-ins for versions that are not
/// in use.
fn works(python: &Path) -> bool {
    let mut tried = Command::new(python);
    python.is_file() && child::capture(tried.args(["-c", "import venv"])).is_ok()
}

/// Returns the Python of an environment with everything in the lock file.
fn environment(version: &str, interpreter: &Path) -> Result<PathBuf> {
    let folder = repository::tools_folder().join(format!("python-client-{version}"));
    let python = folder.join("bin/python");
    // Written last: an environment that has it with this content is complete.
    let marker = folder.join("installed");
    if fs::read_to_string(&marker).is_ok_and(|lock| lock == LOCK) {
        return Ok(python);
    }
    output::print_line(format_args!("installing Python packages into {}", folder.display()));
    let mut venv = Command::new(interpreter);
    child::run(venv.args(["-m", "venv", "--without-pip", "--clear"]).arg(&folder))?;
    let lock = folder.join("lock.txt");
    fs::write(&lock, LOCK).with_context(|| format!("cannot write {}", lock.display()))?;
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "--quiet", "--disable-pip-version-check", "--python"]).arg(&python);
    child::run(pip.args(["install", "--no-deps", "--requirement"]).arg(&lock))
        .context("pip 22.3 or later is required (Debian package `python3-pip`)")?;
    fs::rename(&lock, &marker).with_context(|| format!("cannot write {}", marker.display()))?;
    Ok(python)
}
