//! What a release is made of: the licences of its dependencies, and bills of materials.

use std::process::Command;

use anyhow::Result;

use super::bill;
use super::release::Release;
use crate::{child, tools};

/// A program, and the folder of its package.
const PACKAGES: [(&str, &str); 2] = [("matchbookd", "service/matchbookd"), ("matchbook", "clients/cli")];

/// Files of the source that are packed as they are.
const COPIED: [&str; 6] =
    ["README.md", "CHANGELOG.md", "LICENSE", "LICENSE-MIT", "LICENSE-APACHE", "deploy/matchbook.toml"];

/// Writes the licences and the bills of materials of both programs into the packed files.
pub(super) fn write(release: &Release) -> Result<()> {
    for file in COPIED {
        release.copy(file, &release.tree())?;
    }
    for (program, package) in PACKAGES {
        licences(release, program, package)?;
        bill::write(release, program, package)?;
    }
    Ok(())
}

fn licences(release: &Release, program: &str, package: &str) -> Result<()> {
    let file = release.folder("licences")?.join(format!("{program}.txt"));
    let mut about = Command::new(tools::CARGO_ABOUT.path()?);
    about.current_dir(release.source());
    about.args(["generate", "--fail", "--locked", "--offline", "--config", "deploy/packages/about.toml"]);
    about.args(["--manifest-path", &format!("{package}/Cargo.toml")]);
    child::run(about.arg("--output-file").arg(&file).arg("deploy/packages/licences.hbs"))
}
