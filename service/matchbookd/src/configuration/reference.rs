//! Generates `docs/configuration.md` and `deploy/matchbook.toml` from the flags. The tests compare the files
//! with the flags; `MATCHBOOK_BLESS=1` writes them.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Arg, Command, CommandFactory};

use super::file::ConfigFile;
use super::setting::{SettingType, key, setting_type, settings};
use crate::arguments::Arguments;

const BEGIN: &str =
    "<!-- Generated from the flags by: MATCHBOOK_BLESS=1 cargo test -p matchbookd --bins -->\n\n";

const HEAD: &str = "\
# Every setting of matchbookd with its default, for `matchbookd --config matchbook.toml`. Flags and
# environment variables override this file; `matchbookd --config matchbook.toml --print-config` prints the
# effective configuration.
";

fn repository(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn meaning(arg: &Arg) -> String {
    arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default()
}

fn value_name(arg: &Arg) -> Option<String> {
    if setting_type(arg) == SettingType::Boolean {
        return None;
    }
    arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string)
}

fn default(arg: &Arg) -> Option<String> {
    match arg.get_default_values() {
        _ if setting_type(arg) == SettingType::Boolean => Some("false".to_owned()),
        [] => None,
        values => Some(values.iter().map(|value| value.to_string_lossy()).collect::<Vec<_>>().join(",")),
    }
}

/// Returns the other commands that have this flag.
fn other_commands(arg: &Arg, command: &Command, before: &str) -> Vec<String> {
    let mut found = Vec::new();
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "serve") {
        let path = format!("{before}{}", inner.get_name());
        if inner.get_arguments().any(|other| other.get_long() == arg.get_long()) {
            found.push(format!("`{path}`"));
        }
        found.extend(other_commands(arg, inner, &format!("{path} ")));
    }
    found
}

fn choices(arg: &Arg) -> String {
    let values = arg.get_possible_values();
    if values.is_empty() || setting_type(arg) == SettingType::Boolean {
        return String::new();
    }
    let choice = |value: &PossibleValue| match value.get_help() {
        Some(help) => format!("`{}` ({})", value.get_name(), within_a_sentence(&help.to_string())),
        None => format!("`{}`", value.get_name()),
    };
    format!(". One of {}", values.iter().map(choice).collect::<Vec<_>>().join(", "))
}

/// Returns a text with a small first letter, unless it begins with an abbreviation.
fn within_a_sentence(text: &str) -> String {
    let mut letters = text.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if second.is_lowercase() => first.to_lowercase().chain(letters).collect(),
        _ => text.to_owned(),
    }
}

fn table(command: &Command) -> String {
    let mut text =
        "| Flag | Variable | In the file | Default | Meaning |\n|---|---|---|---|---|\n".to_owned();
    for arg in settings(command) {
        let value = value_name(arg).map(|value| format!(" {value}")).unwrap_or_default();
        let variable = arg.get_env().expect("every setting has an environment variable").display();
        let default =
            default(arg).filter(|text| !text.is_empty()).map(|text| format!("`{text}`")).unwrap_or_default();
        let also = other_commands(arg, command, "");
        let also = if also.is_empty() { String::new() } else { format!(". Also for {}", also.join(", ")) };
        let meaning = meaning(arg).replace('|', "\\|").replace('*', "\\*");
        let (key, type_name, choices) = (key(arg), setting_type(arg).as_str(), choices(arg));
        let _ = writeln!(
            text,
            "| `--{key}{value}` | `{variable}` | `{key}`, {type_name} | {default} | \
             {meaning}{choices}{also} |"
        );
    }
    text
}

fn example(command: &Command) -> String {
    let mut text = HEAD.to_owned();
    let mut heading = None;
    for arg in settings(command) {
        if arg.get_help_heading() != heading {
            heading = arg.get_help_heading();
            let _ = write!(text, "\n# --- {} ---\n", heading.unwrap_or_default());
        }
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let shown = default(arg).or_else(|| value_name(arg)).unwrap_or_default();
        let value = match setting_type(arg) {
            SettingType::Boolean | SettingType::Integer => shown,
            SettingType::Duration | SettingType::String => quoted(&shown),
            SettingType::List => format!("[{}]", quoted(&shown)),
        };
        text.push('\n');
        for line in wrapped(&format!("{}{}.", meaning(arg), choices(arg))) {
            let _ = writeln!(text, "# {line}");
        }
        let _ = writeln!(text, "#{} = {value}", key(arg));
    }
    text
}

fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is at least one line");
        if line.len() + word.len() > 110 {
            lines.push(word.to_owned());
        } else {
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(word);
        }
    }
    lines
}

/// Compares a file with the generated text, or writes it.
fn compare_or_write(path: &str, expected: &str) {
    let file = repository(path);
    if std::env::var_os("MATCHBOOK_BLESS").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, expected).unwrap();
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        found == expected,
        "{path} differs from the flags; MATCHBOOK_BLESS=1 cargo test -p matchbookd --bins writes it"
    );
}

#[test]
fn the_page_lists_every_setting() {
    let page = fs::read_to_string(repository("docs/configuration.md")).unwrap();
    let (before, _) = page.split_once(BEGIN).expect("the page has the marker of the table");
    compare_or_write("docs/configuration.md", &format!("{before}{BEGIN}{}", table(&Arguments::command())));
}

#[test]
fn the_example_lists_every_setting() {
    compare_or_write("deploy/matchbook.toml", &example(&Arguments::command()));
}

#[test]
fn the_example_parses_with_and_without_its_defaults() {
    let command = Arguments::command();
    let folder = tempfile::tempdir().unwrap();
    let [path, uncommented] = ["matchbook.toml", "uncommented.toml"].map(|name| folder.path().join(name));
    fs::write(&path, example(&command)).unwrap();
    assert!(settings(&command).all(|arg| !ConfigFile::read(&path, &command).unwrap().contains(arg)));

    let with_default: Vec<_> = settings(&command).filter(|arg| default(arg).is_some()).map(key).collect();
    let lines = fs::read_to_string(&path).unwrap();
    let lines = lines.lines().filter_map(|line| line.strip_prefix('#'));
    let lines =
        lines.filter(|line| line.split_once(" = ").is_some_and(|(key, _)| with_default.contains(&key)));
    fs::write(&uncommented, lines.map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let file = ConfigFile::read(&uncommented, &command).unwrap();
    for arg in settings(&command) {
        assert_eq!(file.contains(arg), default(arg).is_some(), "{}", key(arg));
    }
}
