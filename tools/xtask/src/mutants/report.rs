//! The figures of a run.

use serde::Serialize;

use super::equivalents::Equivalents;
use super::package::MutatedPackage;
use super::sample::Mutant;
use super::trial::TrialOutcome;

/// The results of a run.
#[derive(Debug, Serialize)]
pub(super) struct MutationReport {
    pub(super) seed: u64,
    pub(super) sample: u32,
    pub(super) packages: Vec<PackageFigures>,
}

/// What became of one package's mutants.
#[derive(Debug, Serialize)]
pub(super) struct PackageFigures {
    pub(super) package: &'static str,
    /// Mutants that the package could have.
    pub(super) listed: usize,
    pub(super) sampled: usize,
    /// Mutants that don't compile.
    pub(super) unviable: usize,
    /// Mutants that failed a test, including those whose tests never ended.
    pub(super) caught: usize,
    /// How many of them only tests of other packages caught.
    pub(super) caught_by_others: usize,
    /// Those of them whose tests never ended.
    pub(super) timed_out: Vec<String>,
    /// Survivors that docs/testing.md explains.
    pub(super) equivalent: usize,
    pub(super) survivors: Vec<String>,
}

/// Returns the figures of a package of `listed` mutants.
pub(super) fn figures(
    package: MutatedPackage,
    listed: usize,
    outcome: TrialOutcome,
    equivalents: &Equivalents,
) -> PackageFigures {
    let TrialOutcome { caught, missed, timed_out, unviable, guarded } = outcome;
    let sampled = caught.len() + missed.len() + timed_out.len() + unviable.len();
    let (equivalent, survivors): (Vec<Mutant>, Vec<_>) =
        missed.into_iter().partition(|mutant| equivalents.contain(mutant));
    PackageFigures {
        package: package.name(),
        listed,
        sampled,
        unviable: unviable.len(),
        caught: caught.len() + timed_out.len(),
        caught_by_others: guarded.len(),
        timed_out: names(timed_out),
        equivalent: equivalent.len(),
        survivors: names(survivors),
    }
}

fn names(mutants: Vec<Mutant>) -> Vec<String> {
    mutants.into_iter().map(|mutant| mutant.name).collect()
}

impl PackageFigures {
    /// Returns the mutants that a test could catch.
    pub(super) fn catchable(&self) -> usize {
        self.caught + self.survivors.len()
    }

    /// Returns whether the tests caught at least this share, in percent.
    pub(super) fn catches(&self, percent: u32) -> bool {
        let percent = usize::try_from(percent).unwrap_or(usize::MAX);
        100 * self.caught >= percent * self.catchable()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A report of one package with 40 mutants, of which 36 are caught and one survives.
    pub(in super::super) fn sample() -> MutationReport {
        let survivors = vec!["service/event/src/ids.rs:3:4: replace || with && in f".to_owned()];
        let package = PackageFigures {
            package: "event",
            listed: 120,
            sampled: 40,
            unviable: 2,
            caught: 36,
            caught_by_others: 2,
            timed_out: vec!["service/event/src/ids.rs:5:6: replace + with - in g".to_owned()],
            equivalent: 1,
            survivors,
        };
        MutationReport { seed: 1, sample: 40, packages: vec![package] }
    }

    #[test]
    fn mutants_that_no_test_could_catch_do_not_count() {
        let package = sample().packages.remove(0);
        assert_eq!(package.catchable(), 37);
        assert!(package.catches(97) && !package.catches(98));
    }

    #[test]
    fn a_package_without_mutants_misses_none() {
        let mut package = sample().packages.remove(0);
        package.caught = 0;
        package.survivors.clear();
        assert!(package.catches(100));
    }
}
