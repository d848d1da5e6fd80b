//! Environment variables in messages: those that are almost a setting's, as a setting with a mistyped name is
//! not in effect, and those whose values are invalid.

use std::ffi::OsString;

use clap::builder::Resettable;
use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{Arg, Command, Error};

/// Prefix of the names of all settings' variables.
const PREFIX: &str = "MATCHBOOK_";

/// Maximum number of changed characters in a mistyped name. Orchestrators set variables of their own with the
/// prefix, such as `MATCHBOOK_SERVICE_HOST`, so a name must be near a setting's.
const MAX_TYPOS: usize = 2;

/// Endings of names that contain a unit. A setting's name has none: its value does.
const UNITS: [&str; 3] = ["_MS", "_S", "_SECONDS"];

/// A variable that is set but not read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MistypedVariable {
    /// Its name.
    pub(crate) name: String,
    /// The setting's name that it resembles.
    pub(crate) similar: String,
}

/// Returns those of the names that resemble a setting's of this command without being one.
pub(super) fn mistyped(command: &Command, names: impl Iterator<Item = String>) -> Vec<MistypedVariable> {
    let commands = std::iter::once(command).chain(command.get_subcommands());
    let arguments = commands.flat_map(Command::get_arguments);
    let known: Vec<_> = arguments.filter_map(|argument| argument.get_env()?.to_str()).collect();
    let unread = names.filter(|name| name.starts_with(PREFIX) && !known.contains(&name.as_str()));
    let resembling = |name: String| {
        let unitless = UNITS.iter().find_map(|unit| name.strip_suffix(unit));
        let name_of = |known: &&&str| unitless.is_some_and(|name| name == **known);
        if let Some(similar) = known.iter().find(name_of) {
            return Some(MistypedVariable { similar: (*similar).to_owned(), name });
        }
        let similar = *known.iter().min_by_key(|known| typos(&name, known))?;
        let near = typos(&name, similar) <= MAX_TYPOS;
        near.then(|| MistypedVariable { similar: similar.to_owned(), name })
    };
    unread.filter_map(resembling).collect()
}

/// Names variables instead of flags in an error about values that come from the environment.
pub(super) fn named(mut error: Error, command: &Command, arguments: &[OsString]) -> Error {
    let line = without_variables(command.clone());
    let alone = line.clone().try_get_matches_from(arguments).err();
    if alone.is_some_and(|alone| alone.to_string() == error.to_string()) {
        return error;
    }
    let line = line.ignore_errors(true).try_get_matches_from(arguments).ok();
    let on_line = |arg: &Arg| {
        let matches = line.as_ref().map(|line| line.subcommand().map_or(line, |(_, inner)| inner));
        let id = arg.get_id().as_str();
        let matches = matches.filter(|matches| matches.try_contains_id(id).is_ok());
        matches.is_some_and(|matches| matches.value_source(id) == Some(ValueSource::CommandLine))
    };
    // Only a built command knows how its flags are shown.
    let mut command = command.clone();
    command.build();
    let name = |shown: &str| {
        let flag = command.get_arguments().find(|arg| arg.to_string() == shown)?;
        let variable = Some(flag).filter(|flag| !on_line(flag))?.get_env()?;
        Some(variable.to_str()?.to_owned()).filter(|name| std::env::var_os(name).is_some())
    };
    for kind in [ContextKind::InvalidArg, ContextKind::PriorArg] {
        if let Some(ContextValue::String(flag)) = error.get(kind)
            && let Some(variable) = name(flag)
        {
            error.insert(kind, ContextValue::String(variable));
        }
    }
    error
}

fn without_variables(command: Command) -> Command {
    command.mut_args(|arg| arg.env(Resettable::Reset)).mut_subcommands(without_variables)
}

fn typos(name: &str, known: &str) -> usize {
    strsim::osa_distance(name, known)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::super::Arguments;
    use super::*;

    fn mistyped_of(names: &[&str]) -> Vec<String> {
        let found = mistyped(&Arguments::command(), names.iter().map(|&name| name.to_owned()));
        found.into_iter().map(|variable| format!("{} {}", variable.name, variable.similar)).collect()
    }

    #[test]
    fn a_name_near_a_setting_is_found_with_the_setting() {
        let found = mistyped_of(&["MATCHBOOK_LISTN", "MATCHBOOK_DATABASE_ULR"]);
        assert_eq!(
            found,
            ["MATCHBOOK_LISTN MATCHBOOK_LISTEN", "MATCHBOOK_DATABASE_ULR MATCHBOOK_DATABASE_URL"]
        );
    }

    #[test]
    fn a_name_with_a_unit_is_found() {
        let found = mistyped_of(&["MATCHBOOK_DRAIN_MS", "MATCHBOOK_UNCLAIMED_EXPIRY_S"]);
        assert_eq!(
            found,
            ["MATCHBOOK_DRAIN_MS MATCHBOOK_DRAIN", "MATCHBOOK_UNCLAIMED_EXPIRY_S MATCHBOOK_UNCLAIMED_EXPIRY"]
        );
    }

    #[test]
    fn settings_and_other_programs_variables_are_not_found() {
        let found = mistyped_of(&[
            "MATCHBOOK_LISTEN",
            "MATCHBOOK_SERVER",
            "MATCHBOOK_SERVICE_HOST",
            "MATCHBOOK_PORT_7420_TCP_ADDR",
            "LISTEN",
        ]);
        assert_eq!(found, Vec::<String>::new());
    }
}
