//! The mutants that a package could have, and the seeded sample of them.

use std::collections::HashMap;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use super::package::MutatedPackage;
use super::trial;
use crate::child;

/// A mutant as cargo-mutants names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mutant {
    /// `FILE:LINE:COLUMN: MUTATION`.
    pub(super) name: String,
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) mutation: String,
}

impl Mutant {
    pub(super) fn parse(name: &str) -> Result<Self> {
        let parts: Vec<_> = name.splitn(4, ':').collect();
        let [file, line, _column, mutation] = parts[..] else {
            bail!("`{name}` is not FILE:LINE:COLUMN: MUTATION");
        };
        let line = line.parse().with_context(|| format!("`{line}` in `{name}` is no line"))?;
        let (file, mutation) = (file.to_owned(), mutation.trim().to_owned());
        Ok(Self { name: name.to_owned(), file, line, mutation })
    }
}

/// Returns every mutant of the package.
pub(super) fn list(package: MutatedPackage) -> Result<Vec<Mutant>> {
    let mut command = trial::cargo_mutants(package)?;
    let names = child::capture(command.args(["--list", "--colors", "never"]));
    let names = names.with_context(|| format!("cannot list the mutants of {}", package.name()))?;
    names.lines().map(Mutant::parse).collect()
}

/// Returns at most `size` mutants, chosen by the seed and their names without line and column.
pub(super) fn take(all: &[Mutant], seed: u64, size: u32) -> Vec<Mutant> {
    let mut seen: HashMap<_, u32> = HashMap::new();
    let mut ranked: Vec<_> = all
        .iter()
        .map(|mutant| {
            // Tells mutants of one name apart.
            let nth = seen.entry((&mutant.file, &mutant.mutation)).and_modify(|nth| *nth += 1).or_default();
            (rank(mutant, seed, *nth), mutant)
        })
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.truncate(usize::try_from(size).unwrap_or(usize::MAX));
    ranked.into_iter().map(|(_, mutant)| mutant.clone()).collect()
}

fn rank(mutant: &Mutant, seed: u64, nth: u32) -> [u8; 32] {
    let text = format!("{seed}\0{nth}\0{}\0{}", mutant.file, mutant.mutation);
    Sha256::digest(text.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutants(first_line: u32) -> Vec<Mutant> {
        let name = |line| format!("a/{}.rs:{line}:5: replace < with <= in T::f", line % 7);
        (0..50).map(|place| Mutant::parse(&name(first_line + 7 * place)).unwrap()).collect()
    }

    fn places(all: &[Mutant], sample: &[Mutant]) -> Vec<usize> {
        sample.iter().map(|mutant| all.iter().position(|other| other == mutant).unwrap()).collect()
    }

    #[test]
    fn a_name_holds_the_file_and_the_mutation() {
        let mutant = Mutant::parse("a/b.rs:12:5: replace T::f -> Option<u8> with None").unwrap();
        assert_eq!(mutant.file, "a/b.rs");
        assert_eq!(mutant.mutation, "replace T::f -> Option<u8> with None");
        assert!(Mutant::parse("a/b.rs: replace").is_err());
    }

    #[test]
    fn lines_do_not_change_the_sample_and_the_seed_does() {
        let (before, after) = (mutants(1), mutants(8));
        let sample = |all: &[Mutant], seed| places(all, &take(all, seed, 10));
        assert_eq!(sample(&before, 1), sample(&after, 1));
        assert_ne!(sample(&before, 1), sample(&before, 2));
    }

    #[test]
    fn a_sample_has_no_mutant_twice_and_at_most_all() {
        let all = mutants(1);
        let mut taken = places(&all, &take(&all, 1, 1000));
        taken.sort_unstable();
        assert_eq!(taken, (0..50).collect::<Vec<_>>());
        assert_eq!(take(&all, 1, 10), take(&all, 1, 1000)[..10]);
    }
}
