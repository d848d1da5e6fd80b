//! Debian's packages, installed where that is possible: as root, with apt-get.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use rustix::process::geteuid;

use crate::{child, repository};

/// Whether a package can be installed here.
pub(crate) fn can_install() -> bool {
    let on_debian = Path::new("/etc/debian_version").exists() && repository::on_path("apt-get").is_some();
    on_debian && geteuid().is_root()
}

/// Installs one, saying so.
pub(crate) fn install(package: &str) -> Result<()> {
    println!("installing Debian's package `{package}` with apt-get, since this is root and it is missing");
    child::run(apt_get().arg("update"))?;
    child::run(apt_get().args(["install", "-y", "--no-install-recommends", package]))
}

fn apt_get() -> Command {
    let mut command = Command::new("apt-get");
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}
