//! Programs from crates.io, each built into a folder of its own below `target/tools`.

use std::path::PathBuf;

use anyhow::Result;

use super::PinnedPackage;
use crate::{child, output, repository};

/// Returns the folder with the crate's programs, after building them if necessary.
pub(super) fn install(package: &PinnedPackage) -> Result<PathBuf> {
    let PinnedPackage { name, version, companions: features, .. } = package;
    let folder = repository::tools_folder().join(format!("crates-{name}-{version}"));
    let _lock = super::lock()?;
    // Cargo writes this file last.
    if !folder.join(".crates2.json").exists() {
        output::print_line(format_args!("building {name} {version} into {}", folder.display()));
        let mut cargo = repository::cargo();
        cargo.args(["install", "--quiet", "--locked", "--version", version, "--root"]).arg(&folder);
        child::run(cargo.args(["--features", &features.join(",")]).arg(name))?;
    }
    Ok(folder.join("bin"))
}
