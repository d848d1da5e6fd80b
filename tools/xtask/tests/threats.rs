//! Every test that SECURITY.md names for a threat or a bound exists, and so does every setting.

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn each_threat_names_tests_that_exist() {
    let sources = sources();
    let rows = table("### Threats\n");
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
fn each_bound_names_a_setting_with_its_default_and_tests_that_exist() {
    let (sources, settings) = (sources(), settings());
    let rows = table("### What is bounded by what\n");
    assert!(rows.len() > 25, "the table of bounds was not found");
    for row in rows {
        let [resource, _, setting, .., tests] = row.as_slice() else { panic!("a row has no cells") };
        assert!(tests.contains('`'), "{resource}: names no test");
        for name in tests.split('`').skip(1).step_by(2) {
            assert!(exists(name, &sources), "{resource}: {name} does not exist");
        }
        if setting == "fixed" {
            continue;
        }
        let (flag, default) = setting.trim_start_matches('`').split_once('`').expect("a flag");
        let known = settings.iter().find(|(name, _)| name == flag);
        let (_, actual) = known.unwrap_or_else(|| panic!("{resource}: {flag} is no setting"));
        assert!(default.is_empty() || default.trim() == actual, "{resource}: the default is {actual}");
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

/// Returns the cells of each row of the table under a heading of SECURITY.md.
fn table(heading: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(root().join("SECURITY.md")).expect("SECURITY.md can be read");
    let (_, table) = text.split_once(heading).expect("SECURITY.md has the heading");
    let table = table.split("\n### ").next().unwrap_or_default();
    table.lines().filter(|line| line.starts_with("| ")).skip(1).map(cells).collect()
}

/// Returns each flag of `matchbookd serve` with its default.
fn settings() -> Vec<(String, String)> {
    let text = fs::read_to_string(root().join("docs/configuration.md")).expect("the page can be read");
    let rows = text.lines().filter(|line| line.starts_with("| `--")).map(cells);
    let setting = |row: Vec<String>| {
        let flag = row[0].trim_matches('`').split(' ').next().expect("a flag").to_owned();
        (flag, row[3].trim_matches('`').to_owned())
    };
    rows.map(setting).collect()
}

fn cells(row: &str) -> Vec<String> {
    row.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect()
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
