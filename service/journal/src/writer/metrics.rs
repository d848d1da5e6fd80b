//! The writers' metrics, recorded on a meter that the caller configures.

use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{BoundHistogram, Histogram, Meter};

use super::WriterKind;
use crate::{AppendError, Committed};

/// Bucket boundaries in seconds: from a commit on the fastest disk to where every timeout has passed.
const DURATIONS: [f64; 14] =
    [0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.125, 0.25, 0.5, 1.0, 2.5, 10.0];

/// Bucket boundaries in appends, up to the largest batch.
const SIZES: [f64; 10] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];

/// The instruments of both writers.
pub(crate) struct WriterMetrics {
    append_duration: Histogram<f64>,
    batching: Bound,
    contended: Bound,
}

/// The instruments of one writer that every append uses, bound to their labels.
struct Bound {
    append_duration: BoundHistogram<f64>,
    commit_duration: BoundHistogram<f64>,
    batch_appends: BoundHistogram<u64>,
}

impl WriterMetrics {
    pub(crate) fn new(meter: &Meter) -> WriterMetrics {
        let append_duration = meter
            .f64_histogram("matchbook.journal.append.duration")
            .with_unit("s")
            .with_description("Duration of an append, from entering the queue to its answer")
            .with_boundaries(DURATIONS.into())
            .build();
        let commit_duration = meter
            .f64_histogram("matchbook.journal.commit.duration")
            .with_unit("s")
            .with_description("Duration of a batch's commit in the database, including failed attempts")
            .with_boundaries(DURATIONS.into())
            .build();
        let batch_appends = meter
            .u64_histogram("matchbook.journal.batch.appends")
            .with_description("Appends per committed batch")
            .with_boundaries(SIZES.into())
            .build();
        let bound = |kind| Bound {
            append_duration: append_duration.bind(&[writer(kind), outcome("committed")]),
            commit_duration: commit_duration.bind(&[writer(kind)]),
            batch_appends: batch_appends.bind(&[writer(kind)]),
        };
        let (batching, contended) = (bound(WriterKind::Batching), bound(WriterKind::Contended));
        WriterMetrics { append_duration, batching, contended }
    }

    /// Records the answer of an append.
    pub(crate) fn record_append(
        &self,
        kind: WriterKind,
        answer: &Result<Committed, AppendError>,
        duration: Duration,
    ) {
        let seconds = duration.as_secs_f64();
        match answer {
            Ok(_) => self.of(kind).append_duration.record(seconds),
            Err(_) => self.append_duration.record(seconds, &[writer(kind), outcome(outcome_word(answer))]),
        }
    }

    /// Records the commit of a batch.
    pub(crate) fn record_commit(&self, kind: WriterKind, appends: usize, duration: Duration) {
        let bound = self.of(kind);
        bound.commit_duration.record(duration.as_secs_f64());
        bound.batch_appends.record(appends as u64);
    }

    fn of(&self, kind: WriterKind) -> &Bound {
        match kind {
            WriterKind::Batching => &self.batching,
            WriterKind::Contended => &self.contended,
        }
    }
}

fn writer(kind: WriterKind) -> KeyValue {
    KeyValue::new("writer", kind.as_str())
}

fn outcome(word: &'static str) -> KeyValue {
    KeyValue::new("outcome", word)
}

/// Returns the outcome of an append in one word.
pub(crate) fn outcome_word(answer: &Result<Committed, AppendError>) -> &'static str {
    match answer {
        Ok(_) => "committed",
        Err(AppendError::Conflict) => "conflict",
        Err(AppendError::HistoryChanged) => "history_changed",
        Err(AppendError::DuplicateCreate) => "duplicate_create",
        Err(AppendError::Overloaded { .. }) => "overloaded",
        Err(AppendError::OutcomeUnknown) => "outcome_unknown",
        Err(AppendError::Refused { .. }) => "refused",
        Err(AppendError::TooLarge) => "too_large",
        Err(AppendError::Stopped) => "stopped",
    }
}
