//! `cargo xtask bench build`: how long a newcomer waits for the README's two commands.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;
use std::{fs, iter};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::{child, repository};

/// What the README's commands build, in their order.
const PROGRAMS: [&str; 2] = ["matchbookd", "matchbook"];

/// The slowest packages to list.
const SLOWEST: usize = 15;

/// Where the report of `--timings` begins its list of packages.
const UNITS: &str = "const UNIT_DATA = ";

/// Measure how long the README's two commands build from an empty folder
///
/// Builds in target/bench-build, which is emptied first, and prints the time and number of packages of each
/// command, and the packages that took longest. Downloads are not measured: run `cargo fetch` before. Run
/// nothing else meanwhile.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  cargo xtask bench build
  cargo xtask bench build --json build.json")]
pub(crate) struct Arguments {
    /// File to write the figures to as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// One command's build.
#[derive(Serialize)]
struct Build {
    program: &'static str,
    seconds: f64,
    /// Packages that were compiled.
    packages: usize,
    /// The slowest first.
    slowest: Vec<Unit>,
}

/// A compiled package, as `--timings` reports it.
#[derive(Serialize, Deserialize)]
struct Unit {
    name: String,
    version: String,
    /// Seconds from its start to its end.
    duration: f64,
}

/// Measures and prints both builds.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let folder = repository::target_folder().join("bench-build");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    let builds = PROGRAMS.iter().map(|program| build(program, &folder)).collect::<Result<Vec<_>>>()?;
    println!("{}", render(&builds));
    if let Some(file) = &arguments.json {
        let text = serde_json::to_string_pretty(&builds)?;
        fs::write(file, text + "\n").with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

fn build(program: &'static str, folder: &Path) -> Result<Build> {
    let mut cargo = repository::cargo();
    cargo.args(["build", "--release", "--locked", "--timings", "--bin", program]);
    cargo.arg("--target-dir").arg(folder).stderr(Stdio::piped());
    println!("$ cargo build --release --bin {program}");
    let started = Instant::now();
    let mut running = cargo.spawn().context("cannot start cargo")?;
    let packages = running.stderr.take().map_or(0, show_and_count);
    let status = running.wait().context("cannot wait for cargo")?;
    if child::interrupted() || !status.success() {
        bail!("the build of {program} ended with {status}");
    }
    let seconds = started.elapsed().as_secs_f64();
    Ok(Build { program, seconds, packages, slowest: slowest(folder)? })
}

/// Prints what cargo says, and counts the packages that it compiles.
fn show_and_count(output: impl std::io::Read) -> usize {
    let lines = BufReader::new(output).lines().map_while(Result::ok);
    lines
        .inspect(|line| eprintln!("{line}"))
        .filter(|line| line.trim_start().starts_with("Compiling "))
        .count()
}

/// Reads the packages that took longest from the report of `--timings`.
fn slowest(folder: &Path) -> Result<Vec<Unit>> {
    let file = folder.join("cargo-timings/cargo-timing.html");
    let page = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut units = units(&page).with_context(|| format!("{} has no list of packages", file.display()))?;
    units.sort_by(|one, other| other.duration.total_cmp(&one.duration));
    units.truncate(SLOWEST);
    Ok(units)
}

fn units(page: &str) -> Option<Vec<Unit>> {
    let (_, list) = page.split_once(UNITS)?;
    serde_json::Deserializer::from_str(list).into_iter().next()?.ok()
}

fn render(builds: &[Build]) -> String {
    let lines = builds.iter().flat_map(|build| {
        let Build { program, seconds, packages, .. } = build;
        let head = format!("\n{program}: {seconds:.0} s, {packages} packages; the slowest, in seconds:");
        let units = build.slowest.iter();
        let units = units.map(|unit| format!("{:8.1}  {} {}", unit.duration, unit.name, unit.version));
        iter::once(head).chain(units)
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_read_from_the_report() {
        let page = "<script>\nconst UNIT_DATA = [\n  {\"i\": 0, \"name\": \"a\", \"version\": \"1.0.0\", \
                    \"duration\": 1.5}\n];\nconst REST = 1;";
        let units = units(page).expect("a list");
        assert_eq!((units[0].name.as_str(), units[0].duration), ("a", 1.5));
        assert!(super::units("<html>").is_none());
    }
}
