//! The report of a fault run as a text table.

use std::fmt::Write;

use super::injection::{Failovers, InjectedFaults};
use super::report::{FaultReport, ScenarioOutcome};
use super::scenario::Scenario;

/// The target for the delay of watchers on other replicas, without faults.
const MAX_WATCH_DELAY_MS: f64 = 100.0;

/// Returns the whole report as text.
pub(super) fn render(report: &FaultReport) -> String {
    let mut text = format!(
        "{} replicas, {:?} build, seed {}\n\n{:10}{:>8}{:>9}{:>9}{:>8}{:>8}{:>6}{:>8}{:>9}{:>10}{:>24}  {}\n",
        report.replicas,
        report.profile,
        report.seed,
        "scenario",
        "matches",
        "moves",
        "retried",
        "failed",
        "resumed",
        "lost",
        "doubled",
        "pause ms",
        "call ms",
        "watch p50/p99/max ms",
        "faults"
    );
    for outcome in &report.outcomes {
        text += &line(outcome);
    }
    text += &aim(report).unwrap_or_default();
    for outcome in &report.outcomes {
        let name = outcome.scenario.name();
        for finding in outcome.problems.iter().chain(&outcome.figures.first_findings) {
            let _ = writeln!(text, "\nFOUND in {name}: {finding}");
        }
        let more = outcome.figures.findings.saturating_sub(outcome.figures.first_findings.len());
        if more > 0 {
            let _ = writeln!(text, "FOUND in {name}: {more} more");
        }
    }
    text + if report.is_clean() { "\nthe referee found nothing\n" } else { "\nTHE REFEREE FOUND SOMETHING\n" }
}

/// Compares the delay of watchers with its target. For information only: it also depends on the machine's
/// load.
fn aim(report: &FaultReport) -> Option<String> {
    let steady = report.outcomes.iter().find(|outcome| outcome.scenario == Scenario::Steady)?;
    let p99_ms = steady.figures.watch.p99_ms;
    let verdict = if p99_ms <= MAX_WATCH_DELAY_MS { "met" } else { "MISSED" };
    Some(format!(
        "\ndelay of watchers on other replicas, p99: {p99_ms:.0} ms  aim: at most {MAX_WATCH_DELAY_MS} ms, \
         {verdict}\n"
    ))
}

fn line(outcome: &ScenarioOutcome) -> String {
    let figures = &outcome.figures;
    let watch = &figures.watch;
    let watch = match watch.count {
        0 => "-".to_owned(),
        _ => format!("{:.0}/{:.0}/{:.0}", watch.p50_ms, watch.p99_ms, watch.max_ms),
    };
    format!(
        "{:10}{:>8}{:>9}{:>9}{:>8}{:>8}{:>6}{:>8}{:>9.0}{:>10.0}{watch:>24}  {}\n",
        outcome.scenario.name(),
        figures.matches,
        figures.moves,
        figures.retried,
        figures.gave_up,
        figures.resumed,
        figures.lost,
        figures.doubled,
        figures.longest_pause_ms,
        figures.slowest_call_ms,
        injected(&outcome.injected)
    )
}

fn injected(faults: &InjectedFaults) -> String {
    let InjectedFaults { kills, stops, fenced, restarts, crashes, cuts, failovers } = *faults;
    let Failovers { killed, frozen, cut_off, switched_over, longest_ms } = failovers;
    let counted = [
        (kills, "killed"),
        (fenced, "fenced"),
        (stops, "suspended"),
        (restarts, "restarted"),
        (crashes, "crashes of Postgres"),
        (cuts, "connections cut"),
        (killed, "primaries killed"),
        (frozen, "primaries suspended"),
        (cut_off, "primaries cut off"),
        (switched_over, "switchovers"),
    ];
    let mut parts: Vec<String> = counted
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    if longest_ms > 0 {
        parts.push(format!("another primary after at most {longest_ms} ms"));
    }
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::super::report::{Build, WorkloadFigures};
    use super::*;

    fn report(figures: WorkloadFigures, problems: Vec<String>) -> FaultReport {
        let injected = InjectedFaults { kills: 3, ..InjectedFaults::default() };
        let outcome = ScenarioOutcome { scenario: Scenario::Kill, seconds: 1, injected, figures, problems };
        FaultReport { profile: Build::Release, replicas: 3, seed: 1, outcomes: vec![outcome] }
    }

    #[test]
    fn a_clean_run_says_so() {
        let text = render(&report(WorkloadFigures::default(), Vec::new()));
        assert!(text.contains("3 killed\n") && text.ends_with("\nthe referee found nothing\n"), "{text}");
    }

    #[test]
    fn the_delay_of_watchers_is_compared_with_its_target() {
        for (p99_ms, verdict) in [(99.0, "p99: 99 ms  aim: at most 100 ms, met"), (101.0, "ms, MISSED")] {
            let mut report = report(WorkloadFigures::default(), Vec::new());
            assert!(!render(&report).contains("aim"));
            report.outcomes[0].scenario = Scenario::Steady;
            report.outcomes[0].figures.watch.p99_ms = p99_ms;
            assert!(render(&report).contains(verdict), "{}", render(&report));
            assert!(report.is_clean());
        }
    }

    #[test]
    fn findings_are_listed_and_counted() {
        let first_findings = vec!["match one: Lost { seq: 4 }".to_owned()];
        let figures = WorkloadFigures { lost: 9, findings: 9, first_findings, ..WorkloadFigures::default() };
        let report = report(figures, vec!["replica 1 ended unexpectedly".to_owned()]);
        let text = render(&report);
        assert!(!report.is_clean());
        for text_part in ["FOUND in kill: match one: Lost", "FOUND in kill: replica 1", "kill: 8 more"] {
            assert!(text.contains(text_part), "{text}");
        }
        assert!(text.ends_with("THE REFEREE FOUND SOMETHING\n"), "{text}");
    }
}
