//! Names of schemas.

use std::collections::{BTreeMap, BTreeSet};

/// Short names of messages and enums by full name. A name depends on its own package alone, so that new
/// messages rename none.
pub(crate) struct SchemaNames {
    by_full_name: BTreeMap<String, String>,
}

impl SchemaNames {
    /// Names messages and enums, given as package and full name. Those of a package of services have no
    /// prefix; others are prefixed with the last part of their package that is not a version.
    pub(crate) fn of(all: &BTreeSet<(String, String)>, service_packages: &BTreeSet<String>) -> Self {
        let mut by_full_name: BTreeMap<String, String> = all
            .iter()
            .map(|(package, name)| {
                let prefix = if service_packages.contains(package) { String::new() } else { prefix(package) };
                let nested = name.strip_prefix(package.as_str()).unwrap_or(name).replace('.', "");
                (name.clone(), prefix + &nested)
            })
            .collect();
        let mut owners: BTreeMap<&str, usize> = BTreeMap::from([(super::ERROR, 1)]);
        for short in by_full_name.values() {
            *owners.entry(short).or_default() += 1;
        }
        let ambiguous: BTreeSet<String> =
            owners.into_iter().filter(|(_, count)| *count > 1).map(|(short, _)| short.to_owned()).collect();
        for (full, short) in &mut by_full_name {
            if ambiguous.contains(short) {
                short.clone_from(full);
            }
        }
        Self { by_full_name }
    }

    /// Returns the name of a message or an enum; its full name if no other is known.
    pub(crate) fn get<'a>(&'a self, full_name: &'a str) -> &'a str {
        self.by_full_name.get(full_name).map_or(full_name, String::as_str)
    }
}

/// Returns `AngelsAndDemons` for `matchbook.games.angels_and_demons.v1`.
fn prefix(package: &str) -> String {
    let is_version =
        |part: &&str| part.strip_prefix('v').is_some_and(|rest| rest.starts_with(char::is_numeric));
    let part = package.rsplit('.').find(|part| !is_version(part)).unwrap_or_default();
    let capitalized = part.split('_').filter_map(|word| {
        let mut chars = word.chars();
        Some(chars.next()?.to_uppercase().chain(chars).collect::<String>())
    });
    capitalized.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_outside_the_packages_of_services_are_prefixed() {
        let all = [
            ("club.v1", "club.v1.Move"),
            ("club.v1", "club.v1.Viewer.Kind"),
            ("club.v1", "club.v1.Error"),
            ("club.games.red_ace.v1", "club.games.red_ace.v1.Move"),
            ("club.log.v1", "club.log.v1.A.B"),
            ("club.log.v1", "club.log.v1.AB"),
        ];
        let all = all.map(|(package, name)| (package.to_owned(), name.to_owned())).into();
        let names = SchemaNames::of(&all, &BTreeSet::from(["club.v1".to_owned()]));
        assert_eq!(names.get("club.v1.Move"), "Move");
        assert_eq!(names.get("club.v1.Viewer.Kind"), "ViewerKind");
        assert_eq!(names.get("club.games.red_ace.v1.Move"), "RedAceMove");
        assert_eq!(names.get("club.v1.Error"), "club.v1.Error", "Error is the schema of errors");
        assert_eq!(names.get("club.log.v1.AB"), "club.log.v1.AB", "two messages would have this name");
    }
}
