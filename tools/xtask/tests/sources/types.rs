//! Names of types: each public one means one thing in the whole workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::reading::sources;

/// Names that several packages may define, and why.
const EXCEPTIONS: [(&str, &str); 7] = [
    ("Arguments", "the command line of each program and chore"),
    ("Command", "the subcommands of each program"),
    ("Export", "a stream of `play`, and the command that reads it"),
    ("Feed", "a stream of `play`, its counterpart in the client, and the command that reads it"),
    ("FieldViolation", "the error detail of an invalid field, where it is produced and in the client"),
    ("Refusal", "a refused call, in the service and as the client receives it"),
    ("Watch", "a stream of `play`, its counterpart in the client, and the command that reads it"),
];

#[test]
fn public_types_have_one_meaning_in_the_workspace() {
    let mut packages: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources(&["rs"]) {
        let Some(package) = package(&source.path) else { continue };
        for name in source.text.lines().filter_map(public_type) {
            packages.entry(name.to_owned()).or_default().insert(package.clone());
        }
    }
    assert!(packages.len() > 100, "only {} types were found", packages.len());
    let excepted = |name: &str| EXCEPTIONS.iter().any(|(exception, _)| *exception == name);
    let duplicates: Vec<String> = packages
        .iter()
        .filter(|(name, packages)| packages.len() > 1 && !excepted(name))
        .map(|(name, packages)| format!("{name}: {}", Vec::from_iter(packages.iter().cloned()).join(", ")))
        .collect();
    assert!(duplicates.is_empty(), "types with the same name:\n{}", duplicates.join("\n"));
    for (exception, _) in EXCEPTIONS {
        let is_needed = packages.get(exception).is_some_and(|packages| packages.len() > 1);
        assert!(is_needed, "{exception} is no longer defined by several packages");
    }
}

#[test]
fn declarations_of_public_types_are_found() {
    assert_eq!(public_type("pub struct Seq(u32);"), Some("Seq"));
    assert_eq!(public_type("    pub(crate) enum Outcome<T> {"), Some("Outcome"));
    assert_eq!(public_type("pub type Bytes = Vec<u8>;"), Some("Bytes"));
    assert_eq!(public_type("pub(super) struct Local;"), None);
    assert_eq!(public_type("/// pub struct Quoted;"), None);
    assert_eq!(package(Path::new("service/play/src/live/mod.rs")).as_deref(), Some("service/play"));
    assert_eq!(package(Path::new("service/play/tests/play/main.rs")), None);
}

/// Returns the name in a declaration that is visible in a whole package or beyond.
fn public_type(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let declaration = line.strip_prefix("pub ").or_else(|| line.strip_prefix("pub(crate) "))?;
    let kinds = ["struct ", "enum ", "trait ", "type "];
    let name = kinds.iter().find_map(|kind| declaration.strip_prefix(kind))?;
    name.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

/// Returns the folder of the package whose library or program includes this file; tests are separate.
fn package(path: &Path) -> Option<String> {
    let (folder, file) = path.to_str()?.split_once("/src/")?;
    (!file.split('/').any(|part| part == "tests" || part == "tests.rs")).then(|| folder.to_owned())
}
