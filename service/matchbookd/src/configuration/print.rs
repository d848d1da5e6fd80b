//! `serve --print-config`: the effective value of every setting and its source, without secrets.

use clap::{Arg, ArgMatches, Command, ValueEnum};
use play::ApiKey;
use serde_json::json;
use server::Database;
use toml::Value;

use super::file::ConfigFile;
use super::setting::{SettingType, key, setting_type, settings};
use super::source::SettingSource;

/// The format of the printed configuration.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PrintFormat {
    /// A file for --config
    Toml,
    /// One JSON object
    Json,
}

/// Renders all settings of `matches`, the parsed flags of `serve`.
pub(crate) fn effective(
    command: &Command,
    matches: &ArgMatches,
    file: &ConfigFile,
    format: PrintFormat,
) -> String {
    match format {
        PrintFormat::Toml => settings(command).map(|arg| toml_line(arg, matches, file)).collect(),
        PrintFormat::Json => {
            let entries = settings(command).map(|arg| {
                let value = value(arg, matches).map(to_json);
                let source = SettingSource::of(arg, matches, file).as_str();
                (key(arg).to_owned(), json!({"value": value, "from": source}))
            });
            serde_json::Value::Object(entries.collect()).to_string() + "\n"
        }
    }
}

fn toml_line(arg: &Arg, matches: &ArgMatches, file: &ConfigFile) -> String {
    let Some(value) = value(arg, matches) else { return format!("# {} is not set\n", key(arg)) };
    let source = describe(SettingSource::of(arg, matches, file), arg);
    format!("{} = {value}  # {source}{}\n", key(arg), remark(arg, matches, &value))
}

fn describe(source: SettingSource, arg: &Arg) -> String {
    match (source, arg.get_env()) {
        (SettingSource::Environment, Some(variable)) => format!("environment, {}", variable.display()),
        _ => source.as_str().to_owned(),
    }
}

/// Returns a setting's value without secrets, or `None` if it has none.
fn value(arg: &Arg, matches: &ArgMatches) -> Option<Value> {
    let id = arg.get_id().as_str();
    // With a URL file the database's default does not apply.
    if id == "database" && matches.contains_id("database_url_file") {
        return None;
    }
    if setting_type(arg) == SettingType::Boolean {
        return Some(Value::Boolean(matches.get_flag(id)));
    }
    let texts = matches.get_raw(id)?.map(|raw| raw.to_string_lossy().into_owned());
    let texts: Vec<String> = texts.flat_map(|text| without_secrets(arg, text)).collect();
    let text = || texts.first().cloned().unwrap_or_default();
    Some(match setting_type(arg) {
        SettingType::List => Value::Array(texts.into_iter().map(Value::String).collect()),
        SettingType::Integer => text().parse().map_or_else(|_| Value::String(text()), Value::Integer),
        SettingType::Boolean | SettingType::Duration | SettingType::String => Value::String(text()),
    })
}

/// Masks the values of flags whose environment values `--help` hides.
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

/// Returns `NAME:ROLE:***`, which `serve` rejects: reusing a printed configuration must not leave the service
/// open.
fn masked_key(line: &str) -> String {
    match line.parse::<ApiKey>() {
        Ok(key) => format!("{}:{}:***", key.name, key.role.as_str()),
        Err(_) => "***".to_owned(),
    }
}

fn remark(arg: &Arg, matches: &ArgMatches, value: &Value) -> &'static str {
    let empty = value.as_array().is_some_and(Vec::is_empty);
    let unmasked = || matches.get_one::<String>("database").map(String::as_str) == value.as_str();
    match arg.get_id().as_str() {
        "database" if !unmasked() => "; password removed",
        "api_keys" if !empty => "; hashes removed, put them back before use",
        _ => "",
    }
}

fn to_json(value: Value) -> serde_json::Value {
    match value {
        Value::Boolean(on) => json!(on),
        Value::Integer(number) => json!(number),
        Value::Array(items) => items.into_iter().map(to_json).collect(),
        other => json!(other.as_str()),
    }
}
