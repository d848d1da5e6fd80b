//! Where a setting's value comes from: shown by `--print-config`, and named by errors as the place to mend.

use std::collections::BTreeMap;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use super::file::ConfigFile;

/// The source of a setting's value.
#[derive(Clone, Copy)]
pub(super) enum SettingSource {
    Flag,
    Environment,
    File,
    Default,
}

impl SettingSource {
    /// Returns the source of an argument's value in these matches of its command.
    pub(super) fn of(arg: &Arg, matches: &ArgMatches, file: &ConfigFile) -> Self {
        match matches.value_source(arg.get_id().as_str()) {
            Some(ValueSource::CommandLine) => Self::Flag,
            Some(ValueSource::EnvVariable) => Self::Environment,
            _ if file.contains(arg) => Self::File,
            _ => Self::Default,
        }
    }

    /// Returns the source's name in the printed configuration.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Environment => "environment",
            Self::File => "file",
            Self::Default => "default",
        }
    }
}

/// The places that the values of a command's flags came from.
pub(crate) struct SettingPlaces(BTreeMap<String, String>);

impl SettingPlaces {
    /// Collects the places of the command that was parsed. `command` is the root.
    pub(crate) fn new(command: &Command, matches: &ArgMatches, file: &ConfigFile) -> Self {
        if let Some((name, inner)) = matches.subcommand()
            && let Some(command) = command.find_subcommand(name)
        {
            return Self::new(command, inner, file);
        }
        let place = |arg: &Arg| {
            let flag = arg.get_long()?;
            let place = match SettingSource::of(arg, matches, file) {
                SettingSource::Flag => format!("--{flag}"),
                SettingSource::Environment => arg.get_env()?.to_string_lossy().into_owned(),
                SettingSource::File => file.place(flag),
                SettingSource::Default => return None,
            };
            Some((flag.to_owned(), place))
        };
        Self(command.get_arguments().filter_map(place).collect())
    }

    /// Returns the place of a setting's value, or `None` for a default.
    pub(crate) fn of(&self, setting: &str) -> Option<&str> {
        self.0.get(setting).map(String::as_str)
    }
}
