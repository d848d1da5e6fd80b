//! The source of a release and the folders it is made in.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{child, repository};

/// The source of the last commit, unpacked into a folder of its own, and what is made from it.
pub(super) struct Release {
    folder: PathBuf,
    /// `matchbook-VERSION-TARGET`.
    pub(super) name: String,
    /// The commit's time, in seconds since 1970.
    pub(super) time: String,
}

impl Release {
    /// Unpacks a commit into a folder below `target/packing`, which is emptied.
    pub(super) fn unpack(commit: &str, name: &str) -> Result<Self> {
        let folder = repository::target_folder().join("packing").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
        }
        let release = Self {
            name: format!("matchbook-{}-{}", env!("CARGO_PKG_VERSION"), target()?),
            time: git(&["log", "-1", "--format=%ct", commit])?,
            folder,
        };
        for folder in [release.source(), release.tree()] {
            fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        }
        let archive = release.folder.join("source.tar");
        child::run(in_root(&["archive", "--format=tar", "--output"]).arg(&archive).arg(commit))?;
        child::run(Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(release.source()))?;
        Ok(release)
    }

    /// Returns the folder of the source.
    pub(super) fn source(&self) -> PathBuf {
        self.folder.join("source")
    }

    /// Returns cargo's build folder.
    pub(super) fn build(&self) -> PathBuf {
        self.folder.join("build")
    }

    /// Returns the folder of packed files, of the archive's name.
    pub(super) fn tree(&self) -> PathBuf {
        self.folder.join("tree").join(&self.name)
    }

    /// Returns the path of a program in the packed files.
    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.tree().join("bin").join(name)
    }

    /// Creates a folder of the packed files.
    pub(super) fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.tree().join(name);
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        Ok(folder)
    }

    /// Copies a file of the source into the packed files, under the same name.
    pub(super) fn copy(&self, file: &str, folder: &Path) -> Result<()> {
        let from = self.source().join(file);
        let name = from.file_name().unwrap_or_default();
        fs::copy(&from, folder.join(name)).with_context(|| format!("cannot copy {}", from.display()))?;
        Ok(())
    }
}

/// Returns the id of the last commit, so that a commit made meanwhile changes nothing.
pub(super) fn last_commit() -> Result<String> {
    git(&["rev-parse", "HEAD"])
}

/// Returns this machine's target, such as `x86_64-unknown-linux-gnu`.
fn target() -> Result<String> {
    let version = child::capture(Command::new("rustc").arg("-vV").current_dir(repository::root()))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("`rustc -vV` does not name its host")
}

fn git(arguments: &[&str]) -> Result<String> {
    let text = child::capture(&mut in_root(arguments)).context("packages are made from a git commit")?;
    Ok(text.trim().to_owned())
}

fn in_root(arguments: &[&str]) -> Command {
    let mut git = Command::new("git");
    git.current_dir(repository::root()).args(arguments);
    git
}
