//! Appends for tests: small ones that differ enough to be told apart.

use bytes::Bytes;
use event::Event;
use journal::{
    Append, Clock, DeadlineChange, Journal, MatchId, MatchRow, MatchStatus, NewEvent, RecordedTime, SeatRow,
    Seq, StoredEvent, Visibility,
};
use uuid::Uuid;

/// A match that no other test knows.
pub(crate) fn new_id() -> MatchId {
    MatchId(Uuid::now_v7())
}

/// An event that tells its match, its place and who wrote it.
pub(crate) fn event(id: MatchId, seq: u32, writer: &str) -> NewEvent {
    let mut hash = [0; 32];
    hash[..16].copy_from_slice(id.0.as_bytes());
    hash[28..].copy_from_slice(&seq.to_be_bytes());
    new(Event {
        seq: Seq(seq),
        recorded_time: RecordedTime(1_700_000_000_000_000 + i64::from(seq)),
        kind: 5,
        hash,
        public: Bytes::from(format!("{writer} {id} {seq}")),
        sealed: None,
    })
}

/// An event without a request.
pub(crate) fn new(event: Event) -> NewEvent {
    NewEvent { event, request_hash: None }
}

/// One event after the first.
pub(crate) fn move_at(id: MatchId, seq: u32, after: Clock, writer: &str) -> Append {
    Append {
        match_id: id,
        events: vec![event(id, seq, writer)],
        after_clock: Some(after),
        match_row: None,
        deadline: DeadlineChange::Keep,
    }
}

/// A match's first event and its line in the directory.
pub(crate) fn create(id: MatchId) -> Append {
    Append {
        match_id: id,
        events: vec![event(id, 1, "creator")],
        after_clock: None,
        match_row: Some(row(id)),
        deadline: DeadlineChange::Keep,
    }
}

/// An open public match.
pub(crate) fn row(id: MatchId) -> MatchRow {
    MatchRow {
        match_id: id,
        owner: "ann".to_owned(),
        create_request_hash: None,
        game: "ludus-magus".to_owned(),
        status: MatchStatus::Open,
        visibility: Visibility::Public,
        created_time: RecordedTime(1_700_000_000_000_000),
        started_time: None,
        ended_time: None,
        seats: [SeatRow::default(), SeatRow::default()],
        winner: None,
        reason: None,
        parent: None,
    }
}

/// Creates a match; gives the clock of its first event.
pub(crate) async fn created(journal: &Journal) -> (MatchId, Clock) {
    let id = new_id();
    let clock = journal.append(create(id)).await.unwrap().clock;
    (id, clock)
}

/// The whole log of a match, with a look at its order.
pub(crate) async fn log(journal: &Journal, id: MatchId) -> Vec<StoredEvent> {
    let events = journal.events(id, Seq(0), 100_000).await.unwrap();
    for (event, seq) in events.iter().zip(1..) {
        assert_eq!(event.event.seq, Seq(seq), "the log has a gap");
    }
    assert!(events.windows(2).all(|pair| pair[0].clock <= pair[1].clock), "a clock ran backwards");
    events
}
