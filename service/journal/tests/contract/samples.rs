//! Small appends for tests, with contents that identify them.

use bytes::Bytes;
use event::{Bucket, Event, RedactedEvent, Seats};
use journal::{
    Append, DeadlineChange, Hlc, Journal, Labels, MatchId, MatchRow, NewEvent, PageSize, PlayerRow,
    Predecessor, RecordTime, Registered, SeatRow, Seq, ServiceIdentity, StoredEvent, Visibility,
};
use uuid::Uuid;

/// Returns a new match id.
pub(crate) fn new_id() -> MatchId {
    MatchId(Uuid::now_v7())
}

/// Returns a new match id in the bucket of what may be given to one match only, as the service chooses it.
pub(crate) fn new_id_of(unique: &str) -> MatchId {
    let sum = unique.bytes().fold(0, u8::wrapping_add);
    new_id().in_bucket(Bucket::of_hash(&[sum; 32]))
}

/// Returns an event whose public part contains its writer, match and seq.
pub(crate) fn event(id: MatchId, seq: u32, writer: &str) -> NewEvent {
    new(Event {
        seq: Seq(seq),
        record_time: RecordTime(1_700_000_000_000_000 + i64::from(seq)),
        kind: 5,
        hash: hash(id, seq),
        public: Bytes::from(format!("{writer} {id} {seq}")),
        sealed: None,
    })
}

/// Returns the hash of the event with this seq, the same for every writer.
pub(crate) fn hash(id: MatchId, seq: u32) -> [u8; 32] {
    let mut hash = [0; 32];
    hash[..16].copy_from_slice(id.0.as_bytes());
    hash[28..].copy_from_slice(&seq.to_be_bytes());
    hash
}

/// Returns an event to append without a request id.
pub(crate) fn new(event: RedactedEvent) -> NewEvent {
    NewEvent { event, request_hash: None }
}

/// Appends one event that is not the first.
pub(crate) fn move_at(id: MatchId, seq: u32, after: Hlc, writer: &str) -> Append {
    Append {
        match_id: id,
        events: vec![event(id, seq, writer)],
        after: Some(Predecessor { hash: hash(id, seq - 1), hlc: after }),
        match_row: None,
        deadline: DeadlineChange::Keep,
        labels: Labels::default(),
        to_act: Seats::NONE,
    }
}

/// Appends a match's first event and its row.
pub(crate) fn create(id: MatchId) -> Append {
    Append {
        match_id: id,
        events: vec![event(id, 1, "creator")],
        after: None,
        match_row: Some(row(id)),
        deadline: DeadlineChange::Keep,
        labels: Labels::default(),
        to_act: Seats::NONE,
    }
}

/// Returns the row of an open public match.
pub(crate) fn row(id: MatchId) -> MatchRow {
    MatchRow {
        registered: registered("ann", None),
        game: "ludus-magus".to_owned(),
        visibility: Visibility::Public,
        create_time: RecordTime(1_700_000_000_000_000),
        ..MatchRow::new(id)
    }
}

/// Returns what an owner gives when it creates a match, perhaps by a request with this hash.
pub(crate) fn registered(owner: &str, create_request_hash: Option<[u8; 32]>) -> Registered {
    Registered::new(owner.to_owned(), create_request_hash)
}

/// Returns a claimed seat whose player has this name.
pub(crate) fn claimed(name: &str) -> Option<SeatRow> {
    let player = PlayerRow { salt: [7; 32], display_name: name.to_owned(), player_id: None };
    Some(SeatRow { token_hash: [1; 32], generation: 1, player: Some(player) })
}

/// Creates a match. Returns its id and the hlc of its first event.
pub(crate) async fn created(journal: &Journal) -> (MatchId, Hlc) {
    let id = new_id();
    let hlc = journal.append(create(id)).await.unwrap().hlc;
    (id, hlc)
}

/// Creates a match in the shard of another one, like `created`.
pub(crate) async fn created_beside(journal: &Journal, other: MatchId) -> (MatchId, Hlc) {
    let id = new_id().in_bucket(other.bucket());
    let hlc = journal.append(create(id)).await.unwrap().hlc;
    (id, hlc)
}

/// Returns the seq of a match's newest event.
pub(crate) async fn head_seq(journal: &Journal, id: MatchId) -> Option<Seq> {
    journal.head(id).await.unwrap().map(|head| head.seq)
}

/// Reads a match's log and checks its order.
pub(crate) async fn log(journal: &Journal, id: MatchId) -> Vec<StoredEvent> {
    let events = journal.events(id, Seq(0), PageSize(100_000)).await.unwrap();
    for (event, seq) in events.iter().zip(1..) {
        assert_eq!(event.event.seq, Seq(seq), "the log has a gap");
    }
    assert!(events.windows(2).all(|pair| pair[0].hlc <= pair[1].hlc), "an hlc decreased");
    events
}

/// Returns a service with this key.
pub(crate) fn service(key: u8) -> ServiceIdentity {
    ServiceIdentity { fingerprint: [key; 32], name: "matchbook".to_owned() }
}
