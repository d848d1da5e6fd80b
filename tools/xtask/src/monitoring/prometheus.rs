//! A real Prometheus with the configuration in `deploy/monitoring`, except for its target and its intervals.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::file;
use crate::{child, output, ports, tools};

/// How long to wait for a condition, such as the first scrape.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The one alert that measures time.
const SLOW_MOVES: &str = "MatchbookSlowMoves";

/// A running Prometheus; killed when dropped.
pub(super) struct Prometheus {
    process: Child,
    url: String,
    started: Instant,
}

/// A time series with its labels.
pub(super) struct Series {
    pub(super) labels: Value,
    pub(super) values: Vec<f64>,
}

impl Prometheus {
    /// Starts Prometheus, which scrapes the service at `HOST:PORT` every second.
    pub(super) fn start(folder: &Path, address: &str) -> Result<Self> {
        let configuration = folder.join("prometheus.yml");
        let text = adapted_configuration(folder, address)?;
        fs::write(&configuration, text).context("cannot write Prometheus's configuration")?;
        let listen = format!("127.0.0.1:{}", ports::free_port()?);
        let log = File::create(folder.join("prometheus.log")).context("cannot write Prometheus's log")?;
        let process = Command::new(tools::PROMETHEUS.path()?)
            .arg(format!("--config.file={}", configuration.display()))
            .arg(format!("--storage.tsdb.path={}", folder.join("prometheus").display()))
            .arg(format!("--web.listen-address={listen}"))
            .args(["--log.level=warn"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .context("cannot start prometheus")?;
        let prometheus = Self { process, url: format!("http://{listen}"), started: Instant::now() };
        prometheus.wait_until("Prometheus has scraped the service", || {
            prometheus.value("sum(up{job=\"matchbook\"})").is_ok_and(|up| up == Some(1.0))
        })?;
        Ok(prometheus)
    }

    /// Returns the single value of a query now, or `None` if the query has no result yet.
    pub(super) fn value(&self, query: &str) -> Result<Option<f64>> {
        let found = self.get("query", &[("query", query)])?;
        let value = found["result"].as_array().and_then(|result| result.first());
        Ok(value.and_then(|series| series["value"][1].as_str()).and_then(|value| value.parse().ok()))
    }

    /// Returns the results of a query since the start, one value per second.
    pub(super) fn over_time(&self, query: &str) -> Result<Vec<Series>> {
        let now = self.value("vector(time())")?.context("Prometheus returned no time")?;
        let start = (now - self.started.elapsed().as_secs_f64()).to_string();
        let range = [("query", query), ("start", &start), ("end", &now.to_string()), ("step", "1")];
        let found = self.get("query_range", &range)?;
        let series = found["result"].as_array().context("the result is not a matrix")?.iter().map(|series| {
            let values = series["values"].as_array().into_iter().flatten();
            let values = values
                .filter_map(|pair| pair[1].as_str()?.parse().ok())
                .filter(|value: &f64| value.is_finite());
            Series { labels: series["metric"].clone(), values: values.collect() }
        });
        Ok(series.collect())
    }

    /// Checks that every alert can be evaluated and that none is pending or firing, except that a busy
    /// machine may be slow.
    pub(super) fn check_alerts(&self) -> Result<()> {
        let found = self.get("rules", &[])?;
        let groups = found["groups"].as_array().context("Prometheus returned no groups of rules")?;
        let rules: Vec<&Value> =
            groups.iter().filter_map(|group| group["rules"].as_array()).flatten().collect();
        ensure!(!rules.is_empty(), "Prometheus has no rules");
        for rule in rules {
            let (name, health, state) = (&rule["name"], &rule["health"], &rule["state"]);
            output::print_line(format_args!("{name} {health} {state}"));
            ensure!(health == "ok", "{name} cannot be evaluated: {}", rule["lastError"]);
            let is_allowed = state == "inactive" || (state == "pending" && name == SLOW_MOVES);
            ensure!(is_allowed, "{name} is {state} although nothing is wrong");
        }
        Ok(())
    }

    /// Polls `condition` until it holds; fails after a timeout.
    pub(super) fn wait_until(&self, description: &str, condition: impl Fn() -> bool) -> Result<()> {
        let deadline = Instant::now() + TIMEOUT;
        while !condition() {
            if Instant::now() > deadline || child::interrupted() {
                bail!("timed out waiting until {description}");
            }
            thread::sleep(Duration::from_millis(100));
        }
        Ok(())
    }

    fn get(&self, endpoint: &str, parameters: &[(&str, &str)]) -> Result<Value> {
        let mut curl = Command::new("curl");
        curl.args(["-sS", "-G"]);
        for (name, value) in parameters {
            curl.arg("--data-urlencode").arg(format!("{name}={value}"));
        }
        let text = child::capture(curl.arg(format!("{}/api/v1/{endpoint}", self.url)))?;
        let response: Value =
            serde_json::from_str(&text).with_context(|| format!("Prometheus returned no JSON: {text}"))?;
        ensure!(response["status"] == "success", "Prometheus failed: {}", response["error"]);
        Ok(response["data"].clone())
    }
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        // Both fail if it has ended; its data is discarded anyway.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the shipped configuration with this service as its target.
fn adapted_configuration(folder: &Path, address: &str) -> Result<String> {
    let key = folder.join("metrics_key");
    fs::write(&key, "calls from this machine need no key").context("cannot write a key")?;
    let shipped = fs::read_to_string(file("prometheus.yml")).context("cannot read prometheus.yml")?;
    let changes = [
        ("15s", "1s".to_owned()),
        ("alerts/*.yml", file("alerts/*.yml").display().to_string()),
        ("/run/secrets/metrics_key", key.display().to_string()),
        ("\"matchbook-1:7420\", \"matchbook-2:7420\"", format!("\"{address}\"")),
    ];
    changes.iter().try_fold(shipped, |text, (old, new)| {
        ensure!(text.contains(old), "prometheus.yml does not contain `{old}`");
        Ok(text.replace(old, new))
    })
}
