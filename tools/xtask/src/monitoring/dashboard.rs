//! The queries of Grafana's dashboard: each is evaluated as Grafana would, and must have a result.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::prometheus::{Prometheus, Series};
use crate::output;

/// Values for Grafana's variables.
const VARIABLES: [(&str, &str); 4] =
    [("$__rate_interval", "10s"), ("$__range", "60s"), ("$job", "matchbook"), ("$instance", ".*")];

/// The queries of a dashboard.
pub(super) struct Dashboard(Vec<PanelQuery>);

struct PanelQuery {
    panel: String,
    /// Grafana's template for the line's name, with `{{label}}` for a label's value.
    legend: String,
    query: String,
}

impl Dashboard {
    /// Reads Grafana's file.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let dashboard: Value = serde_json::from_str(&text).context("the dashboard is not JSON")?;
        let mut queries = Vec::new();
        for panel in dashboard["panels"].as_array().context("the dashboard has no panels")? {
            let name = panel["title"].as_str().context("a panel has no title")?;
            for target in panel["targets"].as_array().with_context(|| format!("{name} has no targets"))? {
                let text =
                    |field: &str| target[field].as_str().with_context(|| format!("{name} has no {field}"));
                let query = VARIABLES
                    .iter()
                    .fold(text("expr")?.to_owned(), |query, (name, value)| query.replace(name, value));
                if query.contains('$') {
                    bail!("{name} uses a variable without a value here: {query}");
                }
                let legend = text("legendFormat")?.to_owned();
                queries.push(PanelQuery { panel: name.to_owned(), legend, query });
            }
        }
        Ok(Self(queries))
    }

    /// Evaluates all queries and prints what the panels would show.
    pub(super) fn evaluate(&self, prometheus: &Prometheus) -> Result<()> {
        let mut empty = Vec::new();
        output::print_line(format_args!(
            "{:<32} {:<42} {:>10} {:>10} {:>10}",
            "panel", "line", "min", "max", "last"
        ));
        for PanelQuery { panel, legend, query } in &self.0 {
            let found = prometheus.over_time(query).with_context(|| format!("{panel}: {query}"))?;
            if found.iter().all(|series| series.values.is_empty()) {
                empty.push(format!("{panel}: {query}"));
            }
            for series in found {
                print(panel, legend, &series);
            }
        }
        if !empty.is_empty() {
            bail!("queries without a result:\n{}", empty.join("\n"));
        }
        Ok(())
    }
}

fn print(panel: &str, legend: &str, Series { labels, values }: &Series) {
    let Some(last) = values.last() else { return };
    let min = values.iter().copied().fold(f64::INFINITY, f64::min);
    let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let line = labels.as_object().into_iter().flatten().fold(legend.to_owned(), |line, (name, value)| {
        line.replace(&format!("{{{{{name}}}}}"), value.as_str().unwrap_or_default())
    });
    output::print_line(format_args!("{panel:<32} {line:<42} {min:>10.4} {max:>10.4} {last:>10.4}"));
}
