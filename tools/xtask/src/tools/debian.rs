//! Debian packages, installed with apt-get where this process may do so.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use rustix::process::geteuid;

use crate::{child, output, repository};

/// Returns what `find` finds, after installing `package` if it finds nothing and this is root on Debian.
pub(crate) fn find_or_install<T>(package: &str, find: impl Fn() -> Option<T>) -> Result<T> {
    if let Some(found) = find() {
        return Ok(found);
    }
    if !can_install() {
        bail!("Debian package `{package}` is not installed; run `apt-get install {package}` as root");
    }
    let _lock = super::lock()?;
    output::print_line(format_args!("installing Debian package `{package}`"));
    child::run(apt_get().arg("update"))?;
    child::run(apt_get().args(["install", "-y", "--no-install-recommends", package]))?;
    find().with_context(|| format!("Debian package `{package}` lacks the expected files"))
}

fn can_install() -> bool {
    let on_debian = Path::new("/etc/debian_version").exists() && repository::on_path("apt-get").is_some();
    on_debian && geteuid().is_root()
}

fn apt_get() -> Command {
    let mut command = Command::new("apt-get");
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}
