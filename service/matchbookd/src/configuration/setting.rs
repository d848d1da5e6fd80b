//! A setting: a flag of `serve` that may also stand in the configuration file.

use std::any::TypeId;
use std::time::Duration;

use clap::{Arg, ArgAction, Command};

/// Flags of `serve` that are not settings.
const NOT_SETTINGS: [&str; 4] = ["config", "print_config", "help", "version"];

/// The type of a setting's value in the file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SettingType {
    Boolean,
    Integer,
    Duration,
    String,
    List,
}

/// Returns the flags that are settings. `command` is the root, which has the flags of `serve`.
pub(super) fn settings(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| !NOT_SETTINGS.contains(&arg.get_id().as_str()))
}

/// Returns the setting's key: its flag without the dashes.
pub(super) fn key(arg: &Arg) -> &str {
    arg.get_long().expect("every setting has a long flag")
}

/// Derives the type of a setting's value from its parser.
pub(super) fn setting_type(arg: &Arg) -> SettingType {
    let integers = [TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>()];
    let parsed = arg.get_value_parser().type_id();
    match arg.get_action() {
        ArgAction::SetTrue => SettingType::Boolean,
        ArgAction::Append => SettingType::List,
        _ if parsed == TypeId::of::<Duration>() => SettingType::Duration,
        _ if integers.iter().any(|integer| parsed == *integer) => SettingType::Integer,
        _ => SettingType::String,
    }
}

impl SettingType {
    /// Returns the type's name for error messages and the reference.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Boolean => "true or false",
            Self::Integer => "an integer",
            Self::Duration => "a duration such as \"5s\"",
            Self::String => "a string",
            Self::List => "a list of strings",
        }
    }
}
