//! Conversions that belong to no game: seats, viewers, times, questions.

use event::RecordTime;
use rules::{Question, QuestionKind, Seat, ValueType, Viewer};
use wire::v1 as proto;

/// Reads a seat. Returns `None` if it is unspecified or unknown.
pub fn seat_from_wire(seat: i32) -> Option<Seat> {
    match proto::Seat::try_from(seat).ok()? {
        proto::Seat::Unspecified => None,
        proto::Seat::Zero => Some(Seat::Zero),
        proto::Seat::One => Some(Seat::One),
    }
}

/// Converts a seat for clients and the log.
pub fn seat_to_wire(seat: Seat) -> proto::Seat {
    match seat {
        Seat::Zero => proto::Seat::Zero,
        Seat::One => proto::Seat::One,
    }
}

/// Converts a viewer for clients.
pub fn viewer_to_wire(viewer: Viewer) -> proto::Viewer {
    match viewer {
        Viewer::Spectator => proto::Viewer::Spectator,
        Viewer::Seat(Seat::Zero) => proto::Viewer::SeatZero,
        Viewer::Seat(Seat::One) => proto::Viewer::SeatOne,
        Viewer::Open => proto::Viewer::Open,
    }
}

/// Converts a record time to a timestamp with microsecond precision.
pub fn timestamp_to_wire(RecordTime(micros): RecordTime) -> prost_types::Timestamp {
    let nanos = micros.rem_euclid(1_000_000) * 1_000;
    prost_types::Timestamp {
        seconds: micros.div_euclid(1_000_000),
        nanos: i32::try_from(nanos).expect("less than a second of nanoseconds fits"),
    }
}

/// Converts a question whose answer is part of a move.
pub fn question_to_wire(question: &Question) -> proto::Question {
    let kind = match &question.kind {
        QuestionKind::OneOf(offers) => {
            let offers = offers.iter().map(|offer| proto::Offer {
                value: offer.value.clone(),
                label: offer.label.clone(),
                value_type: value_type_to_wire(offer.value_type).into(),
            });
            proto::question::Kind::OneOf(proto::OneOf { offers: offers.collect() })
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
