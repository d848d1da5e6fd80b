//! The report as a text table.

use super::machine::busy_note;
use super::report::{Aim, Comparison, Report, Row, Unit};

/// Returns the whole report as text.
pub(super) fn render(report: &Report) -> String {
    let mut text = machine(report);
    text += &format!(
        "\n{:30}{:>8}{:>10}{:>10}{:>10}{:>10}{:>10}\n",
        "", "at once", "per s", "events/s", "mean ms", "p50 ms", "p99 ms"
    );
    for row in &report.rows {
        text += &line(row);
    }
    text.push('\n');
    for comparison in report.comparisons() {
        text += &comparison_line(&comparison);
    }
    text
}

fn machine(report: &Report) -> String {
    let machine = &report.machine;
    let mut text = format!(
        "{} cores ({}), {} GiB, {}; {}\n",
        machine.cores, machine.processor, machine.memory_gib, machine.system, machine.postgres
    );
    text += &busy_note(machine.busy_before);
    text
}

fn line(row: &Row) -> String {
    let figure = &row.figure;
    let events = if figure.events_per_second > 0.0 {
        format!("{:.0}", figure.events_per_second)
    } else {
        String::new()
    };
    let milliseconds = |ms: Option<f64>| ms.map_or_else(String::new, |ms| format!("{ms:.2}"));
    let line = format!(
        "{:30}{:>8}{:>10.0}{events:>10}{:>10}{:>10}{:>10}",
        row.subject.label(),
        figure.concurrency,
        figure.per_second,
        milliseconds(Some(figure.mean_ms)),
        milliseconds(figure.p50_ms),
        milliseconds(figure.p99_ms),
    );
    format!("{}\n", line.trim_end())
}

fn comparison_line(comparison: &Comparison) -> String {
    let Comparison { what, value, unit, aim } = comparison;
    let unit = match unit {
        Unit::Times => "x",
        Unit::Ms => "ms",
    };
    let aim = match aim {
        None => String::new(),
        Some(aim @ Aim::AtLeast(least)) => {
            format!("  aim: at least {least} {unit}, {}", verdict(*aim, *value))
        }
        Some(aim @ Aim::AtMost(most)) => format!("  aim: at most {most} {unit}, {}", verdict(*aim, *value)),
    };
    format!("{value:>8.2} {unit:<2}  {what}{aim}\n")
}

fn verdict(aim: Aim, value: f64) -> &'static str {
    if aim.is_met(value) { "met" } else { "MISSED" }
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::sample;
    use super::*;

    #[test]
    fn columns_align_with_their_headers() {
        let text = render(&sample());
        let ends = |line: &str| line.rfind(|c: char| !c.is_whitespace());
        let header = text.lines().find(|line| line.contains("at once")).unwrap();
        let moves = text.lines().find(|line| line.starts_with("service on SQLite")).unwrap();
        assert_eq!(ends(header), ends(moves));
        assert!(moves.ends_with("256     12000     18000     20.00     19.00     38.00"), "{moves}");
        assert!(text.contains("      32      8000     12000      4.00\n"), "{text}");
    }

    #[test]
    fn comparisons_show_whether_they_meet_their_aims() {
        let text = render(&sample());
        assert!(text.contains("0.5 x checks  aim: at least 1 x, met"), "{text}");
        assert!(text.contains("mean  aim: at most 0.3 ms, met"), "{text}");
    }

    #[test]
    fn a_busy_machine_is_reported() {
        let mut report = sample();
        assert!(!render(&report).contains("BUSY"));
        report.machine.busy_before = 0.75;
        assert!(render(&report).contains("BUSY before (75 %"));
    }
}
