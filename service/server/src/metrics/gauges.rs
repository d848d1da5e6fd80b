//! What is not counted but looked up at the moment when somebody reads: nothing here is on the way of a call.

use journal::{Journal, QueueStats};
use opentelemetry::KeyValue;
use opentelemetry::metrics::{AsyncInstrument, Meter};
use play::{Play, PlayStats};

/// Begins to tell of these.
pub(crate) fn observe(meter: &Meter, play: &Play, journal: &Journal) {
    build_info(meter);
    gauge(
        meter,
        play,
        "matchbook.live.matches",
        "Matches in memory, in use or kept for the next call",
        |stats| stats.live_matches as u64,
    );
    gauge(meter, play, "matchbook.open.watches", "Watches that are open", |stats| stats.streams as u64);
    counter(meter, play, "matchbook.live.hits", "Calls that found their match in memory", |stats| {
        stats.live_hits
    });
    counter(meter, play, "matchbook.live.misses", "Calls that had their match's log read first", |stats| {
        stats.live_misses
    });
    queues(meter, journal);
    pool(meter, journal);
}

fn build_info(meter: &Meter) {
    meter
        .u64_observable_gauge("matchbook.build.info")
        .with_description("Always 1; the label says which version runs")
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
    let asked = journal.clone();
    meter
        .u64_observable_gauge("matchbook.journal.queue.appends")
        .with_description("Appends in a writer's queue")
        .with_callback(move |gauge| by_writer(&asked, gauge, |queue| queue.requests as u64))
        .build();
    let asked = journal.clone();
    meter
        .u64_observable_gauge("matchbook.journal.queue")
        .with_unit("By")
        .with_description("Bytes of the appends in a writer's queue")
        .with_callback(move |gauge| by_writer(&asked, gauge, |queue| queue.bytes as u64))
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
        .with_description("Database connections for reading; each writer has one besides")
        .with_callback(move |gauge| {
            let Some(pool) = journal.stats().pool else { return };
            let used = pool.open.saturating_sub(pool.idle);
            gauge.observe(pool.idle as u64, &[KeyValue::new("state", "idle")]);
            gauge.observe(used as u64, &[KeyValue::new("state", "used")]);
        })
        .build();
}
