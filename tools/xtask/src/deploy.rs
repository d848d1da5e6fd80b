//! The files under deploy/, each judged by its own tool. Whether they agree with the program is for tests/deployment.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::steps::Steps;
use crate::tools::Environment;
use crate::{child, repository, tools};

const REQUIREMENTS: &str = include_str!("../tools/deploy/requirements.txt");
const CHECK_COMPOSE: &str = "tools/xtask/tools/deploy/check_compose.py";

/// The oldest Kubernetes that deploy/README.md promises, and the newest that the schemas know.
const KUBERNETES: [&str; 2] = ["1.29", "1.37"];
const OVERLAYS: &str = "deploy/kubernetes/overlays";

/// What a unit is installed with; it is not on the machine that checks.
const INSTALLED: &str = "/usr/bin/matchbookd";
const UNITS: [&str; 2] = ["matchbookd.service", "matchbookd-migrate.service"];
/// Tenths: 1.5 of 10, where systemd says `OK`; most services have 9 or more.
const EXPOSURE: &str = "--threshold=15";

/// One step a tool.
pub(crate) fn check(steps: &mut Steps) {
    steps.step("Dockerfile", || child::run(tool("hadolint")?.arg("deploy/Dockerfile")));
    steps.step("Shell scripts", || child::run(tool("shellcheck")?.args(scripts()?)));
    steps.step("Compose", || child::run(tool("python")?.args([CHECK_COMPOSE, "deploy/compose.yaml"])));
    steps.step("Kubernetes", kubernetes);
    if repository::on_path("systemd-analyze").is_some() {
        steps.step("systemd units", units);
    } else {
        steps.leave_out("systemd units", "systemd-analyze is not installed, so they were NOT checked");
    }
}

/// One of the tools that come from PyPI, in the repository's root.
fn tool(name: &str) -> Result<Command> {
    let programs = tools::environment(&Environment { name: "deploy", requirements: REQUIREMENTS })?;
    let mut command = Command::new(programs.join(name));
    command.current_dir(repository::root());
    Ok(command)
}

fn scripts() -> Result<Vec<PathBuf>> {
    let mut scripts = entries(&repository::root().join("deploy/compose"))?;
    scripts.retain(|path| path.extension().is_some_and(|extension| extension == "sh"));
    Ok(scripts)
}

/// Every overlay is rendered, and each object in it is one that these versions of Kubernetes take.
fn kubernetes() -> Result<()> {
    let kubectl = tools::kubectl()?;
    let folder = tempfile::tempdir().context("cannot make a folder for rendered manifests")?;
    for overlay in entries(&repository::root().join(OVERLAYS))? {
        let name = overlay.file_name().expect("an entry has a name").to_string_lossy().into_owned();
        let rendered = child::capture(Command::new(&kubectl).arg("kustomize").arg(&overlay))?;
        if let Some(image) = images(&rendered).find(|image| !image.contains([':', '@'])) {
            bail!("{name}: the image {image} has no tag, which means `latest`");
        }
        let file = folder.path().join(format!("{name}.yaml"));
        fs::write(&file, rendered).with_context(|| format!("cannot write {}", file.display()))?;
        for version in KUBERNETES {
            let mut validate = tool("kubernetes-validate")?;
            child::run(validate.args(["--strict", "--quiet", "-k", version]).arg(&file))?;
        }
    }
    Ok(())
}

/// Also those that an overlay adds and forgets to give a tag.
fn images(rendered: &str) -> impl Iterator<Item = &str> {
    rendered.lines().filter_map(|line| line.trim_start().trim_start_matches("- ").strip_prefix("image: "))
}

fn units() -> Result<()> {
    let folder = tempfile::tempdir().context("cannot make a folder for units")?;
    for unit in UNITS {
        let path = repository::root().join("deploy/systemd").join(unit);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        if !text.contains(INSTALLED) {
            bail!("{unit} does not start {INSTALLED}");
        }
        // systemd looks whether the program is there.
        fs::write(folder.path().join(unit), text.replace(INSTALLED, "/bin/true"))
            .with_context(|| format!("cannot write {unit}"))?;
    }
    let units = UNITS.map(|unit| folder.path().join(unit));
    child::run(Command::new("systemd-analyze").args(["verify", "--man=no"]).args(&units))?;
    for unit in &units {
        let mut security = Command::new("systemd-analyze");
        child::capture(security.args(["security", "--offline=true", EXPOSURE, "--no-pager"]).arg(unit))
            .map(|table| println!("{}", table.lines().last().unwrap_or_default()))?;
    }
    Ok(())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let unreadable = || format!("cannot read {}", folder.display());
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).with_context(unreadable)? {
        entries.push(entry.with_context(unreadable)?.path());
    }
    entries.sort();
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::images;

    #[test]
    fn images_are_found_wherever_they_stand() {
        let rendered = "spec:\n  - image: a:1\n    name: x\n    image: b\n  imagePullPolicy: Always\n";
        assert_eq!(images(rendered).collect::<Vec<_>>(), ["a:1", "b"]);
    }
}
