//! Observable instruments, whose values are read when the metrics are collected. A new one without labels
//! is a row of a table here, and of the table in `docs/telemetry.md`.

use journal::{Journal, QueueStats};
use opentelemetry::KeyValue;
use opentelemetry::metrics::{AsyncInstrument, Meter};
use play::{AttemptResult, Play, StreamKind};

/// An instrument's name, its description, and how its value is read.
type PlayValue = (&'static str, &'static str, fn(&Play) -> u64);

/// Values that rise and fall.
const GAUGES: &[PlayValue] = &[
    ("matchbook.live.matches", "Matches cached in memory", Play::live_matches),
    ("matchbook.live.weight", "Estimated bytes of the matches in memory", Play::live_bytes),
    ("matchbook.webhook.leases", "Webhooks that this replica delivers to", Play::leased_webhooks),
];

/// Values that only rise.
const COUNTERS: &[PlayValue] = &[
    ("matchbook.live.hits", "Calls whose match was cached in memory", Play::live_hits),
    ("matchbook.live.misses", "Calls that loaded their match from the database", Play::live_misses),
    ("matchbook.webhook.dead.letters", "Events that no webhook took in time", Play::webhook_dead_letters),
];

/// Registers the instruments.
pub(super) fn observe(meter: &Meter, play: &Play, journal: &Journal) {
    build_info(meter);
    for value in GAUGES {
        gauge(meter, play.clone(), *value);
    }
    for value in COUNTERS {
        counter(meter, play.clone(), *value);
    }
    open_streams(meter, play.clone());
    webhook_attempts(meter, play.clone());
    queues(meter, journal);
    pool(meter, journal);
}

fn build_info(meter: &Meter) {
    meter
        .u64_observable_gauge("matchbook.build.info")
        .with_description("Always 1; the label is the running version")
        .with_callback(|gauge| gauge.observe(1, &[KeyValue::new("version", env!("CARGO_PKG_VERSION"))]))
        .build();
}

fn gauge(meter: &Meter, play: Play, (name, description, read): PlayValue) {
    meter
        .u64_observable_gauge(name)
        .with_description(description)
        .with_callback(move |gauge| gauge.observe(read(&play), &[]))
        .build();
}

fn counter(meter: &Meter, play: Play, (name, description, read): PlayValue) {
    meter
        .u64_observable_counter(name)
        .with_description(description)
        .with_callback(move |counter| counter.observe(read(&play), &[]))
        .build();
}

fn open_streams(meter: &Meter, play: Play) {
    meter
        .u64_observable_gauge("matchbook.open.streams")
        .with_description("Open watches, exports, feeds and streams of moves")
        .with_callback(move |gauge| {
            for kind in StreamKind::ALL {
                gauge.observe(play.open_streams(kind), &[KeyValue::new("kind", kind.as_str())]);
            }
        })
        .build();
}

fn webhook_attempts(meter: &Meter, play: Play) {
    meter
        .u64_observable_counter("matchbook.webhook.attempts")
        .with_description("Attempts to deliver an event to a webhook, by what came of them")
        .with_callback(move |counter| {
            for result in AttemptResult::ALL {
                counter.observe(play.webhook_attempts(result), &[KeyValue::new("result", result.as_str())]);
            }
        })
        .build();
}

fn queues(meter: &Meter, journal: &Journal) {
    let source = journal.clone();
    meter
        .u64_observable_gauge("matchbook.journal.queue.appends")
        .with_description("Appends queued for a writer and not yet in a batch")
        .with_callback(move |gauge| by_writer(&source, gauge, |queue| queue.requests as u64))
        .build();
    let source = journal.clone();
    meter
        .u64_observable_gauge("matchbook.journal.queue")
        .with_unit("By")
        .with_description("Bytes of the appends queued for a writer")
        .with_callback(move |gauge| by_writer(&source, gauge, |queue| queue.bytes as u64))
        .build();
}

fn by_writer(journal: &Journal, gauge: &dyn AsyncInstrument<u64>, value: fn(QueueStats) -> u64) {
    let stats = journal.stats();
    for (writer, queue) in [("batching", Some(stats.batching)), ("contended", stats.contended)] {
        if let Some(queue) = queue {
            gauge.observe(value(queue), &[KeyValue::new("writer", writer)]);
        }
    }
}

fn pool(meter: &Meter, journal: &Journal) {
    let journal = journal.clone();
    meter
        .u64_observable_gauge("matchbook.database.connections")
        .with_description("Database connections for reads; each writer has one more")
        .with_callback(move |gauge| {
            let Some(pool) = journal.stats().pool else { return };
            let used = pool.open.saturating_sub(pool.idle);
            gauge.observe(pool.idle as u64, &[KeyValue::new("state", "idle")]);
            gauge.observe(used as u64, &[KeyValue::new("state", "used")]);
        })
        .build();
}
