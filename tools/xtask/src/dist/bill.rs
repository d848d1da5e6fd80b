//! The bill of materials of a program: the packages that are linked into it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::release::Release;
use crate::{child, repository, tools};

/// Writes the bill in the form of CycloneDX, with the source's folder taken out.
pub(super) fn write(release: &Release, program: &str, folder: &str) -> Result<()> {
    let source = release.source();
    let mut cyclonedx = Command::new(tools::CARGO_CYCLONEDX.path()?);
    cyclonedx.current_dir(&source).env("SOURCE_DATE_EPOCH", &release.time);
    cyclonedx.args(["cyclonedx", "--quiet", "--format", "json", "--spec-version", "1.5", "--no-build-deps"]);
    cyclonedx.args(["--override-filename", "bill", "--manifest-path", &format!("{folder}/Cargo.toml")]);
    child::run(&mut cyclonedx)?;
    let written = source.join(folder).join("bill.json");
    let text = fs::read_to_string(&written).with_context(|| format!("cannot read {}", written.display()))?;
    let mut bill = serde_json::from_str(&text.replace(&*source.to_string_lossy(), "/matchbook"))
        .with_context(|| format!("cannot read {}", written.display()))?;
    keep(&mut bill, &linked(&source, folder)?);
    let file = release.folder("sbom")?.join(format!("{program}.cdx.json"));
    let text = format!("{}\n", serde_json::to_string_pretty(&bill)?);
    fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
}

/// Returns the packages that are linked into a program, each as `NAME vVERSION`.
///
/// cargo-cyclonedx cannot tell them apart: it also lists procedural macros with their dependencies, and what
/// only tests and other packages of the workspace ask for.
fn linked(source: &Path, folder: &str) -> Result<BTreeSet<String>> {
    let mut tree = repository::cargo();
    tree.current_dir(source).args(["tree", "--locked", "--edges", "normal,no-proc-macro"]);
    tree.args(["--prefix", "none", "--format", "{p}", "--manifest-path", &format!("{folder}/Cargo.toml")]);
    let lines = child::capture(&mut tree)?;
    let packages = lines.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some(format!("{} {}", words.next()?, words.next()?))
    });
    Ok(packages.collect())
}

/// Removes the components that are not linked, and the dependencies on them.
fn keep(bill: &mut Value, linked: &BTreeSet<String>) {
    let mut removed = BTreeSet::new();
    for component in array(&mut bill["components"]) {
        let text = |field: &str| component[field].as_str().unwrap_or_default();
        if !linked.contains(&format!("{} v{}", text("name"), text("version"))) {
            removed.insert(component["bom-ref"].to_string());
        }
    }
    let kept = |reference: &Value| !removed.contains(&reference.to_string());
    array(&mut bill["components"]).retain(|component| kept(&component["bom-ref"]));
    array(&mut bill["dependencies"]).retain(|dependency| kept(&dependency["ref"]));
    for dependency in array(&mut bill["dependencies"]) {
        if let Some(on) = dependency.get_mut("dependsOn").and_then(Value::as_array_mut) {
            on.retain(kept);
        }
    }
}

/// Returns the list in a field of the bill; empty if there is none.
fn array(field: &mut Value) -> &mut Vec<Value> {
    if !field.is_array() {
        *field = Value::Array(Vec::new());
    }
    field.as_array_mut().expect("it was made a list")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn procedural_macros_and_what_only_tests_ask_for_are_not_linked() {
        let client = linked(repository::root(), "clients/cli").unwrap();
        let names: Vec<_> = client.iter().filter_map(|package| package.split(' ').next()).collect();
        for name in ["cli", "clap", "matchbook-client", "tonic"] {
            assert!(names.contains(&name), "{name} is missing: {names:?}");
        }
        for name in ["clap_derive", "syn", "tempfile", "rcgen", "sqlx", "matchbookd"] {
            assert!(!names.contains(&name), "{name} is listed");
        }
        let service = linked(repository::root(), "service/matchbookd").unwrap();
        assert!(service.iter().any(|package| package.starts_with("libsqlite3-sys v")), "{service:?}");
    }

    #[test]
    fn a_bill_keeps_what_is_linked() {
        let component = |name: &str| {
            let reference = format!("crates#{name}");
            json!({ "bom-ref": reference, "name": name, "version": "1.0.0" })
        };
        let mut bill = json!({
            "metadata": { "component": component("game") },
            "components": [component("bytes"), component("syn")],
            "dependencies": [
                { "ref": "crates#game", "dependsOn": ["crates#bytes", "crates#syn"] },
                { "ref": "crates#bytes" },
                { "ref": "crates#syn", "dependsOn": ["crates#bytes"] },
            ],
        });
        keep(&mut bill, &["game v1.0.0", "bytes v1.0.0"].map(str::to_owned).into());
        let expected = json!({
            "metadata": { "component": component("game") },
            "components": [component("bytes")],
            "dependencies": [
                { "ref": "crates#game", "dependsOn": ["crates#bytes"] },
                { "ref": "crates#bytes" },
            ],
        });
        assert_eq!(bill, expected);
    }
}
