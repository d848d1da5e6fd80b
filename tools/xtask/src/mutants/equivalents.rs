//! The mutants that differ from the program in nothing that a test could see, as docs/testing.md lists them.

use std::fs;

use anyhow::{Context, Result, bail};

use super::package::MutatedPackage;
use super::sample::Mutant;
use crate::repository;

const PAGE: &str = "docs/testing.md";
const HEADING: &str = "### Equivalent mutants";

/// The list of equivalent mutants, each a file and a mutation.
#[derive(Debug)]
pub(super) struct Equivalents(Vec<(String, String)>);

impl Equivalents {
    /// Reads the list from the page.
    pub(super) fn read() -> Result<Self> {
        let page = fs::read_to_string(repository::root().join(PAGE));
        Self::parse(&page.with_context(|| format!("cannot read {PAGE}"))?)
    }

    fn parse(page: &str) -> Result<Self> {
        let Some((_, section)) = page.split_once(HEADING) else {
            bail!("{PAGE} has no heading `{HEADING}`");
        };
        let section = section.split("\n#").next().unwrap_or_default();
        let items = section.lines().filter(|line| line.starts_with("- "));
        items.map(parse_item).collect::<Result<_>>().map(Self)
    }

    /// Returns whether the mutant is listed.
    pub(super) fn contain(&self, mutant: &Mutant) -> bool {
        self.0.iter().any(|(file, mutation)| *file == mutant.file && *mutation == mutant.mutation)
    }

    /// Refuses items about this package's files that name none of its mutants.
    pub(super) fn check_current(&self, package: MutatedPackage, all: &[Mutant]) -> Result<()> {
        let folder = package.folder() + "/";
        for (file, mutation) in self.0.iter().filter(|(file, _)| file.starts_with(&folder)) {
            if !all.iter().any(|mutant| mutant.file == *file && mutant.mutation == *mutation) {
                bail!("{PAGE} lists `{mutation}` in `{file}`, which is no mutant any more; remove the item");
            }
        }
        Ok(())
    }
}

/// Parses "- `FILE`, `MUTATION`: REASON", of which the reason may continue on other lines.
fn parse_item(line: &str) -> Result<(String, String)> {
    let parts: Vec<_> = line.splitn(5, '`').collect();
    let ["- ", file, ", ", mutation, _reason] = parts[..] else {
        bail!("{PAGE}: `{line}` is not \"- `FILE`, `MUTATION`: REASON\"");
    };
    Ok((file.to_owned(), mutation.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTED: &str = "service/event/src/ids.rs:3:4: replace || with && in f";

    fn page(item: &str) -> String {
        format!(
            "# Testing\n\n- a list\n\n{HEADING}\n\nText.\n\n{item}\n  that continues.\n\n## Next\n\n- another"
        )
    }

    #[test]
    fn an_item_names_a_mutant_whatever_its_line() {
        let equivalents =
            Equivalents::parse(&page("- `service/event/src/ids.rs`, `replace || with && in f`: no reason"));
        let equivalents = equivalents.unwrap();
        assert!(equivalents.contain(&Mutant::parse(LISTED).unwrap()));
        assert!(equivalents.contain(&Mutant::parse(&LISTED.replace(":3:", ":9:")).unwrap()));
        assert!(!equivalents.contain(&Mutant::parse(&LISTED.replace("in f", "in g")).unwrap()));
    }

    #[test]
    fn an_item_that_names_no_mutant_is_refused() {
        let item = "- `service/event/src/ids.rs`, `replace || with && in f`: no reason";
        let equivalents = Equivalents::parse(&page(item)).unwrap();
        let event = MutatedPackage::Event;
        assert!(equivalents.check_current(event, &[Mutant::parse(LISTED).unwrap()]).is_ok());
        assert!(equivalents.check_current(event, &[]).is_err());
        assert!(equivalents.check_current(MutatedPackage::Play, &[]).is_ok());
    }

    #[test]
    fn the_page_has_a_list_and_each_item_has_its_form() {
        assert!(Equivalents::read().is_ok());
        assert!(Equivalents::parse("# Testing").is_err());
        assert!(Equivalents::parse(&page("- something else")).is_err());
    }
}
