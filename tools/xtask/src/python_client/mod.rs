//! `cargo xtask python`: the Python package, built as its users build it, checked by two type checkers,
//! and tested on every supported Python that is installed.

mod interpreters;

use std::ffi::OsString;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::programs::{Profile, Programs};
use crate::steps::{Job, Steps};
use crate::{child, repository, tools};

use interpreters::Python;
pub(crate) use interpreters::prepare;

/// How long the tests may take on one Python, in seconds. They take about 30.
const TIMEOUT_SECONDS: &str = "600";

/// What pyright skips: generated stubs.
const UNCHECKED: [&str; 3] = ["games", "log", "v1"];

/// Build, check and test the Python package in clients/python
///
/// Its environments are installed from PyPI by a lock file, pyright from npm, both once into target/tools.
/// The tests run against the built service, on those of Python 3.11, 3.12 and 3.13 that are on PATH or in
/// pyenv's folder. `cargo xtask test` includes this.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> ExitCode {
    let mut steps = Steps::new();
    if let Some(programs) = steps.step("Build", || Programs::build(Profile::Debug)) {
        check(&mut steps, &programs);
    }
    steps.finish()
}

/// Adds the checks to the steps of a chore.
pub(crate) fn check(steps: &mut Steps, programs: &Programs) {
    let Some(pythons) = steps.step("Python: environments", prepare) else { return };
    let Some(package) = steps.step("Python: package", || Package::build(&pythons[0].program)) else { return };
    let mut jobs = vec![
        Job::step("Python: mypy", || package.mypy(&pythons[0].program)),
        Job::step("Python: pyright", || package.pyright(&pythons[0].program)),
    ];
    for python in &pythons {
        jobs.push(Job::step(python.step, || package.test(python, programs)));
    }
    steps.side_by_side(jobs);
}

/// The package in an environment of the oldest supported Python that is installed.
pub(crate) struct Installed {
    package: Package,
    python: PathBuf,
}

impl Installed {
    /// Builds and installs the package.
    pub(crate) fn find() -> Result<Self> {
        let python = prepare()?.swap_remove(0).program;
        Ok(Self { package: Package::build(&python)?, python })
    }

    /// Returns a command for its Python, in the repository's root.
    pub(crate) fn command(&self) -> Command {
        self.package.command(&self.python)
    }
}

/// The built package in a temporary folder.
struct Package {
    folder: TempDir,
}

impl Package {
    /// Makes the source distribution, from that a wheel, and installs the wheel.
    fn build(python: &Path) -> Result<Self> {
        let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
        let package = Self { folder };
        child::run(&mut package.hatchling(python, "sdist", &sources()))?;
        let unpacked = package.path("unpacked");
        fs::create_dir(&unpacked).with_context(|| format!("cannot create {}", unpacked.display()))?;
        let mut tar = Command::new("tar");
        child::run(tar.arg("-xzf").arg(only_file(&package.path("sdist"))?).arg("-C").arg(&unpacked))?;
        child::run(
            package.hatchling(python, "wheel", &only_file(&unpacked)?).env("PATH", path_with(python)?),
        )?;
        let mut install = Command::new("python3");
        install.args(["-m", "pip", "--quiet", "--disable-pip-version-check", "--python"]).arg(python);
        install.args(["install", "--no-deps", "--no-compile", "--target"]).arg(package.site());
        child::run(install.arg(only_file(&package.path("wheel"))?))?;
        Ok(package)
    }

    /// Returns a command that makes a distribution in the folder of its name.
    fn hatchling(&self, python: &Path, target: &str, source: &Path) -> Command {
        let mut command = bounded(python);
        command.args(["-m", "hatchling", "build", "--target", target, "--directory"]).arg(self.path(target));
        command.current_dir(source);
        command
    }

    fn mypy(&self, python: &Path) -> Result<()> {
        let own = ["clients/python/tests", "clients/python/examples"];
        for checked in [&["--package", "matchbook"][..], &own] {
            let mut mypy = self.command(python);
            mypy.args(["-m", "mypy", "--cache-dir"]).arg(self.path("mypy")).arg("--config-file");
            child::run(mypy.arg(sources().join("pyproject.toml")).args(checked))?;
        }
        Ok(())
    }

    fn pyright(&self, python: &Path) -> Result<()> {
        // pyright ignores absolute paths.
        for folder in ["tests", "examples"] {
            symlink(sources().join(folder), self.path(folder))
                .with_context(|| format!("cannot link {folder}"))?;
        }
        let unchecked = UNCHECKED.map(|name| format!("\"site/matchbook/{name}\"")).join(", ");
        let configuration = format!(
            "{{\"include\": [\"site/matchbook\", \"tests\", \"examples\"], \"exclude\": [{unchecked}], \
             \"extraPaths\": [\"site\", \"tests\"], \"typeCheckingMode\": \"standard\"}}"
        );
        let path = self.path("pyrightconfig.json");
        fs::write(&path, configuration).with_context(|| format!("cannot write {}", path.display()))?;
        let mut pyright = bounded(&tools::PYRIGHT.path()?);
        child::run(pyright.arg("--project").arg(path).arg("--pythonpath").arg(python))
    }

    fn test(&self, python: &Python, programs: &Programs) -> Result<()> {
        let mut tests = self.command(&python.program);
        tests.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "clients/python/tests"]);
        tests.args(python.selection);
        child::run(tests.env("MATCHBOOK_TEST_SERVICE", programs.path("matchbookd")))
    }

    /// Returns a command for a Python that has the package.
    fn command(&self, python: &Path) -> Command {
        let mut command = bounded(python);
        command.current_dir(repository::root());
        command.env("PYTHONPATH", self.site()).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }

    fn site(&self) -> PathBuf {
        self.path("site")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

fn sources() -> PathBuf {
    repository::root().join("clients/python")
}

/// Returns the `PATH` with the programs of an environment, where the build looks for a plugin of protoc.
fn path_with(python: &Path) -> Result<OsString> {
    let programs = python.parent().context("the Python is in no folder")?.to_owned();
    let others = env::var_os("PATH").unwrap_or_default();
    Ok(env::join_paths([programs].into_iter().chain(env::split_paths(&others)))?)
}

/// Returns the only file of a folder.
fn only_file(folder: &Path) -> Result<PathBuf> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let entry = entries.flatten().next().with_context(|| format!("{} is empty", folder.display()))?;
    Ok(entry.path())
}

/// Returns a command for a program that is ended after a while.
fn bounded(program: &Path) -> Command {
    let mut command = Command::new("timeout");
    command.arg(TIMEOUT_SECONDS).arg(program);
    command
}
