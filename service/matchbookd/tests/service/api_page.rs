//! Compares the tables of `docs/api.md` with the code. `MATCHBOOK_BLESS=1` writes that of errors.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Command};
use matchbook_client::Refusal;
use play::reason_name;
use server::{ErrorMapping, ServiceLimits, error_mapping, error_reasons};
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};
use wire::v1::{ErrorReason, Retry};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/api.md");

fn page() -> String {
    fs::read_to_string(PAGE).unwrap()
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
fn the_page_has_every_error_as_the_protos_and_the_code_have_it() {
    let page = page();
    let (before, rest) = page.split_once("| reason |").unwrap();
    let (_, after) = rest.split_once("\n\n").unwrap();
    let expected = format!("{before}{}\n{after}", error_table());
    if std::env::var_os("MATCHBOOK_BLESS").is_some() {
        fs::write(PAGE, expected).unwrap();
        return;
    }
    let command = "MATCHBOOK_BLESS=1 cargo test -p matchbookd --test service api_page writes it";
    assert!(page == expected, "the table of errors differs from the protos or the code; {command}");
}

/// Returns the table of errors: the reasons in the order of the protos, with their comments there.
fn error_table() -> String {
    let reasons = wire::DESCRIPTORS.get_enum_by_name("matchbook.v1.ErrorReason").unwrap();
    let file = reasons.parent_file();
    let comments = &file.file_descriptor_proto().source_code_info.as_ref().unwrap().location;
    let mut table =
        "| reason | gRPC code | HTTP | log | retry | when |\n|---|---|---|---|---|---|\n".to_owned();
    let mut declared: Vec<_> = reasons.values().filter(|value| value.number() != 0).collect();
    declared.sort_by_key(|value| value.path().last().copied());
    for value in declared {
        let reason = ErrorReason::try_from(value.number()).unwrap();
        let ErrorMapping { code, http, level } = error_mapping(reason);
        let retry = match wire::retry(reason) {
            Retry::Unspecified => "no",
            Retry::Yes => "yes",
            Retry::WithRetryInfo => "with RetryInfo",
        };
        let comment = comments.iter().find(|comment| comment.path == value.path()).unwrap();
        let when = comment.leading_comments().split_whitespace().collect::<Vec<_>>().join(" ");
        let (name, level) = (reason_name(reason), level.to_string().to_lowercase());
        table += &format!("| `{name}` | `{}` | {http} | {level} | {retry} | {when} |\n", code_name(code));
    }
    table
}

#[test]
fn every_reason_is_expected_over_grpc_and_over_rest() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/service");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let read = |path: PathBuf| fs::read_to_string(path).unwrap();
    let tests: String = files.filter(|path| path.is_file()).map(read).collect();
    let tests = tests.split_whitespace().collect::<Vec<_>>().join(" ");
    let both = read(Path::new(folder).join("refusals.rs"));
    for row in table("reason") {
        let (name, http) = (&row[0], &row[2]);
        let over_http = format!("({http}, \"{name}\"");
        assert!(tests.contains(&over_http), "no service test expects {name} over REST");
        let over_grpc = tests.contains(&format!("\"{name}\", Code::")) || both.contains(&over_http);
        assert!(over_grpc || row[5].starts_with("HTTP only"), "no service test expects {name} over gRPC");
    }
}

#[test]
fn the_client_retries_what_the_table_says() {
    for reason in error_reasons() {
        let retry = wire::retry(reason);
        for told in [false, true] {
            let mut details = ErrorDetails::with_error_info(reason_name(reason), "matchbook.v1", []);
            if told {
                details.set_retry_info(Some(Duration::from_secs(1)));
            }
            let status = Status::with_error_details(error_mapping(reason).code, "no", details);
            let expected = retry == Retry::Yes || retry == Retry::WithRetryInfo && told;
            assert_eq!(Refusal::from(&status).is_transient(), expected, "{reason:?}, RetryInfo: {told}");
        }
    }
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
