//! All figures of a run, and their comparisons.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::figure::Figure;
use super::machine::Machine;

/// Moves per second must be at least this multiple of pgbench's INSERTs, ...
const MIN_TO_INSERTS: f64 = 2.5;
/// ... or this share of the health checks, whichever is less.
const MIN_TO_CHECKS: f64 = 0.5;
/// Moves per second over streams must be at least this multiple of pgbench's INSERTs.
const MIN_STREAMED_TO_INSERTS: f64 = 2.5;
/// The maximum that the service may add to a single client's INSERT.
const MAX_ADDED_MS: f64 = 0.3;

/// What a figure measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Subject {
    Flush,
    Checks,
    SingleInsert,
    MovesOnPostgres,
    StreamedMovesOnPostgres,
    MovesOnSqlite,
}

/// A figure and its subject.
#[derive(Serialize)]
pub(super) struct Row {
    pub(super) subject: Subject,
    #[serde(flatten)]
    pub(super) figure: Figure,
}

/// The figures of one run.
pub(super) struct Report {
    pub(super) machine: Machine,
    pub(super) rows: Vec<Row>,
}

/// A ratio or difference of two figures.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Comparison {
    pub(super) what: &'static str,
    pub(super) value: f64,
    pub(super) unit: Unit,
    pub(super) aim: Option<Aim>,
}

/// The unit of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Unit {
    Times,
    Ms,
}

/// The range that a comparison should be in.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Aim {
    AtLeast(f64),
    AtMost(f64),
}

impl Subject {
    /// Returns the name in the table.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Flush => "disk: write 8 KiB and flush",
            Self::Checks => "service: health check",
            Self::SingleInsert => "pgbench: one INSERT per commit",
            Self::MovesOnPostgres => "service on Postgres: move",
            Self::StreamedMovesOnPostgres => "service on Postgres: streamed move",
            Self::MovesOnSqlite => "service on SQLite: move",
        }
    }
}

impl Aim {
    /// Returns whether `value` is in the range.
    pub(super) fn is_met(self, value: f64) -> bool {
        match self {
            Self::AtLeast(least) => value >= least,
            Self::AtMost(most) => value <= most,
        }
    }
}

impl Report {
    /// Returns all comparisons that the measured figures allow.
    pub(super) fn comparisons(&self) -> Vec<Comparison> {
        let mut comparisons = self.rates();
        comparisons.extend(self.single_client());
        comparisons
    }

    fn rates(&self) -> Vec<Comparison> {
        let best = |subject| self.of(subject).map(|figure| figure.per_second).fold(0.0, f64::max);
        let (inserts, checks) = (best(Subject::SingleInsert), best(Subject::Checks));
        let moves = best(Subject::MovesOnPostgres);
        let aim = (MIN_TO_INSERTS * inserts).min(MIN_TO_CHECKS * checks);
        let streamed = best(Subject::StreamedMovesOnPostgres);
        let times = |what, value, aim| Comparison { what, value, unit: Unit::Times, aim };
        vec![
            times("moves/s on Postgres : INSERTs/s of pgbench, best figure of each", moves / inserts, None),
            times("moves/s on Postgres : health checks/s, best figure of each", moves / checks, None),
            times(
                "moves/s on Postgres : the lower of 2.5 x INSERTs and 0.5 x checks",
                moves / aim,
                Some(Aim::AtLeast(1.0)),
            ),
            times(
                "streamed moves/s on Postgres : INSERTs/s of pgbench, best figure of each",
                streamed / inserts,
                Some(Aim::AtLeast(MIN_STREAMED_TO_INSERTS)),
            ),
            times("moves/s on SQLite : on Postgres", best(Subject::MovesOnSqlite) / moves, None),
        ]
    }

    /// Returns `None` without a figure of a single client.
    fn single_client(&self) -> Option<Comparison> {
        let single =
            |subject| self.of(subject).find(|figure| figure.concurrency == 1).map(|figure| figure.mean_ms);
        Some(Comparison {
            what: "single client: a move on Postgres - an INSERT of pgbench, mean",
            value: single(Subject::MovesOnPostgres)? - single(Subject::SingleInsert)?,
            unit: Unit::Ms,
            aim: Some(Aim::AtMost(MAX_ADDED_MS)),
        })
    }

    fn of(&self, subject: Subject) -> impl Iterator<Item = &Figure> {
        self.rows.iter().filter(move |row| row.subject == subject).map(|row| &row.figure)
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Report", 3)?;
        fields.serialize_field("machine", &self.machine)?;
        fields.serialize_field("figures", &self.rows)?;
        fields.serialize_field("comparisons", &self.comparisons())?;
        fields.end()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns a report with round figures.
    pub(in super::super) fn sample() -> Report {
        let machine = Machine {
            cores: 2,
            processor: "Pentium".to_owned(),
            memory_gib: 4,
            system: "Linux 6.1".to_owned(),
            postgres: "postgres 15".to_owned(),
            busy_before: 0.1,
        };
        let row = |subject, concurrency, per_second, mean_ms, percentiles: Option<f64>| {
            let figure = Figure {
                concurrency,
                per_second,
                events_per_second: per_second * 1.5,
                mean_ms,
                p50_ms: percentiles,
                p99_ms: percentiles.map(|ms| 2.0 * ms),
            };
            Row { subject, figure }
        };
        let rows = vec![
            row(Subject::Checks, 32, 50_000.0, 0.5, Some(0.5)),
            row(Subject::SingleInsert, 1, 1_000.0, 1.0, None),
            row(Subject::SingleInsert, 32, 8_000.0, 4.0, None),
            row(Subject::MovesOnPostgres, 1, 800.0, 1.25, Some(1.25)),
            row(Subject::MovesOnPostgres, 256, 24_000.0, 10.0, Some(9.0)),
            row(Subject::StreamedMovesOnPostgres, 256, 32_000.0, 8.0, Some(8.0)),
            row(Subject::MovesOnSqlite, 256, 12_000.0, 20.0, Some(19.0)),
        ];
        Report { machine, rows }
    }

    #[test]
    fn comparisons_use_the_best_figures() {
        let values: Vec<f64> = sample().comparisons().iter().map(|comparison| comparison.value).collect();
        assert_eq!(values, [3.0, 0.48, 1.2, 4.0, 0.5, 0.25]);
    }

    #[test]
    fn the_comparison_of_a_single_client_needs_its_figures() {
        let mut report = sample();
        report.rows.retain(|row| row.figure.concurrency > 1);
        assert!(report.comparisons().iter().all(|comparison| comparison.unit == Unit::Times));
    }

    #[test]
    fn aims_include_their_bounds() {
        assert!(Aim::AtLeast(1.0).is_met(1.0) && !Aim::AtLeast(1.0).is_met(0.99));
        assert!(Aim::AtMost(0.3).is_met(0.3) && !Aim::AtMost(0.3).is_met(0.31));
    }

    #[test]
    fn json_includes_the_comparisons() {
        let json = serde_json::to_value(sample()).unwrap();
        assert_eq!(json["figures"][1]["subject"], "single_insert");
        assert_eq!(json["figures"][1]["p50_ms"], serde_json::Value::Null);
        assert_eq!(json["comparisons"][2]["aim"]["at_least"], 1.0);
    }
}
