//! Everything measured, and what the figures say beside each other.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::figure::Figure;
use super::machine::Machine;

/// At least so many times the moves that pgbench makes ...
const AGAINST_INSERTS: f64 = 2.5;
/// ... or so much of what unary calls reach at all, whichever is less.
const AGAINST_CHECKS: f64 = 0.5;
/// What the service may add to one client's commit.
const ADDED_MS: f64 = 0.3;

/// What a figure is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Subject {
    Flush,
    Checks,
    SingleInsert,
    MovesOnPostgres,
    MovesOnSqlite,
}

/// One figure.
#[derive(Serialize)]
pub(super) struct Row {
    pub(super) subject: Subject,
    #[serde(flatten)]
    pub(super) figure: Figure,
}

/// What one run has measured.
pub(super) struct Report {
    pub(super) machine: Machine,
    pub(super) rows: Vec<Row>,
}

/// One figure against another.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Comparison {
    pub(super) what: &'static str,
    pub(super) value: f64,
    pub(super) unit: Unit,
    pub(super) aim: Option<Aim>,
}

/// What a comparison counts in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Unit {
    Times,
    Ms,
}

/// Where a comparison should be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Aim {
    AtLeast(f64),
    AtMost(f64),
}

impl Subject {
    /// The figure's name in the table.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Flush => "disk: write 8 KiB and flush",
            Self::Checks => "service: health check",
            Self::SingleInsert => "pgbench: one INSERT a commit",
            Self::MovesOnPostgres => "service on Postgres: move",
            Self::MovesOnSqlite => "service on SQLite: move",
        }
    }
}

impl Aim {
    /// Whether a value is where it should be.
    pub(super) fn is_met(self, value: f64) -> bool {
        match self {
            Self::AtLeast(least) => value >= least,
            Self::AtMost(most) => value <= most,
        }
    }
}

impl Report {
    /// What can be compared with what was measured.
    pub(super) fn comparisons(&self) -> Vec<Comparison> {
        let mut comparisons = self.rates();
        comparisons.extend(self.one_client());
        comparisons
    }

    fn rates(&self) -> Vec<Comparison> {
        let best = |subject| self.of(subject).map(|figure| figure.per_second).fold(0.0, f64::max);
        let (inserts, checks) = (best(Subject::SingleInsert), best(Subject::Checks));
        let moves = best(Subject::MovesOnPostgres);
        let wanted = (AGAINST_INSERTS * inserts).min(AGAINST_CHECKS * checks);
        let times = |what, value, aim| Comparison { what, value, unit: Unit::Times, aim };
        vec![
            times("moves/s on Postgres : INSERTs/s of pgbench, each at its best", moves / inserts, None),
            times("moves/s on Postgres : health checks/s, each at its best", moves / checks, None),
            times(
                "moves/s on Postgres : the less of 2.5 x INSERTs and 0.5 x checks",
                moves / wanted,
                Some(Aim::AtLeast(1.0)),
            ),
            times("moves/s on SQLite : on Postgres", best(Subject::MovesOnSqlite) / moves, None),
        ]
    }

    /// None without a figure of one client alone.
    fn one_client(&self) -> Option<Comparison> {
        let alone =
            |subject| self.of(subject).find(|figure| figure.at_once == 1).map(|figure| figure.mean_ms);
        Some(Comparison {
            what: "one client alone: a move on Postgres - an INSERT of pgbench, mean",
            value: alone(Subject::MovesOnPostgres)? - alone(Subject::SingleInsert)?,
            unit: Unit::Ms,
            aim: Some(Aim::AtMost(ADDED_MS)),
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

    /// A report with round figures.
    pub(in super::super) fn sample() -> Report {
        let machine = Machine {
            cores: 2,
            processor: "Pentium".to_owned(),
            memory_gib: 4,
            system: "Linux 6.1".to_owned(),
            postgres: "postgres 15".to_owned(),
            busy_before: 0.1,
        };
        let row = |subject, at_once, per_second, mean_ms, percentiles: Option<f64>| {
            let figure = Figure {
                at_once,
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
            row(Subject::MovesOnSqlite, 256, 12_000.0, 20.0, Some(19.0)),
        ];
        Report { machine, rows }
    }

    #[test]
    fn each_is_compared_at_its_best() {
        let values: Vec<f64> = sample().comparisons().iter().map(|comparison| comparison.value).collect();
        assert_eq!(values, [3.0, 0.48, 1.2, 0.5, 0.25]);
    }

    #[test]
    fn without_a_lone_client_there_is_no_lone_clients_figure() {
        let mut report = sample();
        report.rows.retain(|row| row.figure.at_once > 1);
        assert!(report.comparisons().iter().all(|comparison| comparison.unit == Unit::Times));
    }

    #[test]
    fn aims_include_their_bound() {
        assert!(Aim::AtLeast(1.0).is_met(1.0) && !Aim::AtLeast(1.0).is_met(0.99));
        assert!(Aim::AtMost(0.3).is_met(0.3) && !Aim::AtMost(0.3).is_met(0.31));
    }

    #[test]
    fn the_json_has_the_comparisons_too() {
        let json = serde_json::to_value(sample()).unwrap();
        assert_eq!(json["figures"][1]["subject"], "single_insert");
        assert_eq!(json["figures"][1]["p50_ms"], serde_json::Value::Null);
        assert_eq!(json["comparisons"][2]["aim"]["at_least"], 1.0);
    }
}
