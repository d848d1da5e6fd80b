//! `--config`: a TOML file whose keys are the names of `serve`'s flags. Its values take the place of the flags' defaults, so
//! that the environment and the command line go before them, and clap reads them as it reads everything else.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::builder::Resettable;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command};
use toml::{Table, Value};

/// Largest file that is read.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Flags that are no settings.
const NO_SETTINGS: [&str; 4] = ["config", "print_config", "help", "version"];

/// Where the settings are.
#[derive(Args)]
pub(crate) struct ConfigArgument {
    /// A TOML file with settings: its keys are the names of serve's flags (docs/configuration.md). The environment and the
    /// command line go before it
    #[arg(long, env = "MATCHBOOK_CONFIG", value_name = "PATH")]
    pub(super) config: Option<PathBuf>,
}

/// What a setting takes in the file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Switch,
    Number,
    Text,
    List,
}

/// The settings of a file, as texts that clap reads, by the names of their flags.
#[derive(Default)]
pub(super) struct ConfigFile {
    values: BTreeMap<String, Vec<String>>,
}

/// The settings: the flags of `serve`, which is what is done without a command.
pub(super) fn settings(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| !NO_SETTINGS.contains(&arg.get_id().as_str()))
}

/// The name of a setting's flag, without the dashes.
pub(super) fn name(arg: &Arg) -> &str {
    arg.get_long().expect("every setting has a long flag")
}

/// What the command line and the environment say before any file was read. What is wrong with them is for the real reading
/// to tell.
pub(super) fn first_look(command: &Command, arguments: &[OsString]) -> Option<ArgMatches> {
    let matches = command.clone().ignore_errors(true).try_get_matches_from(arguments).ok()?;
    Some(leaf(&matches).clone())
}

/// The file that they name.
pub(super) fn named(first_look: &ArgMatches) -> Option<PathBuf> {
    first_look.try_get_one::<PathBuf>("config").ok().flatten().cloned()
}

fn leaf(matches: &ArgMatches) -> &ArgMatches {
    matches.subcommand().map_or(matches, |(_, inner)| leaf(inner))
}

impl ConfigFile {
    /// Reads a file and checks all that it says.
    pub(super) fn read(path: &Path, command: &Command) -> Result<Self, String> {
        let wrong = |text: String| format!("--config {}: {text}", path.display());
        let text = read(path).map_err(|error| wrong(format!("can't be read: {error}")))?;
        // Not the error's own text: it repeats the line, which may hold a password.
        let table: Table = text.parse().map_err(|error: toml::de::Error| {
            let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            wrong(format!("line {line} is no TOML: {}", error.message()))
        })?;
        let mut file = Self::default();
        for (key, value) in &table {
            let arg =
                settings(command).find(|arg| name(arg) == key).ok_or_else(|| wrong(unknown(key, command)))?;
            let values = texts(kind(arg), value).map_err(|error| wrong(format!("{key} {error}")))?;
            check(command, arg, &values).map_err(|error| wrong(format!("{key}: {error}")))?;
            file.values.insert(key.clone(), values);
        }
        if file.values.contains_key("database") && file.values.contains_key("database-url-file") {
            return Err(wrong("database and database-url-file both name a database".to_owned()));
        }
        Ok(file)
    }

    /// Two flags name the database: of a file that names it the one way nothing is left where the other way goes before it.
    pub(super) fn yield_to(&mut self, first_look: &ArgMatches) {
        let given = |id: &str| {
            let source = first_look.try_contains_id(id).ok().and_then(|_| first_look.value_source(id));
            matches!(source, Some(ValueSource::CommandLine | ValueSource::EnvVariable))
        };
        if given("database") || given("database_url_file") {
            self.values.remove("database");
            self.values.remove("database-url-file");
        }
    }

    /// The same command with the file's values as defaults, in every subcommand that has such a flag.
    pub(super) fn apply(&self, command: Command) -> Command {
        let command = command.mut_args(|arg| match arg.get_long().and_then(|name| self.values.get(name)) {
            Some(values) => {
                let hidden = arg.is_hide_env_values_set();
                arg.default_values(values).hide_default_value(hidden)
            }
            None => arg,
        });
        command.mut_subcommands(|inner| self.apply(inner))
    }

    /// Whether the file has this setting.
    pub(super) fn has(&self, arg: &Arg) -> bool {
        self.values.contains_key(name(arg))
    }
}

fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    match File::open(path)?.take(MAX_FILE_BYTES + 1).read_to_string(&mut text)? as u64 {
        0..=MAX_FILE_BYTES => Ok(text),
        _ => Err(io::Error::other("it is larger than 1 MiB")),
    }
}

fn unknown(key: &str, command: &Command) -> String {
    let known: Vec<_> = settings(command).map(name).collect();
    format!("there is no setting `{key}`; there are {}", known.join(", "))
}

/// What a flag takes in the file.
pub(super) fn kind(arg: &Arg) -> Kind {
    let numbers = [TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>()];
    let parsed = arg.get_value_parser().type_id();
    match arg.get_action() {
        ArgAction::SetTrue => Kind::Switch,
        ArgAction::Append => Kind::List,
        _ if numbers.iter().any(|number| parsed == *number) => Kind::Number,
        _ => Kind::Text,
    }
}

impl Kind {
    /// As one says what it takes.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Switch => "true or false",
            Self::Number => "a whole number",
            Self::Text => "a text",
            Self::List => "a list of texts",
        }
    }
}

fn texts(kind: Kind, value: &Value) -> Result<Vec<String>, String> {
    let wrong = || format!("takes {}, not {}", kind.as_str(), described(value));
    match (kind, value) {
        (Kind::Switch, Value::Boolean(on)) => Ok(vec![on.to_string()]),
        (Kind::Number, Value::Integer(number)) => Ok(vec![number.to_string()]),
        (Kind::Text | Kind::List, Value::String(text)) => Ok(vec![text.clone()]),
        (Kind::List, Value::Array(items)) => {
            items.iter().map(|item| item.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
        }
        _ => Err(wrong()),
    }
}

fn described(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a text",
        Value::Integer(_) => "a whole number",
        Value::Float(_) => "a fraction",
        Value::Boolean(_) => "true or false",
        Value::Datetime(_) => "a time",
        Value::Array(_) => "such a list",
        Value::Table(_) => "a table",
    }
}

/// Whether clap takes these values, asked without the environment.
fn check(command: &Command, arg: &Arg, values: &[String]) -> Result<(), String> {
    if kind(arg) == Kind::Switch {
        return Ok(());
    }
    let flags = settings(command).map(|arg| arg.clone().env(Resettable::Reset));
    let alone = Command::new("file").no_binary_name(true).args(flags);
    let given = values.iter().map(|value| format!("--{}={value}", name(arg)));
    let error = match alone.try_get_matches_from(given) {
        Ok(_) => return Ok(()),
        Err(error) => error.to_string(),
    };
    let lines =
        error.lines().take_while(|line| !line.is_empty()).map(str::trim).collect::<Vec<_>>().join(" ");
    Err(lines.trim_start_matches("error: ").to_owned())
}
