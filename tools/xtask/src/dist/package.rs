//! The files that people download: an archive, a Debian package of each program, and their checksums.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::release::Release;
use crate::{child, tools};

/// The settings of Debian packages, in `deploy/packages`.
const DEBIAN_PACKAGES: [&str; 2] = ["matchbook.yaml", "matchbookd.yaml"];

/// Writes all packages of a release into `out`, which is emptied.
pub(super) fn write(release: &Release, out: &Path) -> Result<()> {
    if out.exists() {
        fs::remove_dir_all(out).with_context(|| format!("cannot empty {}", out.display()))?;
    }
    fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    archive(release, out)?;
    for settings in DEBIAN_PACKAGES {
        debian_package(release, settings, out)?;
    }
    checksums(out)?;
    let list = child::capture(Command::new("ls").args(["-l", "--human-readable"]).arg(out))?;
    println!("{}\n{list}", out.display());
    Ok(())
}

fn archive(release: &Release, out: &Path) -> Result<()> {
    let mut tar = Command::new("tar");
    tar.args(["--create", "--sort=name", "--format=posix", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.args(["--mode=u=rwX,go=rX", "--pax-option=delete=atime,delete=ctime"]);
    tar.arg(format!("--mtime=@{}", release.time)).arg("--use-compress-program=gzip --no-name --best");
    tar.arg("--file").arg(out.join(format!("{}.tar.gz", release.name)));
    tar.arg("--directory").arg(release.tree().join("..")).arg(&release.name);
    child::run(&mut tar)
}

/// Makes a Debian package. Its settings name files in the tree of packed files, and in `deploy`.
fn debian_package(release: &Release, settings: &str, out: &Path) -> Result<()> {
    let mut nfpm = Command::new(tools::NFPM.path()?);
    nfpm.current_dir(release.tree()).env("SOURCE_DATE_EPOCH", &release.time);
    nfpm.env("VERSION", env!("CARGO_PKG_VERSION")).env("ARCHITECTURE", architecture());
    nfpm.env("DEPLOY", release.source().join("deploy"));
    nfpm.args(["package", "--packager", "deb", "--config"]);
    nfpm.arg(release.source().join("deploy/packages").join(settings)).arg("--target").arg(out);
    child::run(&mut nfpm)
}

fn architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    }
}

/// Writes `SHA256SUMS`, which `sha256sum --check` reads.
fn checksums(out: &Path) -> Result<()> {
    let entries = fs::read_dir(out).with_context(|| format!("cannot read {}", out.display()))?;
    let mut names = entries.map(|entry| Ok(entry?.file_name())).collect::<Result<Vec<_>>>()?;
    names.sort();
    let sums = child::capture(Command::new("sha256sum").current_dir(out).args(names))?;
    let file = out.join("SHA256SUMS");
    fs::write(&file, sums).with_context(|| format!("cannot write {}", file.display()))
}
