//! One style of modules and imports: `folder/mod.rs`; one `use` per module path; the standard library, other
//! crates and this crate in separate paragraphs.

use crate::reading::{root, violations};

#[test]
fn a_module_with_a_folder_is_its_mod_rs() {
    let beside = violations(&["rs"], |source| {
        let folder = source.path.with_extension("");
        root().join(&folder).is_dir().then(|| format!("move it to {}/mod.rs", folder.display()))
    });
    assert!(beside.is_empty(), "{}", beside.join("\n"));
}

#[test]
fn each_use_names_one_module_path() {
    let nested = violations(&["rs"], |source| {
        let import = imports(&source.text).into_iter().find(|import| is_nested(&import.text))?;
        Some(format!("line {}: give each module path a `use` of its own", import.line))
    });
    assert!(nested.is_empty(), "{}", nested.join("\n"));
}

#[test]
fn paragraphs_of_imports_do_not_mix_origins() {
    let mixed = violations(&["rs"], |source| {
        let line = mixed_paragraph(&source.text)?;
        Some(format!("line {line}: separate std, other crates and this crate with blank lines"))
    });
    assert!(mixed.is_empty(), "{}", mixed.join("\n"));
}

#[test]
fn nested_and_mixed_imports_are_found() {
    assert!(is_nested("use a::{b::c, d};"));
    assert!(!is_nested("use a::b::{c, d};"));
    assert_eq!(mixed_paragraph("use std::fmt;\nuse crate::a;\n"), Some(2));
    assert_eq!(mixed_paragraph("use std::fmt;\n\nuse crate::a;\n"), None);
    assert_eq!(mixed_paragraph("use a::{\n    b,\n    c,\n};\nuse crate::d;\n"), Some(5));
    assert_eq!(mixed_paragraph("mod near;\nuse near::A;\nuse crate::d;\n"), None);
}

struct Import {
    /// The 1-based first line of the statement.
    line: usize,
    /// The 1-based last line.
    last_line: usize,
    text: String,
}

/// Returns the private `use` statements in the order of the file.
fn imports(text: &str) -> Vec<Import> {
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        if !line.trim_start().starts_with("use ") {
            continue;
        }
        let mut import = Import { line: index + 1, last_line: index + 1, text: line.trim().to_owned() };
        while !import.text.ends_with(';') {
            let Some((next, more)) = lines.next() else { break };
            import.last_line = next + 1;
            import.text.push_str(more.trim());
        }
        found.push(import);
    }
    found
}

fn is_nested(import: &str) -> bool {
    import.split_once('{').is_some_and(|(_, inside)| inside.contains("::") || inside.contains('{'))
}

/// Returns the line of the first import directly below one of another origin.
fn mixed_paragraph(text: &str) -> Option<usize> {
    let modules: Vec<&str> = text.lines().filter_map(declared_module).collect();
    imports(text).windows(2).find_map(|pair| {
        let [above, below] = pair else { return None };
        let differ = origin(&above.text, &modules) != origin(&below.text, &modules);
        (above.last_line + 1 == below.line && differ).then_some(below.line)
    })
}

/// Returns the name in `mod name;`.
fn declared_module(line: &str) -> Option<&str> {
    let (visibility, name) = line.trim().strip_suffix(';')?.rsplit_once("mod ")?;
    (visibility.is_empty() || visibility.starts_with("pub")).then_some(name)
}

#[derive(PartialEq)]
enum Origin {
    Standard,
    OtherCrate,
    ThisCrate,
}

fn origin(import: &str, modules: &[&str]) -> Origin {
    let path = import.trim_start_matches("use ").trim_end_matches(';');
    match path.split("::").next().unwrap_or_default() {
        "std" | "core" | "alloc" => Origin::Standard,
        "crate" | "super" | "self" => Origin::ThisCrate,
        root if modules.contains(&root) => Origin::ThisCrate,
        _ => Origin::OtherCrate,
    }
}
