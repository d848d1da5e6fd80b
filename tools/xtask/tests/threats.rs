//! Every test that SECURITY.md names for a threat exists.

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn each_threat_names_tests_that_exist() {
    let sources = sources();
    let rows = threats();
    assert!(rows.len() > 15, "the table of threats was not found");
    for row in rows {
        let [threat, .., tests] = row.as_slice() else { panic!("an empty row") };
        let mut named = 0;
        for name in tests.split('`').skip(1).step_by(2) {
            named += 1;
            assert!(names(name).all(|name| exists(&name, &sources)), "{threat}: there is no {name}");
        }
        let page = tests.contains("](docs/") || tests.contains("](deploy/");
        assert!(named > 0 || page, "{threat}: neither a test nor a page");
    }
}

#[test]
fn names_are_taken_apart() {
    let all: Vec<String> = names("a/{b,c}.rs").collect();
    assert_eq!(all, ["a/b.rs", "a/c.rs"]);
    let sources = vec![(PathBuf::from("x/callers/mod.rs"), "fn it_holds() {".to_owned())];
    assert!(exists("callers/", &sources) && exists("mod.rs", &sources) && exists("it_holds", &sources));
    assert!(!exists("allers/mod.rs", &sources) && !exists("it_hold", &sources));
    assert!(exists("cargo xtask lint", &sources));
}

/// The cells of each row of the table.
fn threats() -> Vec<Vec<String>> {
    let text = fs::read_to_string(root().join("SECURITY.md")).expect("SECURITY.md can be read");
    let (_, table) = text.split_once("### Threats\n").expect("there is a table of threats");
    let table = table.split("\n### ").next().unwrap_or_default();
    let rows = table.lines().filter(|line| line.starts_with("| ")).skip(1);
    let cells = |row: &str| row.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect();
    rows.map(cells).collect()
}

/// What a name with alternatives in braces stands for.
fn names(name: &str) -> impl Iterator<Item = String> {
    let (before, rest) = name.split_once('{').unwrap_or((name, "}"));
    let (choices, after) = rest.split_once('}').unwrap_or((rest, ""));
    let all: Vec<String> = choices.split(',').map(|choice| format!("{before}{choice}{after}")).collect();
    all.into_iter()
}

/// A folder or file by the end of its path, a function by its name; a command line is not looked at.
fn exists(name: &str, sources: &[(PathBuf, String)]) -> bool {
    let folder = format!("/{}/", name.trim_end_matches('/'));
    let file = format!("/{name}");
    let function = format!("fn {name}(");
    let path = |path: &Path| format!("/{}", path.display());
    name.contains(' ')
        || sources.iter().any(|(source, text)| {
            path(source).contains(&folder) || path(source).ends_with(&file) || text.contains(&function)
        })
}

/// Our Rust sources with their paths below the root.
fn sources() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for folder in ["service", "clients/cli", "clients/rust"] {
        collect(&root().join(folder), &mut found);
    }
    found
}

fn collect(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() && !path.ends_with("target") {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source is a text");
            found.push((path.strip_prefix(root()).expect("it is below the root").to_owned(), text));
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("xtask lives two folders below the root")
}
