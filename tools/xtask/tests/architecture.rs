//! The imports between the workspace's packages: ARCHITECTURE.md's table is what cargo says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The packages that each package imports outside its tests.
type Imports = BTreeMap<String, BTreeSet<String>>;

#[test]
fn packages_import_what_architecture_says() {
    let metadata = metadata();
    let table = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md can be read");
    let differences = differences(&parse_table(&table, &names_by_folder(&metadata)), &imports(&metadata));
    assert!(differences.is_empty(), "ARCHITECTURE.md is wrong:\n{}", differences.join("\n"));
}

#[test]
fn differences_are_found_in_both_directions() {
    let imports = |from: &str, to: &[&str]| {
        Imports::from([(from.to_owned(), to.iter().map(|&name| name.to_owned()).collect())])
    };
    assert!(differences(&imports("play", &["rules"]), &imports("play", &["rules"])).is_empty());
    assert_eq!(differences(&imports("rules", &[]), &imports("rules", &["wire"])), ["rules imports wire"]);
    assert_eq!(
        differences(&imports("play", &["wire"]), &imports("play", &[])),
        ["play does not import wire"]
    );
    assert_eq!(differences(&Imports::new(), &imports("new", &[])), ["new has no row"]);
    assert_eq!(differences(&imports("old", &[]), &Imports::new()), ["old does not exist"]);
}

#[test]
fn rows_of_the_table_are_parsed() {
    let table = "| package | job | imports of ours |\n|---|---|---|\n| `service/rules` | the games | |\n\
                 | `clients/rust` | the client | rules, wire |\n\n| `other` | table | |\n";
    let names = [("service/rules", "rules"), ("clients/rust", "matchbook-client")];
    let names = names.map(|(folder, name)| (folder.to_owned(), name.to_owned())).into();
    let parsed = parse_table(table, &names);
    assert_eq!(parsed.len(), 2);
    assert_eq!(parsed["matchbook-client"], ["rules", "wire"].map(str::to_owned).into());
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
    assert_eq!(imports(&metadata)["board"], ["rules", "wire"].map(str::to_owned).into());
}

fn differences(documented: &Imports, actual: &Imports) -> Vec<String> {
    let mut found = Vec::new();
    for (package, imports) in actual {
        let Some(rows) = documented.get(package) else {
            found.push(format!("{package} has no row"));
            continue;
        };
        found.extend(imports.difference(rows).map(|import| format!("{package} imports {import}")));
        found.extend(rows.difference(imports).map(|import| format!("{package} does not import {import}")));
    }
    let removed = documented.keys().filter(|package| !actual.contains_key(*package));
    found.extend(removed.map(|package| format!("{package} does not exist")));
    found
}

/// Returns the rows of the table whose header ends in "imports of ours".
fn parse_table(text: &str, names_by_folder: &BTreeMap<String, String>) -> Imports {
    let lines = text.lines().skip_while(|line| !line.ends_with("| imports of ours |")).skip(2);
    let rows = lines.take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, folder, _, imports, _] = cells[..] else { panic!("a row has other cells: {row}") };
        let folder = folder.trim_matches('`');
        let name = names_by_folder.get(folder).unwrap_or_else(|| panic!("no package is in {folder}"));
        let imports = imports.split(", ").filter(|name| !name.is_empty()).map(str::to_owned);
        (name.clone(), imports.collect())
    })
    .collect()
}

/// Returns the packages' names by their folders, relative to the root.
fn names_by_folder(metadata: &Value) -> BTreeMap<String, String> {
    let folder = |package: &Value| {
        let manifest = Path::new(text(&package["manifest_path"]));
        let folder = manifest.parent().and_then(|folder| folder.strip_prefix(root()).ok());
        folder.expect("packages are below the root").display().to_string()
    };
    packages(metadata).iter().map(|package| (folder(package), text(&package["name"]).to_owned())).collect()
}

fn imports(metadata: &Value) -> Imports {
    let ours: BTreeSet<&str> = packages(metadata).iter().map(|package| text(&package["name"])).collect();
    let imports = |package: &Value| {
        let dependencies = package["dependencies"].as_array().expect("a package lists its dependencies");
        dependencies
            .iter()
            // Only our packages have a path; registries may have packages of the same names.
            .filter(|dependency| dependency["kind"] != "dev" && dependency["path"].is_string())
            .map(|dependency| text(&dependency["name"]))
            .filter(|name| ours.contains(name))
            .map(str::to_owned)
            .collect()
    };
    packages(metadata).iter().map(|package| (text(&package["name"]).to_owned(), imports(package))).collect()
}

fn packages(metadata: &Value) -> &Vec<Value> {
    metadata["packages"].as_array().expect("cargo metadata lists packages")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("names are strings")
}

fn metadata() -> Value {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("xtask is two folders below the root")
}
