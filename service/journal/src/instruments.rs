//! What the journal measures, on a meter that it is handed. Who reads the meter, and in which form, is not known here.

use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{BoundHistogram, Histogram, Meter};

use crate::lane::Role;
use crate::{AppendError, Committed};

/// Seconds: from a commit on the fastest disk to where everything has given up.
const DURATIONS: [f64; 14] =
    [0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.125, 0.25, 0.5, 1.0, 2.5, 10.0];

/// Appends, up to the most that a batch can carry.
const SIZES: [f64; 10] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];

/// The instruments of both lanes.
pub(crate) struct Instruments {
    answers: Histogram<f64>,
    writer: OfLane,
    solo: OfLane,
}

/// What happens all the time, found without looking for its labels.
struct OfLane {
    answered: BoundHistogram<f64>,
    committed: BoundHistogram<f64>,
    batch: BoundHistogram<u64>,
}

impl Instruments {
    pub(crate) fn new(meter: &Meter) -> Instruments {
        let answers = meter
            .f64_histogram("matchbook.journal.append.duration")
            .with_unit("s")
            .with_description("Time from asking for an append to its answer, waiting in the queue included")
            .with_boundaries(DURATIONS.into())
            .build();
        let commits = meter
            .f64_histogram("matchbook.journal.commit.duration")
            .with_unit("s")
            .with_description("Time that the database took for a batch, attempts that failed included")
            .with_boundaries(DURATIONS.into())
            .build();
        let batches = meter
            .u64_histogram("matchbook.journal.batch.appends")
            .with_description("Appends that were committed together in a batch")
            .with_boundaries(SIZES.into())
            .build();
        let of_lane = |role| OfLane {
            answered: answers.bind(&[lane(role), outcome(&Ok(()))]),
            committed: commits.bind(&[lane(role)]),
            batch: batches.bind(&[lane(role)]),
        };
        let (writer, solo) = (of_lane(Role::Writer), of_lane(Role::Solo));
        Instruments { answers, writer, solo }
    }

    /// An append that went through a lane has its answer.
    pub(crate) fn answered(&self, role: Role, answer: &Result<Committed, AppendError>, took: Duration) {
        match answer {
            Ok(_) => self.of(role).answered.record(took.as_secs_f64()),
            Err(error) => {
                self.answers.record(took.as_secs_f64(), &[lane(role), outcome(&Err(error))]);
            }
        }
    }

    /// A batch of so many appends is in the database.
    pub(crate) fn committed(&self, role: Role, appends: usize, took: Duration) {
        let of_lane = self.of(role);
        of_lane.committed.record(took.as_secs_f64());
        of_lane.batch.record(appends as u64);
    }

    fn of(&self, role: Role) -> &OfLane {
        match role {
            Role::Writer => &self.writer,
            Role::Solo => &self.solo,
        }
    }
}

fn lane(role: Role) -> KeyValue {
    KeyValue::new("lane", role.name())
}

fn outcome(answer: &Result<(), &AppendError>) -> KeyValue {
    KeyValue::new("outcome", outcome_word(answer))
}

/// What became of an append, in one word.
pub(crate) fn outcome_word<T>(answer: &Result<T, &AppendError>) -> &'static str {
    match answer {
        Ok(_) => "committed",
        Err(AppendError::Conflict) => "conflict",
        Err(AppendError::DuplicateCreate) => "duplicate_create",
        Err(AppendError::Overloaded { .. }) => "overloaded",
        Err(AppendError::OutcomeUnknown) => "outcome_unknown",
        Err(AppendError::Refused { .. }) => "refused",
        Err(AppendError::TooLarge) => "too_large",
        Err(AppendError::Stopped) => "stopped",
    }
}
