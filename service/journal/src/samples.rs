//! Minimal appends for unit tests.

use bytes::Bytes;
use event::{Event, Seats};
use uuid::Uuid;

use crate::{
    Append, DeadlineChange, Hlc, Journal, Labels, MatchId, MatchRow, NewEvent, Predecessor, RecordTime,
    Registered, Seq, Visibility,
};

/// Returns the seq of a match's newest event.
pub(crate) async fn head_seq(journal: &Journal, id: MatchId) -> Option<Seq> {
    journal.head(id).await.unwrap().map(|head| head.seq)
}

/// Returns the id of the n-th match.
pub(crate) fn id(n: u128) -> MatchId {
    MatchId(Uuid::from_u128(n))
}

/// Appends one event with this seq.
pub(crate) fn move_at(match_id: MatchId, seq: u32) -> Append {
    let event = Event {
        seq: Seq(seq),
        record_time: RecordTime(1),
        kind: 1,
        hash: [3; 32],
        public: Bytes::from_static(b"public"),
        sealed: None,
    };
    let after = (seq > 1).then_some(Predecessor { hash: event.hash, hlc: Hlc(1) });
    Append {
        match_id,
        events: vec![NewEvent { event, request_hash: None }],
        after,
        match_row: None,
        deadline: DeadlineChange::Keep,
        labels: Labels::default(),
        to_act: Seats::NONE,
    }
}

/// Appends a match's first event and its row.
pub(crate) fn create(match_id: MatchId, request: [u8; 32]) -> Append {
    Append { match_row: Some(row(match_id, request)), ..move_at(match_id, 1) }
}

fn row(match_id: MatchId, request: [u8; 32]) -> MatchRow {
    MatchRow {
        registered: Registered::new("ann".to_owned(), Some(request)),
        game: "ace-exorcist".to_owned(),
        visibility: Visibility::Public,
        create_time: RecordTime(1),
        ..MatchRow::new(match_id)
    }
}
