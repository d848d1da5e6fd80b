//! `serve --print-config`: every setting as it would be used, and where it came from. Secrets are left out.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, ValueEnum};
use play::ApiKey;
use serde_json::json;
use server::Database;
use toml::Value;

use super::config_file::{ConfigFile, Kind, kind, name, settings};

/// How it is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PrintFormat {
    /// A file for --config
    Toml,
    /// One JSON object
    Json,
}

/// The whole of it.
pub(super) fn shown(
    command: &Command,
    matches: &ArgMatches,
    file: &ConfigFile,
    format: PrintFormat,
) -> String {
    match format {
        PrintFormat::Toml => {
            let lines = settings(command).map(|arg| {
                let from = from(arg, matches, file);
                match value(arg, matches) {
                    Some(value) => {
                        format!(
                            "{} = {value}  # {}{}\n",
                            name(arg),
                            from.told(arg),
                            remark(arg, matches, &value)
                        )
                    }
                    None => format!("# {} is not set\n", name(arg)),
                }
            });
            lines.collect()
        }
        PrintFormat::Json => {
            let entries = settings(command).map(|arg| {
                let value = value(arg, matches).map(as_json);
                (name(arg).to_owned(), json!({"value": value, "from": from(arg, matches, file).as_str()}))
            });
            serde_json::Value::Object(entries.collect()).to_string() + "\n"
        }
    }
}

/// Where a value came from.
#[derive(Clone, Copy)]
enum From {
    Flag,
    Environment,
    File,
    Default,
}

impl From {
    fn as_str(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Environment => "environment",
            Self::File => "file",
            Self::Default => "default",
        }
    }

    fn told(self, arg: &Arg) -> String {
        match (self, arg.get_env()) {
            (Self::Environment, Some(variable)) => format!("environment, {}", variable.display()),
            _ => self.as_str().to_owned(),
        }
    }
}

fn from(arg: &Arg, matches: &ArgMatches, file: &ConfigFile) -> From {
    match matches.value_source(arg.get_id().as_str()) {
        Some(ValueSource::CommandLine) => From::Flag,
        Some(ValueSource::EnvVariable) => From::Environment,
        _ if file.has(arg) => From::File,
        _ => From::Default,
    }
}

/// A setting's value without its secrets; none if it has none.
fn value(arg: &Arg, matches: &ArgMatches) -> Option<Value> {
    let id = arg.get_id().as_str();
    // Its default, which does not count.
    if id == "database" && matches.contains_id("database_url_file") {
        return None;
    }
    if kind(arg) == Kind::Switch {
        return Some(Value::Boolean(matches.get_flag(id)));
    }
    let texts = matches.get_raw(id)?.map(|raw| raw.to_string_lossy().into_owned());
    let texts: Vec<String> = texts.flat_map(|text| without_secrets(arg, text)).collect();
    let text = || texts.first().cloned().unwrap_or_default();
    Some(match kind(arg) {
        Kind::List => Value::Array(texts.into_iter().map(Value::String).collect()),
        Kind::Number => text().parse().map_or_else(|_| Value::String(text()), Value::Integer),
        Kind::Switch | Kind::Text => Value::String(text()),
    })
}

/// What a flag that is not shown in --help's environment may be shown as.
fn without_secrets(arg: &Arg, text: String) -> Vec<String> {
    match arg.get_id().as_str() {
        _ if !arg.is_hide_env_values_set() => vec![text],
        "database" => vec![Database::url_without_password(&text)],
        "api_keys" => {
            let lines = text.split([',', '\n']).map(str::trim).filter(|line| !line.is_empty());
            lines.map(masked_key).collect()
        }
        _ => vec!["***".to_owned()],
    }
}

/// `NAME:ROLE:***`, which `serve` refuses: a printed configuration that is used again must not leave the service open.
fn masked_key(line: &str) -> String {
    match line.parse::<ApiKey>() {
        Ok(key) => format!("{}:{}:***", key.name, key.role.as_str()),
        Err(_) => "***".to_owned(),
    }
}

fn remark(arg: &Arg, matches: &ArgMatches, value: &Value) -> &'static str {
    let empty = value.as_array().is_some_and(Vec::is_empty);
    let whole = || matches.get_one::<String>("database").map(String::as_str) == value.as_str();
    match arg.get_id().as_str() {
        "database" if !whole() => "; without its password",
        "api_keys" if !empty => "; without the hashes: put them in again",
        _ => "",
    }
}

fn as_json(value: Value) -> serde_json::Value {
    match value {
        Value::Boolean(on) => json!(on),
        Value::Integer(number) => json!(number),
        Value::Array(items) => items.into_iter().map(as_json).collect(),
        other => json!(other.as_str()),
    }
}
