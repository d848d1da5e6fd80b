//! Grafana's dashboard as far as it asks questions: each is put to Prometheus as Grafana would, and must have an answer.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::prometheus::{Prometheus, Series};

/// What Grafana would put for its variables here.
const VARIABLES: [(&str, &str); 4] =
    [("$__rate_interval", "10s"), ("$__range", "60s"), ("$job", "matchbook"), ("$instance", ".*")];

/// The questions of a dashboard.
pub(super) struct Dashboard(Vec<Question>);

struct Question {
    panel: String,
    /// As Grafana writes it beside the line, `{{label}}` for a label's value.
    legend: String,
    query: String,
}

impl Dashboard {
    /// Reads the file that Grafana reads.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let dashboard: Value = serde_json::from_str(&text).context("the dashboard is not JSON")?;
        let mut questions = Vec::new();
        for panel in dashboard["panels"].as_array().context("panels")? {
            let name = panel["title"].as_str().context("a panel has a title")?;
            for target in panel["targets"].as_array().with_context(|| format!("{name} asks something"))? {
                let text =
                    |field: &str| target[field].as_str().with_context(|| format!("{name} has no {field}"));
                let query = VARIABLES
                    .iter()
                    .fold(text("expr")?.to_owned(), |query, (name, value)| query.replace(name, value));
                if query.contains('$') {
                    bail!("{name} uses a variable that is not known here: {query}");
                }
                questions.push(Question {
                    panel: name.to_owned(),
                    legend: text("legendFormat")?.to_owned(),
                    query,
                });
            }
        }
        Ok(Self(questions))
    }

    /// Asks everything, and prints what people would have seen.
    pub(super) fn ask(&self, prometheus: &Prometheus) -> Result<()> {
        let mut silent = Vec::new();
        println!("{:<32} {:<42} {:>10} {:>10} {:>10}", "panel", "line", "least", "most", "last");
        for Question { panel, legend, query } in &self.0 {
            let found = prometheus.over_time(query).with_context(|| format!("{panel}: {query}"))?;
            if found.iter().all(|series| series.values.is_empty()) {
                silent.push(format!("{panel}: {query}"));
            }
            for series in found {
                print(panel, legend, &series);
            }
        }
        if !silent.is_empty() {
            bail!("there was no answer to\n{}", silent.join("\n"));
        }
        Ok(())
    }
}

fn print(panel: &str, legend: &str, Series { labels, values }: &Series) {
    let Some(last) = values.last() else { return };
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let line = labels.as_object().into_iter().flatten().fold(legend.to_owned(), |line, (name, value)| {
        line.replace(&format!("{{{{{name}}}}}"), value.as_str().unwrap_or_default())
    });
    println!("{panel:<32} {line:<42} {least:>10.4} {most:>10.4} {last:>10.4}");
}
