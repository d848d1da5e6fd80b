//! Every test that SECURITY.md names for a threat exists.

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn each_threat_names_tests_that_exist() {
    let sources = sources();
    let rows = threats();
    assert!(rows.len() > 15, "the table of threats was not found");
    for row in rows {
        let [threat, .., tests] = row.as_slice() else { panic!("a row has no cells") };
        let mut named = 0;
        for name in tests.split('`').skip(1).step_by(2) {
            named += 1;
            assert!(expand(name).all(|name| exists(&name, &sources)), "{threat}: {name} does not exist");
        }
        let links_page = tests.contains("](docs/") || tests.contains("](deploy/");
        assert!(named > 0 || links_page, "{threat}: names neither a test nor a page");
    }
}

#[test]
fn braces_expand_and_whole_names_match() {
    let all: Vec<String> = expand("a/{b,c}.rs").collect();
    assert_eq!(all, ["a/b.rs", "a/c.rs"]);
    let sources = vec![(PathBuf::from("x/callers/mod.rs"), "fn it_holds() {".to_owned())];
    assert!(exists("callers/", &sources) && exists("mod.rs", &sources) && exists("it_holds", &sources));
    assert!(!exists("allers/mod.rs", &sources) && !exists("it_hold", &sources));
    assert!(exists("cargo xtask lint", &sources));
}

/// Returns the cells of each row of the table.
fn threats() -> Vec<Vec<String>> {
    let text = fs::read_to_string(root().join("SECURITY.md")).expect("SECURITY.md can be read");
    let (_, table) = text.split_once("### Threats\n").expect("SECURITY.md has a table of threats");
    let table = table.split("\n### ").next().unwrap_or_default();
    let rows = table.lines().filter(|line| line.starts_with("| ")).skip(1);
    let cells = |row: &str| row.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect();
    rows.map(cells).collect()
}

/// Expands alternatives in braces.
fn expand(name: &str) -> impl Iterator<Item = String> {
    let (before, rest) = name.split_once('{').unwrap_or((name, "}"));
    let (choices, after) = rest.split_once('}').unwrap_or((rest, ""));
    let all: Vec<String> = choices.split(',').map(|choice| format!("{before}{choice}{after}")).collect();
    all.into_iter()
}

/// Returns whether a source's path ends in, or contains, the named file or folder, or a source has the named
/// function. Command lines always pass.
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

/// Returns the Rust sources with their paths relative to the root.
fn sources() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for folder in ["service", "clients", "tools"] {
        collect(&root().join(folder), &mut found);
    }
    found
}

fn collect(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("node_modules") {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source is UTF-8");
            found.push((path.strip_prefix(root()).expect("it is below the root").to_owned(), text));
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("xtask is two folders below the root")
}
