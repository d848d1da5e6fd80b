//! The report as a text table, with the mutants that timed out and the survivors below it.

use super::report::{MutationReport, PackageFigures};

/// Returns the whole report as text.
pub(super) fn render(report: &MutationReport) -> String {
    let mut text = format!(
        "seed {}, at most {} mutants per package\n\n\
         {:10}{:>8}{:>9}{:>10}{:>8}{:>11}{:>11}{:>12}{:>11}{:>10}\n",
        report.seed,
        report.sample,
        "",
        "listed",
        "sampled",
        "unviable",
        "caught",
        "by others",
        "timed out",
        "equivalent",
        "survivors",
        "caught %"
    );
    for package in &report.packages {
        text += &line(package);
    }
    for mutant in report.packages.iter().flat_map(|package| &package.timed_out) {
        text += &format!("\ntimed out: {mutant}");
    }
    for mutant in report.packages.iter().flat_map(|package| &package.survivors) {
        text += &format!("\nsurvived: {mutant}");
    }
    text
}

fn line(package: &PackageFigures) -> String {
    let PackageFigures { package: name, listed, sampled, unviable, caught, equivalent, .. } = package;
    let (others, timed_out) = (package.caught_by_others, package.timed_out.len());
    let survivors = package.survivors.len();
    let share = share(*caught, package.catchable());
    format!(
        "{name:10}{listed:>8}{sampled:>9}{unviable:>10}{caught:>8}{others:>11}{timed_out:>11}{equivalent:>12}\
         {survivors:>11}{share:>10}\n"
    )
}

/// Returns a share in percent, rounded down to a tenth.
fn share(caught: usize, catchable: usize) -> String {
    let tenths = (1000 * caught).checked_div(catchable).unwrap_or(1000);
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::sample;
    use super::*;

    #[test]
    fn columns_align_and_names_follow() {
        let text = render(&sample());
        let header = text.lines().find(|line| line.contains("listed")).unwrap();
        let figures = text.lines().find(|line| line.starts_with("event")).unwrap();
        assert_eq!(header.len(), figures.len());
        assert!(figures.ends_with("2          1           1          1      97.2"), "{figures}");
        assert!(text.contains("\ntimed out: service/event/src/ids.rs:5:6: replace + with - in g"), "{text}");
        assert!(text.ends_with("survived: service/event/src/ids.rs:3:4: replace || with && in f"), "{text}");
    }

    #[test]
    fn nothing_to_catch_is_all_caught() {
        assert_eq!(share(0, 0), "100.0");
        assert_eq!(share(2, 3), "66.6");
    }
}
