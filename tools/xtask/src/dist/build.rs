//! The programs of a release, and what they print about themselves.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result};

use super::release::Release;
use crate::{child, repository};

const PROGRAMS: [&str; 2] = ["matchbookd", "matchbook"];

/// A shell, and how it names the file that completes a program.
const SHELLS: [(&str, &str, &str); 3] = [("bash", "", ".bash"), ("zsh", "_", ""), ("fish", "", ".fish")];

/// Builds both programs into the packed files.
pub(super) fn programs(release: &Release) -> Result<()> {
    let (source, build) = (release.source(), release.build());
    let mut cargo = repository::cargo();
    cargo.current_dir(&source).args(["build", "--locked", "--profile", "dist"]);
    cargo.args(["--package", "matchbookd", "--package", "cli", "--features", "matchbookd/verifier"]);
    cargo.arg("--target-dir").arg(&build);
    let hidden = [(&source, "/matchbook"), (&build, "/build"), (&cargo_home()?, "/cargo")];
    cargo.env("RUSTFLAGS", flags(&hidden, "--remap-path-prefix="));
    cargo.env("CFLAGS", flags(&hidden, "-ffile-prefix-map="));
    cargo.env("SOURCE_DATE_EPOCH", &release.time).env("CARGO_INCREMENTAL", "0");
    child::run(&mut cargo)?;
    release.folder("bin")?;
    for name in PROGRAMS {
        let built = build.join("dist").join(name);
        fs::copy(&built, release.program(name))
            .with_context(|| format!("cannot copy {}", built.display()))?;
    }
    Ok(())
}

/// Writes the programs' manual pages and completions into the packed files.
pub(super) fn manuals(release: &Release) -> Result<()> {
    let (pages, completions) = (release.folder("man/man1")?, release.folder("completions")?);
    for name in PROGRAMS {
        child::run(command(release, name).arg("man").arg(&pages))?;
        for (shell, before, after) in SHELLS {
            let script = child::capture(command(release, name).args(["completions", shell]))?;
            let file = completions.join(format!("{before}{name}{after}"));
            fs::write(&file, script).with_context(|| format!("cannot write {}", file.display()))?;
        }
    }
    Ok(())
}

/// Returns a command for a program without the settings in this process's environment.
fn command(release: &Release, name: &str) -> std::process::Command {
    let mut command = std::process::Command::new(release.program(name));
    crate::programs::clear_settings(&mut command);
    command
}

/// Returns flags that replace folders of this machine, one each.
fn flags(hidden: &[(&PathBuf, &str)], flag: &str) -> String {
    let flags = hidden.iter().map(|(folder, name)| format!("{flag}{}={name}", folder.display()));
    flags.collect::<Vec<_>>().join(" ")
}

/// Returns the folder of downloaded crates.
fn cargo_home() -> Result<PathBuf> {
    let set = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = || env::home_dir().map(|home| Path::new(&home).join(".cargo"));
    set.or_else(home).context("there is no home folder; set CARGO_HOME")
}
