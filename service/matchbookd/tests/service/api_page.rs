//! `docs/api.md` says what the code does: its tables are compared with the code's.

use std::fs;

use clap::{Args, Command};
use play::reason_word;
use server::{ServiceLimits, error_mapping, error_reasons};
use tonic::Code;

fn page() -> String {
    fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/api.md")).unwrap()
}

/// The cells of the rows of the table with this heading; the page's code marks are left out.
pub(crate) fn table(first: &str) -> Vec<Vec<String>> {
    let page = page();
    let heading = format!("| {first} |");
    let rows = page.lines().skip_while(|line| !line.replace('`', "").starts_with(&heading)).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let rows: Vec<Vec<String>> = rows
        .map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect())
        .collect();
    assert!(!rows.is_empty(), "the page has no table of {first}");
    rows
}

#[test]
fn the_table_of_errors_is_the_code_s() {
    let mut written: Vec<Vec<String>> = table("reason").iter().map(|row| row[..4].to_vec()).collect();
    let mut real: Vec<Vec<String>> = error_reasons()
        .map(|reason| {
            let mapping = error_mapping(reason);
            let level = mapping.level.to_string().to_lowercase();
            vec![reason_word(reason), code_name(mapping.code), mapping.http.to_string(), level]
        })
        .collect();
    // The page has them by topic.
    written.sort();
    real.sort();
    assert_eq!(written, real);
}

#[test]
fn every_reason_is_met_in_a_test() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/service");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let tests: String =
        files.filter(|path| path.is_file()).map(|path| fs::read_to_string(path).unwrap()).collect();
    let unmet: Vec<String> =
        error_reasons().map(reason_word).filter(|word| !tests.contains(&format!("\"{word}\""))).collect();
    assert_eq!(unmet, [""; 0], "no service test asks for these");
}

#[test]
fn the_table_of_limits_is_the_command_line_s() {
    let written: Vec<(String, String)> =
        table("flag").iter().map(|row| (row[0].clone(), row[1].clone())).collect();
    let command = ServiceLimits::augment_args(Command::new("limits"));
    let mut real: Vec<(String, String)> = command
        .get_arguments()
        .map(|flag| {
            let default = flag.get_default_values()[0].to_string_lossy().into_owned();
            (format!("--{}", flag.get_long().unwrap()), default)
        })
        .collect();
    real.sort();
    let mut sorted = written.clone();
    sorted.sort();
    assert_eq!(sorted, real);
}

#[test]
fn every_rpc_is_on_the_page() {
    let written: Vec<String> = table("service").iter().map(|row| row[1].clone()).collect();
    let real: Vec<String> = wire::DESCRIPTORS
        .services()
        .flat_map(|service| service.methods().map(|method| method.name().to_owned()).collect::<Vec<_>>())
        .collect();
    assert_eq!(written, real);
}

/// `NotFound` as `NOT_FOUND`.
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
