//! Conversions that no game owns: seats, viewers, times, questions.

use event::RecordedTime;
use rules::{Question, QuestionKind, Seat, ValueType, Viewer};
use wire::v1 as proto;

/// The seat that a request names, unless it names none or one that is unknown.
pub fn seat_from_wire(seat: i32) -> Option<Seat> {
    match proto::Seat::try_from(seat).ok()? {
        proto::Seat::Unspecified => None,
        proto::Seat::Zero => Some(Seat::Zero),
        proto::Seat::One => Some(Seat::One),
    }
}

/// A seat as clients and the log have it.
pub fn seat_to_wire(seat: Seat) -> proto::Seat {
    match seat {
        Seat::Zero => proto::Seat::Zero,
        Seat::One => proto::Seat::One,
    }
}

/// Who looks, as clients have it.
pub fn viewer_to_wire(viewer: Viewer) -> proto::Viewer {
    match viewer {
        Viewer::Spectator => proto::Viewer::Spectator,
        Viewer::Seat(Seat::Zero) => proto::Viewer::SeatZero,
        Viewer::Seat(Seat::One) => proto::Viewer::SeatOne,
        Viewer::Open => proto::Viewer::Open,
    }
}

/// A time of the log as a timestamp.
pub fn timestamp_to_wire(RecordedTime(micros): RecordedTime) -> prost_types::Timestamp {
    let nanos = micros.rem_euclid(1_000_000) * 1_000;
    prost_types::Timestamp {
        seconds: micros.div_euclid(1_000_000),
        nanos: i32::try_from(nanos).expect("less than a second of nanoseconds fits"),
    }
}

/// A question on the way to a move, as clients have it.
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
    fn times_keep_their_microseconds_before_and_after_1970() {
        let time = |micros| {
            let stamp = timestamp_to_wire(RecordedTime(micros));
            (stamp.seconds, stamp.nanos)
        };
        assert_eq!(time(1_500_000), (1, 500_000_000));
        assert_eq!(time(-1), (-1, 999_999_000));
    }
}
