//! Compares the tables of `docs/api.md` with the code.

use std::fs;

use clap::{Args, Command};
use play::reason_name;
use server::{ServiceLimits, error_mapping, error_reasons};
use tonic::Code;

fn page() -> String {
    fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/api.md")).unwrap()
}

/// Returns the cells of each row of the table whose first heading is `first`, without code marks.
pub(crate) fn table(first: &str) -> Vec<Vec<String>> {
    let page = page();
    let heading = format!("| {first} |");
    let rows = page.lines().skip_while(|line| !line.replace('`', "").starts_with(&heading)).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let rows: Vec<Vec<String>> = rows
        .map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect())
        .collect();
    assert!(!rows.is_empty(), "docs/api.md has no table headed `{first}`");
    rows
}

#[test]
fn the_page_lists_every_error_as_the_code_maps_it() {
    let mut documented: Vec<Vec<String>> = table("reason").iter().map(|row| row[..4].to_vec()).collect();
    let mut actual: Vec<Vec<String>> = error_reasons()
        .map(|reason| {
            let mapping = error_mapping(reason);
            let level = mapping.level.to_string().to_lowercase();
            vec![reason_name(reason).to_owned(), code_name(mapping.code), mapping.http.to_string(), level]
        })
        .collect();
    // The page groups them by topic.
    documented.sort();
    actual.sort();
    assert_eq!(documented, actual);
}

#[test]
fn every_reason_is_expected_by_a_test() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/service");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let tests: String =
        files.filter(|path| path.is_file()).map(|path| fs::read_to_string(path).unwrap()).collect();
    let untested: Vec<&str> =
        error_reasons().map(reason_name).filter(|name| !tests.contains(&format!("\"{name}\""))).collect();
    assert_eq!(untested, [""; 0], "no service test expects these reasons");
}

#[test]
fn the_page_lists_every_limit_with_its_default() {
    let documented: Vec<(String, String)> =
        table("flag").iter().map(|row| (row[0].clone(), row[1].clone())).collect();
    let command = ServiceLimits::augment_args(Command::new("limits"));
    let mut actual: Vec<(String, String)> = command
        .get_arguments()
        .map(|flag| {
            let default = flag.get_default_values()[0].to_string_lossy().into_owned();
            (format!("--{}", flag.get_long().unwrap()), default)
        })
        .collect();
    actual.sort();
    let mut sorted = documented.clone();
    sorted.sort();
    assert_eq!(sorted, actual);
}

#[test]
fn the_page_lists_every_rpc() {
    let documented: Vec<String> = table("service").iter().map(|row| row[1].clone()).collect();
    let actual: Vec<String> = wire::DESCRIPTORS
        .services()
        .flat_map(|service| service.methods().map(|method| method.name().to_owned()).collect::<Vec<_>>())
        .collect();
    assert_eq!(documented, actual);
}

/// Returns a code's name as on the wire: `NOT_FOUND` for `NotFound`.
fn code_name(code: Code) -> String {
    let mut name = String::new();
    for letter in format!("{code:?}").chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}
