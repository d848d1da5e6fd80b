//! A fault run as people read it.

use std::fmt::Write;

use super::bring::Deeds;
use super::report::{Outcome, Report};
use super::scenario::Scenario;

/// Within this a watcher on one replica should see the move of another, while nothing happens.
const SEEN_WITHIN_MS: f64 = 100.0;

/// The whole report as text.
pub(super) fn of(report: &Report) -> String {
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
        "done"
    );
    for outcome in &report.outcomes {
        text += &line(outcome);
    }
    text += &aim(report).unwrap_or_default();
    for outcome in &report.outcomes {
        let name = outcome.scenario.name();
        for complaint in outcome.complaints.iter().chain(&outcome.figures.told) {
            let _ = writeln!(text, "\nFOUND in {name}: {complaint}");
        }
        let untold = outcome.figures.findings.saturating_sub(outcome.figures.told.len());
        if untold > 0 {
            let _ = writeln!(text, "FOUND in {name}: {untold} more");
        }
    }
    text + if report.is_clean() { "\nthe referee found nothing\n" } else { "\nTHE REFEREE FOUND SOMETHING\n" }
}

/// Told and not judged: how busy the machine is decides it as well.
fn aim(report: &Report) -> Option<String> {
    let steady = report.outcomes.iter().find(|outcome| outcome.scenario == Scenario::Steady)?;
    let p99_ms = steady.figures.watch.p99_ms;
    let verdict = if p99_ms <= SEEN_WITHIN_MS { "met" } else { "MISSED" };
    Some(format!(
        "\nmoves of one replica seen by watchers on another, p99: {p99_ms:.0} ms  aim: at most {SEEN_WITHIN_MS} ms, \
         {verdict}\n"
    ))
}

fn line(outcome: &Outcome) -> String {
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
        done(&outcome.deeds)
    )
}

fn done(deeds: &Deeds) -> String {
    let Deeds { kills, stops, fenced, restarts, crashes, cuts } = *deeds;
    let counted = [
        (kills, "killed"),
        (fenced, "fenced"),
        (stops, "stopped"),
        (restarts, "restarted"),
        (crashes, "times Postgres killed"),
        (cuts, "connections cut"),
    ];
    let told: Vec<String> = counted
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    if told.is_empty() { "nothing".to_owned() } else { told.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::super::report::{Build, Figures};
    use super::*;

    fn report(figures: Figures, complaints: Vec<String>) -> Report {
        let deeds = Deeds { kills: 3, ..Deeds::default() };
        let outcome = Outcome { scenario: Scenario::Kill, seconds: 1, deeds, figures, complaints };
        Report { profile: Build::Release, replicas: 3, seed: 1, outcomes: vec![outcome] }
    }

    #[test]
    fn a_clean_run_says_so() {
        let text = of(&report(Figures::default(), Vec::new()));
        assert!(text.contains("3 killed\n") && text.ends_with("\nthe referee found nothing\n"), "{text}");
    }

    #[test]
    fn the_delay_of_watchers_is_held_against_its_aim() {
        for (p99_ms, verdict) in [(99.0, "p99: 99 ms  aim: at most 100 ms, met"), (101.0, "ms, MISSED")] {
            let mut report = report(Figures::default(), Vec::new());
            assert!(!of(&report).contains("aim"));
            report.outcomes[0].scenario = Scenario::Steady;
            report.outcomes[0].figures.watch.p99_ms = p99_ms;
            assert!(of(&report).contains(verdict), "{}", of(&report));
            assert!(report.is_clean());
        }
    }

    #[test]
    fn what_was_found_is_told_and_counted() {
        let told = vec!["match one: Lost { seq: 4 }".to_owned()];
        let figures = Figures { lost: 9, findings: 9, told, ..Figures::default() };
        let report = report(figures, vec!["replica 1 ended by itself".to_owned()]);
        let text = of(&report);
        assert!(!report.is_clean());
        for piece in ["FOUND in kill: match one: Lost", "FOUND in kill: replica 1", "kill: 8 more"] {
            assert!(text.contains(piece), "{text}");
        }
        assert!(text.ends_with("THE REFEREE FOUND SOMETHING\n"), "{text}");
    }
}
