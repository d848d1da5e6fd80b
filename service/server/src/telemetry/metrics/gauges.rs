//! Observable instruments, whose values are read when the metrics are collected.

use journal::{Journal, QueueStats};
use opentelemetry::KeyValue;
use opentelemetry::metrics::{AsyncInstrument, Meter};
use play::{Play, PlayStats};

/// Registers the instruments.
pub(super) fn observe(meter: &Meter, play: &Play, journal: &Journal) {
    build_info(meter);
    gauge(meter, play, "matchbook.live.matches", "Matches cached in memory", |stats| {
        stats.live_matches as u64
    });
    gauge(meter, play, "matchbook.open.watches", "Open watches", |stats| stats.streams as u64);
    counter(meter, play, "matchbook.live.hits", "Calls whose match was cached in memory", |stats| {
        stats.live_hits
    });
    counter(
        meter,
        play,
        "matchbook.live.misses",
        "Calls that loaded their match from the database",
        |stats| stats.live_misses,
    );
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

fn gauge(meter: &Meter, play: &Play, name: &'static str, help: &'static str, value: fn(PlayStats) -> u64) {
    let play = play.clone();
    meter
        .u64_observable_gauge(name)
        .with_description(help)
        .with_callback(move |gauge| gauge.observe(value(play.stats()), &[]))
        .build();
}

fn counter(meter: &Meter, play: &Play, name: &'static str, help: &'static str, value: fn(PlayStats) -> u64) {
    let play = play.clone();
    meter
        .u64_observable_counter(name)
        .with_description(help)
        .with_callback(move |counter| counter.observe(value(play.stats()), &[]))
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
