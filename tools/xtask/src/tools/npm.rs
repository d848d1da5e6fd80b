//! npm packages, each installed into a folder of its own below `target/tools`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::PinnedPackage;
use crate::{child, output, repository};

/// Returns the folder with the package's programs, after installing it if necessary.
pub(super) fn install(package: &PinnedPackage) -> Result<PathBuf> {
    let PinnedPackage { name, version, companions, .. } = package;
    let folder_name = format!("npm-{}-{version}", name.trim_start_matches('@').replace('/', "-"));
    let folder = repository::tools_folder().join(folder_name);
    let programs = folder.join("node_modules/.bin");
    let _lock = super::lock()?;
    // Written last: a folder that has it is complete.
    let marker = folder.join("installed");
    if marker.exists() {
        return Ok(programs);
    }
    if repository::on_path("npm").is_none() {
        bail!("npm is not installed; install Node.js with npm");
    }
    output::print_line(format_args!("installing {name} {version} from npm into {}", folder.display()));
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut npm = Command::new("npm");
    // Install scripts could download anything from anywhere, and no package here needs its own.
    npm.args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix"]).arg(&folder);
    child::run(npm.arg(format!("{name}@{version}")).args(*companions))?;
    fs::write(&marker, "").with_context(|| format!("cannot write {}", marker.display()))?;
    Ok(programs)
}
