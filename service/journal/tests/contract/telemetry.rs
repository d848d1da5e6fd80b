//! What metrics and traces say of appends, as docs/telemetry.md describes them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use journal::{Append, AppendError, Journal, MatchRow};
use opentelemetry::metrics::MeterProvider;
use opentelemetry::trace::TracerProvider;
use opentelemetry::{Key, KeyValue};
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::metrics::data::{
    AggregatedMetrics, Histogram, MetricData, ResourceMetrics, ScopeMetrics,
};
use opentelemetry_sdk::metrics::exporter::PushMetricExporter;
use opentelemetry_sdk::metrics::{SdkMeterProvider, Temporality};
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};
use rstest::rstest;
use tracing::subscriber::NoSubscriber;
use tracing_subscriber::prelude::*;

use crate::samples::{create, created, move_at, new_id, registered, row};
use crate::stores::{Kind, TestStore};

/// The histograms' counts and sums by name and label values. A sum of seconds is left out.
type Recorded = BTreeMap<String, (u64, u64)>;

/// Keeps what is exported: the newest of each histogram, and all spans.
#[derive(Clone, Debug, Default)]
struct Collected {
    histograms: Arc<Mutex<Recorded>>,
    spans: Arc<Mutex<Vec<SpanData>>>,
}

impl PushMetricExporter for Collected {
    async fn export(&self, metrics: &ResourceMetrics) -> OTelSdkResult {
        let mut histograms = self.histograms.lock().unwrap();
        for metric in metrics.scope_metrics().flat_map(ScopeMetrics::metrics) {
            match metric.data() {
                AggregatedMetrics::F64(MetricData::Histogram(histogram)) => {
                    collect(&mut histograms, metric.name(), histogram, |_seconds| 0);
                }
                AggregatedMetrics::U64(MetricData::Histogram(histogram)) => {
                    collect(&mut histograms, metric.name(), histogram, |sum| sum);
                }
                other => panic!("{} is no histogram: {other:?}", metric.name()),
            }
        }
        Ok(())
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _timeout: Duration) -> OTelSdkResult {
        Ok(())
    }

    fn temporality(&self) -> Temporality {
        Temporality::Cumulative
    }
}

impl SpanExporter for Collected {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        self.spans.lock().unwrap().extend(batch);
        Ok(())
    }
}

fn collect<T: Copy>(to: &mut Recorded, name: &str, histogram: &Histogram<T>, sum: impl Fn(T) -> u64) {
    for point in histogram.data_points() {
        let mut labels: Vec<_> = point.attributes().map(|label| (&label.key, label.value.as_str())).collect();
        labels.sort_unstable();
        let series = labels.iter().fold(name.to_owned(), |series, (_, value)| format!("{series} {value}"));
        to.insert(series, (point.count(), sum(point.sum())));
    }
}

/// Makes four appends that are committed, of which the last follows a conflict in its match, and two that
/// are not.
async fn append_and_fail(journal: &Journal) {
    let (id, hlc) = created(journal).await;
    let request = |id| {
        let row = MatchRow { registered: registered("ann", Some([5; 32])), ..row(id) };
        Append { match_row: Some(row), ..create(id) }
    };
    journal.append(request(new_id())).await.unwrap();
    assert_eq!(journal.append(request(new_id())).await, Err(AppendError::DuplicateCreate));
    let hlc = journal.append(move_at(id, 2, hlc, "x")).await.unwrap().hlc;
    assert_eq!(journal.append(move_at(id, 2, hlc, "y")).await, Err(AppendError::Conflict));
    journal.append(move_at(id, 3, hlc, "x")).await.unwrap();
}

#[rstest]
#[tokio::test]
async fn appends_are_counted_by_writer_and_outcome(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let collected = Collected::default();
    let provider = SdkMeterProvider::builder().with_periodic_exporter(collected.clone()).build();
    let journal = store.open_with(|config| config.meter = provider.meter("journal")).await;
    append_and_fail(&journal).await;
    provider.force_flush().unwrap();
    // Only where other replicas can write does an append after a conflict use the contended writer.
    let contended = u64::from(kind == Kind::Postgres);
    let batching = 4 - contended;
    let expected = [
        ("append.duration committed batching", (batching, 0)),
        ("append.duration committed contended", (contended, 0)),
        ("append.duration conflict batching", (1, 0)),
        ("append.duration duplicate_create batching", (1, 0)),
        ("batch.appends batching", (batching, batching)),
        ("batch.appends contended", (contended, contended)),
        ("commit.duration batching", (batching, 0)),
        ("commit.duration contended", (contended, 0)),
    ];
    let expected = expected.map(|(series, value)| (format!("matchbook.journal.{series}"), value));
    let recorded = collected.histograms.lock().unwrap().clone();
    assert_eq!(recorded, expected.into());
}

/// Returns names and outcomes of the spans that have an outcome, in alphabetical order.
fn outcomes(spans: &[SpanData]) -> Vec<(String, String)> {
    let outcome = |attributes: &[KeyValue]| {
        let outcome = attributes.iter().find(|one| one.key == Key::new("matchbook.outcome"))?;
        Some(outcome.value.to_string())
    };
    let named = |span: &SpanData| Some((span.name.to_string(), outcome(&span.attributes)?));
    let mut outcomes: Vec<_> = spans.iter().filter_map(named).collect();
    outcomes.sort_unstable();
    outcomes
}

#[rstest]
#[tokio::test]
async fn a_trace_has_the_outcome_of_the_append_and_of_its_commit(
    // SQLite's calls run on a thread of their own, which has no subscriber here.
    #[values(Kind::Memory, Kind::Postgres)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let collected = Collected::default();
    let provider = SdkTracerProvider::builder().with_simple_exporter(collected.clone()).build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("journal"));
    // While there is one subscriber only, tracing asks the thread that reaches a span first whether it has
    // one, and that may be another test's.
    let _other = tracing::Dispatch::new(NoSubscriber::new());
    // For this thread, on which all of the test's tasks run.
    let _subscriber = tracing_subscriber::registry().with(layer).set_default();
    let journal = store.open().await;
    append_and_fail(&journal).await;
    let appends = ["committed", "committed", "committed", "committed", "conflict", "duplicate_create"];
    let commits = ["committed", "committed", "committed", "committed", "create_exists", "event_exists"];
    let of = |name: &str, outcomes: [&str; 6]| outcomes.map(|outcome| (name.to_owned(), outcome.to_owned()));
    let expected = [of("INSERT event", commits), of("append", appends)].concat();
    assert_eq!(outcomes(&collected.spans.lock().unwrap()), expected);
}
