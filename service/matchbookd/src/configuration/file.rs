//! The file named by `--config`: TOML whose keys are the flags of `serve`. Its values replace the flags'
//! defaults, so that flags and environment variables take precedence and clap parses all sources alike.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::builder::Resettable;
use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use toml::{Table, Value};

use super::setting::{SettingType, key, setting_type, settings};
use crate::similar::similar;

const MAX_FILE_BYTES: u64 = 1 << 20;

/// The settings of a file by key, as strings for clap to parse.
#[derive(Default)]
pub(crate) struct ConfigFile {
    path: PathBuf,
    values: BTreeMap<String, Vec<String>>,
}

/// What arguments and environment contain before the file is read.
pub(crate) struct GivenSettings(ArgMatches);

impl GivenSettings {
    /// Parses arguments and environment leniently: the second, strict parse reports their errors.
    pub(crate) fn parse(command: &Command, arguments: &[OsString]) -> Option<Self> {
        let matches = command.clone().ignore_errors(true).try_get_matches_from(arguments).ok()?;
        Some(Self(leaf(&matches).clone()))
    }

    /// Returns the path of the configuration file.
    pub(crate) fn config_path(&self) -> Option<PathBuf> {
        self.0.try_get_one::<PathBuf>("config").ok().flatten().cloned()
    }

    fn contains(&self, id: &str) -> bool {
        let source = self.0.try_contains_id(id).ok().and_then(|_| self.0.value_source(id));
        matches!(source, Some(ValueSource::CommandLine | ValueSource::EnvVariable))
    }
}

/// Returns the matches of the innermost subcommand.
fn leaf(matches: &ArgMatches) -> &ArgMatches {
    matches.subcommand().map_or(matches, |(_, inner)| leaf(inner))
}

impl ConfigFile {
    /// Reads a file and validates each of its settings.
    pub(crate) fn read(path: &Path, command: &Command) -> Result<Self, String> {
        let error = |text: String| format!("--config {}: {text}", path.display());
        let text = read_to_string(path).map_err(|cause| error(format!("cannot read the file: {cause}")))?;
        // Leaves out the parser's excerpt of the line, which may contain a password.
        let table: Table = text.parse().map_err(|cause: toml::de::Error| {
            let line = cause.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            error(format!("line {line} is not valid TOML: {}; strings need quotes", cause.message()))
        })?;
        let mut file = Self { path: path.to_owned(), ..Self::default() };
        for (name, value) in &table {
            let arg = settings(command).find(|arg| key(arg) == name);
            let arg = arg.ok_or_else(|| error(unknown(name, command)))?;
            let values =
                strings(setting_type(arg), value).map_err(|cause| error(format!("{name} {cause}")))?;
            validate(command, arg, &values).map_err(error)?;
            file.values.insert(name.clone(), values);
        }
        if file.values.contains_key("database") && file.values.contains_key("database-url-file") {
            return Err(error("database and database-url-file are mutually exclusive".to_owned()));
        }
        Ok(file)
    }

    /// Drops the file's database setting if another source names the database. `--database` and
    /// `--database-url-file` are two flags for one setting, so clap cannot resolve their precedence.
    pub(crate) fn yield_database_to(&mut self, given: &GivenSettings) {
        if given.contains("database") || given.contains("database_url_file") {
            self.values.remove("database");
            self.values.remove("database-url-file");
        }
    }

    /// Sets the file's values as defaults in every subcommand that has the flag.
    pub(crate) fn apply(&self, command: Command) -> Command {
        let command = command.mut_args(|arg| match arg.get_long().and_then(|name| self.values.get(name)) {
            Some(values) => {
                let secret = arg.is_hide_env_values_set();
                arg.default_values(values).hide_default_value(secret)
            }
            None => arg,
        });
        command.mut_subcommands(|inner| self.apply(inner))
    }

    /// Returns the place of a key, for errors about its value.
    pub(super) fn place(&self, key: &str) -> String {
        format!("--config {}: {key}", self.path.display())
    }

    /// Returns whether the file contains a setting.
    pub(super) fn contains(&self, arg: &Arg) -> bool {
        arg.get_long().is_some_and(|key| self.values.contains_key(key))
    }
}

fn read_to_string(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    match File::open(path)?.take(MAX_FILE_BYTES + 1).read_to_string(&mut text)? as u64 {
        0..=MAX_FILE_BYTES => Ok(text),
        _ => Err(io::Error::other("larger than 1 MiB")),
    }
}

fn unknown(name: &str, command: &Command) -> String {
    let known: Vec<_> = settings(command).map(key).collect();
    let hint = similar(name, &known).map(|known| format!("; did you mean `{known}`?")).unwrap_or_default();
    format!("unknown setting `{name}` (known: {}){hint}", known.join(", "))
}

fn strings(expected: SettingType, value: &Value) -> Result<Vec<String>, String> {
    let mismatch = || format!("must be {}, not {}", expected.as_str(), value_type(value));
    match (expected, value) {
        (SettingType::Boolean, Value::Boolean(on)) => Ok(vec![on.to_string()]),
        (SettingType::Integer, Value::Integer(number)) => Ok(vec![number.to_string()]),
        (SettingType::Duration | SettingType::String | SettingType::List, Value::String(text)) => {
            Ok(vec![text.clone()])
        }
        (SettingType::List, Value::Array(items)) => {
            items.iter().map(|item| item.as_str().map(str::to_owned).ok_or_else(mismatch)).collect()
        }
        _ => Err(mismatch()),
    }
}

fn value_type(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a string",
        Value::Integer(_) => "an integer",
        Value::Float(_) => "a float",
        Value::Boolean(_) => "true or false",
        Value::Datetime(_) => "a date-time",
        Value::Array(_) => "a list of other values",
        Value::Table(_) => "a table",
    }
}

/// Has clap parse the values of one setting, ignoring the environment.
fn validate(command: &Command, arg: &Arg, values: &[String]) -> Result<(), String> {
    if setting_type(arg) == SettingType::Boolean {
        return Ok(());
    }
    let flags = settings(command).map(|arg| arg.clone().env(Resettable::Reset));
    let alone = Command::new("file").no_binary_name(true).args(flags);
    let given = values.iter().map(|value| format!("--{}={value}", key(arg)));
    let Err(mut error) = alone.try_get_matches_from(given) else { return Ok(()) };
    // The file has the key, not the flag.
    error.insert(ContextKind::InvalidArg, ContextValue::String(key(arg).to_owned()));
    let lines = error.to_string();
    let lines =
        lines.lines().take_while(|line| !line.is_empty()).map(str::trim).collect::<Vec<_>>().join(" ");
    Err(format!("{}: {}", key(arg), lines.trim_start_matches("error: ")))
}
