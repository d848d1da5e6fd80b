//! Conversions that belong to no game: seats, viewers, times, questions.

use event::{RecordTime, Seat};
use rules::{Question, QuestionKind, ValueType, Viewer};
use wire::v1 as proto;

/// Reads the number of a seat, in a request or in the log. Returns `None` if no match has such a seat.
pub fn seat_from_wire(seat: u32) -> Option<Seat> {
    Seat::from_number(seat)
}

/// Converts a seat to its number, for clients and the log.
pub fn seat_to_wire(seat: Seat) -> u32 {
    seat.number().into()
}

/// Converts a viewer for clients.
pub fn viewer_to_wire(viewer: Viewer<Seat>) -> proto::Viewer {
    use proto::viewer::Kind;
    let (kind, seat) = match viewer {
        Viewer::Spectator => (Kind::Spectator, None),
        Viewer::Seat(seat) => (Kind::Seat, Some(seat_to_wire(seat))),
        Viewer::Open => (Kind::Open, None),
    };
    proto::Viewer { kind: kind.into(), seat }
}

/// Converts a record time to a timestamp with microsecond precision.
pub fn timestamp_to_wire(RecordTime(micros): RecordTime) -> prost_types::Timestamp {
    let nanos = micros.rem_euclid(1_000_000) * 1_000;
    prost_types::Timestamp {
        seconds: micros.div_euclid(1_000_000),
        nanos: i32::try_from(nanos).expect("less than a second of nanoseconds fits"),
    }
}

/// Converts a duration of microseconds.
pub(crate) fn duration_to_wire(micros: i64) -> prost_types::Duration {
    let nanos = micros % 1_000_000 * 1_000;
    prost_types::Duration {
        seconds: micros / 1_000_000,
        nanos: i32::try_from(nanos).expect("less than a second of nanoseconds fits"),
    }
}

/// Reads a duration of whole milliseconds. Returns `None` for any other, and for a negative one.
pub(crate) fn duration_from_wire(duration: &prost_types::Duration) -> Option<u64> {
    let (seconds, nanos) = (u64::try_from(duration.seconds).ok()?, u64::try_from(duration.nanos).ok()?);
    let whole = nanos.is_multiple_of(1_000_000) && nanos < 1_000_000_000;
    whole.then_some(seconds.checked_mul(1_000)?.checked_add(nanos / 1_000_000)?)
}

/// Converts a question whose answer is part of a move.
pub fn question_to_wire(question: &Question) -> proto::Question {
    let kind = match &question.kind {
        QuestionKind::OneOf(choices) => {
            let choices = choices.iter().map(|choice| proto::Choice {
                value: choice.value.clone(),
                label: choice.label.clone(),
                value_type: value_type_to_wire(choice.value_type).into(),
            });
            proto::question::Kind::ChoiceList(proto::ChoiceList { choices: choices.collect() })
        }
        QuestionKind::Integer { min, max } => {
            proto::question::Kind::Integer(proto::IntegerRange { min_value: *min, max_value: *max })
        }
        QuestionKind::Text { min_chars, max_chars } => {
            proto::question::Kind::Text(proto::TextLimits { min_chars: *min_chars, max_chars: *max_chars })
        }
    };
    proto::Question { prompt: question.prompt.clone(), kind: Some(kind) }
}

fn value_type_to_wire(value_type: ValueType) -> proto::ValueType {
    match value_type {
        ValueType::Square => proto::ValueType::Square,
        ValueType::Card => proto::ValueType::Card,
        ValueType::Piece => proto::ValueType::Piece,
        ValueType::Kind => proto::ValueType::Kind,
        ValueType::Number => proto::ValueType::Number,
        ValueType::Enough => proto::ValueType::Enough,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_keep_microseconds_before_and_after_1970() {
        let time = |micros| {
            let stamp = timestamp_to_wire(RecordTime(micros));
            (stamp.seconds, stamp.nanos)
        };
        assert_eq!(time(1_500_000), (1, 500_000_000));
        assert_eq!(time(-1), (-1, 999_999_000));
    }
}
