//! A real Prometheus with the configuration of deploy/monitoring, but for its target and its haste.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::{file, program};
use crate::{child, ports};

/// How long it may take to be ready, and to see what has happened.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running Prometheus; killed when dropped.
pub(super) struct Prometheus {
    process: Child,
    url: String,
    began: Instant,
}

/// A series with its labels and its values over time.
pub(super) struct Series {
    pub(super) labels: Value,
    pub(super) values: Vec<f64>,
}

impl Prometheus {
    /// Scrapes the service at `HOST:PORT` every second.
    pub(super) fn start(folder: &Path, address: &str) -> Result<Self> {
        let configuration = folder.join("prometheus.yml");
        fs::write(&configuration, configured(folder, address)?).context("cannot write a configuration")?;
        let listen = format!("127.0.0.1:{}", ports::free_port()?);
        let log = File::create(folder.join("prometheus.log")).context("cannot write Prometheus's log")?;
        let process = Command::new(program("prometheus")?)
            .arg(format!("--config.file={}", configuration.display()))
            .arg(format!("--storage.tsdb.path={}", folder.join("prometheus").display()))
            .arg(format!("--web.listen-address={listen}"))
            .args(["--log.level=warn"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .context("cannot start prometheus")?;
        let prometheus = Self { process, url: format!("http://{listen}"), began: Instant::now() };
        prometheus.until("it sees the service", || {
            prometheus.value("sum(up{job=\"matchbook\"})").is_ok_and(|up| up == Some(1.0))
        })?;
        Ok(prometheus)
    }

    /// The one value of a query now; none if it has no answer yet.
    pub(super) fn value(&self, query: &str) -> Result<Option<f64>> {
        let found = self.ask("query", &[("query", query)])?;
        let value = found["result"].as_array().and_then(|result| result.first());
        Ok(value.and_then(|series| series["value"][1].as_str()).and_then(|value| value.parse().ok()))
    }

    /// A query over all the time since the start, a value a second.
    pub(super) fn over_time(&self, query: &str) -> Result<Vec<Series>> {
        let now = self.value("vector(time())")?.context("Prometheus knows what time it is")?;
        let start = (now - self.began.elapsed().as_secs_f64()).to_string();
        let range = [("query", query), ("start", &start), ("end", &now.to_string()), ("step", "1")];
        let found = self.ask("query_range", &range)?;
        let series = found["result"].as_array().context("a matrix")?.iter().map(|series| {
            let values = series["values"].as_array().into_iter().flatten();
            let values = values
                .filter_map(|pair| pair[1].as_str()?.parse().ok())
                .filter(|value: &f64| value.is_finite());
            Series { labels: series["metric"].clone(), values: values.collect() }
        });
        Ok(series.collect())
    }

    /// Every alert can be evaluated, and none is up: nothing was wrong.
    pub(super) fn check_alerts(&self) -> Result<()> {
        let found = self.ask("rules", &[])?;
        let groups = found["groups"].as_array().context("groups of rules")?;
        let rules: Vec<&Value> =
            groups.iter().filter_map(|group| group["rules"].as_array()).flatten().collect();
        ensure!(!rules.is_empty(), "Prometheus has no rules");
        for rule in rules {
            let (name, health, state) = (&rule["name"], &rule["health"], &rule["state"]);
            println!("{name} {health} {state}");
            ensure!(health == "ok", "{name} can't be evaluated: {}", rule["lastError"]);
            ensure!(state == "inactive", "{name} is {state} although nothing is wrong");
        }
        Ok(())
    }

    /// Waits until it is so, but not for ever.
    pub(super) fn until(&self, what: &str, is_so: impl Fn() -> bool) -> Result<()> {
        let late = Instant::now() + PATIENCE;
        while !is_so() {
            if Instant::now() > late || child::interrupted() {
                bail!("waited in vain until {what}");
            }
            thread::sleep(Duration::from_millis(100));
        }
        Ok(())
    }

    fn ask(&self, what: &str, parameters: &[(&str, &str)]) -> Result<Value> {
        let mut curl = Command::new("curl");
        curl.args(["-sS", "-G"]).stderr(Stdio::piped());
        for (name, value) in parameters {
            curl.arg("--data-urlencode").arg(format!("{name}={value}"));
        }
        let text = child::capture(curl.arg(format!("{}/api/v1/{what}", self.url)))?;
        let answer: Value = serde_json::from_str(&text).with_context(|| format!("Prometheus says {text}"))?;
        ensure!(answer["status"] == "success", "Prometheus says {}", answer["error"]);
        Ok(answer["data"].clone())
    }
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        // It may have ended by itself; what it knows is thrown away.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The example's text, aimed at this service.
fn configured(folder: &Path, address: &str) -> Result<String> {
    let key = folder.join("metrics_key");
    fs::write(&key, "none is needed on this machine").context("cannot write a key")?;
    let example = fs::read_to_string(file("prometheus.yml")).context("cannot read the example")?;
    let changes = [
        ("15s", "1s".to_owned()),
        ("alerts/*.yml", file("alerts/*.yml").display().to_string()),
        ("/run/secrets/metrics_key", key.display().to_string()),
        ("\"matchbook-1:7420\", \"matchbook-2:7420\"", format!("\"{address}\"")),
    ];
    changes.iter().try_fold(example, |text, (old, new)| {
        ensure!(text.contains(old), "the example has no `{old}` any more");
        Ok(text.replace(old, new))
    })
}
