//! Which of our packages may import which: the code is compared with the one table of allowed arrows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Who may import whom, outside tests. An arrow that nobody uses is fine; an arrow that is not here is not.
const ARROWS: [(&str, &[&str]); 16] = [
    ("matchbookd", &["server", "play"]),
    ("server", &["play", "wire", "board", "transcode", "journal"]),
    ("play", &["replay", "audit", "rules", "journal", "event", "wire"]),
    ("replay", &["rules", "event", "wire"]),
    ("audit", &["replay", "event", "wire"]),
    ("board", &["wire"]),
    ("bots", &["rules", "replay", "wire"]),
    ("cli", &["matchbook-client", "wire", "event", "rules", "replay", "audit", "board", "bots"]),
    ("matchbook-client", &["wire"]),
    ("bench", &["matchbook-client", "wire"]),
    ("faults", &["matchbook-client", "wire", "event", "audit"]),
    ("rules", &[]),
    ("journal", &["event"]),
    ("event", &[]),
    ("wire", &[]),
    ("transcode", &[]),
];

/// Builds and tests the others, and is imported by none of them.
const FREE: &str = "xtask";

type Arrows = BTreeMap<String, BTreeSet<String>>;

#[test]
fn packages_import_only_what_the_table_allows() {
    let arrows = arrows_in(&metadata());
    assert!(arrows.len() > 1, "no packages of ours were found");
    let wrong = violations(&arrows);
    assert!(wrong.is_empty(), "not in the table of allowed arrows:\n{}", wrong.join("\n"));
}

#[test]
fn arrows_outside_the_table_are_found() {
    let arrows = |from: &str, to: &str| Arrows::from([(from.to_owned(), BTreeSet::from([to.to_owned()]))]);
    assert_eq!(violations(&arrows("rules", "journal")), ["rules -> journal"]);
    assert_eq!(violations(&arrows("play", "xtask")), ["play -> xtask"]);
    assert_eq!(violations(&arrows("surprise", "rules")), ["surprise has no line in the table"]);
    assert!(violations(&arrows("play", "rules")).is_empty());
    assert!(violations(&arrows("xtask", "play")).is_empty());
}

#[test]
fn build_dependencies_count_and_dev_dependencies_do_not() {
    let dependency =
        |name: &str, kind: Value| serde_json::json!({"name": name, "kind": kind, "path": "/somewhere"});
    let dependencies = [
        dependency("wire", Value::Null),
        dependency("rules", "build".into()),
        dependency("journal", "dev".into()),
    ];
    let empty: [Value; 0] = [];
    let package =
        |name: &str, dependencies: &[Value]| serde_json::json!({"name": name, "dependencies": dependencies});
    let metadata = serde_json::json!({"packages": [
        package("board", &dependencies),
        package("wire", &empty),
        package("rules", &empty),
        package("journal", &empty),
    ]});
    assert_eq!(arrows_in(&metadata)["board"], ["rules", "wire"].map(str::to_owned).into());
}

fn violations(arrows: &Arrows) -> Vec<String> {
    let table: BTreeMap<&str, &[&str]> = ARROWS.into();
    let mut wrong = Vec::new();
    for (package, imports) in arrows.iter().filter(|(package, _)| *package != FREE) {
        match table.get(package.as_str()) {
            None => wrong.push(format!("{package} has no line in the table")),
            Some(allowed) => wrong.extend(
                imports
                    .iter()
                    .filter(|import| !allowed.contains(&import.as_str()))
                    .map(|import| format!("{package} -> {import}")),
            ),
        }
    }
    wrong
}

fn arrows_in(metadata: &Value) -> Arrows {
    let packages = metadata["packages"].as_array().expect("cargo metadata lists packages");
    let ours: BTreeSet<&str> = packages.iter().map(|package| text(&package["name"])).collect();
    let imports = |package: &Value| {
        let dependencies = package["dependencies"].as_array().expect("a package lists its dependencies");
        dependencies
            .iter()
            // A dependency of ours has a path; the registry may have packages of the same names.
            .filter(|dependency| dependency["kind"] != "dev" && dependency["path"].is_string())
            .map(|dependency| text(&dependency["name"]))
            .filter(|name| ours.contains(name))
            .map(str::to_owned)
            .collect()
    };
    packages.iter().map(|package| (text(&package["name"]).to_owned(), imports(package))).collect()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("names are texts")
}

fn metadata() -> Value {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON")
}
