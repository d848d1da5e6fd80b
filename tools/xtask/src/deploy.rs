//! The files under `deploy/`, each checked by the tool for its kind. Tests compare them with the program
//! (`tests/deployment`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::steps::Steps;
use crate::{child, output, repository, tools};

const CHECK_COMPOSE: &str = "tools/xtask/tools/deploy/check_compose.py";

/// The oldest Kubernetes that `deploy/README.md` supports, and the newest that the schemas cover.
const KUBERNETES_VERSIONS: [&str; 2] = ["1.29", "1.37"];
const OVERLAYS: &str = "deploy/kubernetes/overlays";

/// The program that the units start. The machine that checks them does not have it.
const INSTALLED: &str = "/usr/bin/matchbookd";
const UNITS: [&str; 2] = ["matchbookd.service", "matchbookd-migrate.service"];
/// In tenths: at most 1.5 of 10, which systemd rates `OK`; most services have 9 or more.
const MAX_EXPOSURE: &str = "--threshold=15";

/// Runs one step per tool.
pub(crate) fn check(steps: &mut Steps) {
    steps.step("Dockerfile", || child::run(tools::HADOLINT.command()?.arg("deploy/Dockerfile")));
    steps.step("Shell scripts", || child::run(tools::SHELLCHECK.command()?.args(scripts()?)));
    steps.step("Compose", || {
        child::run(tools::COMPOSE_PYTHON.command()?.args([CHECK_COMPOSE, "deploy/compose.yaml"]))
    });
    steps.step("Kubernetes", kubernetes);
    match tools::SYSTEMD_ANALYZE.on_path() {
        Some(program) => drop(steps.step("systemd units", || units(&program))),
        None => steps.skip("systemd units", "NOT checked: systemd-analyze is not installed"),
    }
}

fn scripts() -> Result<Vec<PathBuf>> {
    let mut scripts = entries(&repository::root().join("deploy/compose"))?;
    scripts.retain(|path| path.extension().is_some_and(|extension| extension == "sh"));
    scripts.push(repository::root().join(".ci/run"));
    Ok(scripts)
}

/// Renders every overlay, and validates its objects against the schemas of each version.
fn kubernetes() -> Result<()> {
    let folder = tempfile::tempdir().context("cannot create a folder for rendered manifests")?;
    for overlay in entries(&repository::root().join(OVERLAYS))? {
        let name = overlay.file_name().expect("an entry has a name").to_string_lossy().into_owned();
        let rendered = child::capture(tools::KUBECTL.command()?.arg("kustomize").arg(&overlay))?;
        if let Some(image) = images(&rendered).find(|image| !image.contains([':', '@'])) {
            bail!("{name}: image {image} has no tag, which means `latest`");
        }
        let file = folder.path().join(format!("{name}.yaml"));
        fs::write(&file, rendered).with_context(|| format!("cannot write {}", file.display()))?;
        for version in KUBERNETES_VERSIONS {
            let mut validate = tools::KUBERNETES_VALIDATE.command()?;
            child::run(validate.args(["--strict", "--quiet", "-k", version]).arg(&file))?;
        }
    }
    Ok(())
}

/// Returns all images of rendered manifests, including those that an overlay adds.
fn images(rendered: &str) -> impl Iterator<Item = &str> {
    rendered.lines().filter_map(|line| line.trim_start().trim_start_matches("- ").strip_prefix("image: "))
}

fn units(systemd_analyze: &Path) -> Result<()> {
    let folder = tempfile::tempdir().context("cannot create a folder for units")?;
    for unit in UNITS {
        let path = repository::root().join("deploy/systemd").join(unit);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        if !text.contains(INSTALLED) {
            bail!("{unit} does not start {INSTALLED}");
        }
        // systemd-analyze rejects a unit whose program does not exist.
        fs::write(folder.path().join(unit), text.replace(INSTALLED, "/bin/true"))
            .with_context(|| format!("cannot write {unit}"))?;
    }
    let units = UNITS.map(|unit| folder.path().join(unit));
    child::run(Command::new(systemd_analyze).args(["verify", "--man=no"]).args(&units))?;
    for unit in &units {
        let mut security = Command::new(systemd_analyze);
        security.args(["security", "--offline=true", MAX_EXPOSURE, "--no-pager"]).arg(unit);
        let table = child::capture(&mut security)?;
        output::print_line(table.lines().last().unwrap_or_default());
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
    fn finds_images_at_any_position_in_a_container() {
        let rendered = "spec:\n  - image: a:1\n    name: x\n    image: b\n  imagePullPolicy: Always\n";
        assert_eq!(images(rendered).collect::<Vec<_>>(), ["a:1", "b"]);
    }
}
