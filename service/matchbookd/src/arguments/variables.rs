//! Environment variables that are almost a setting's: a setting with a mistyped name is not in effect.

use clap::Command;

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
