//! Rows as the SQL databases give them, and their way into the journal's own types. A value that the journal would not
//! have written is reported, never guessed around.

use bytes::Bytes;
use event::{Event, RedactedEvent, Sealed, SealedPart};
use sqlx::FromRow;
use uuid::Uuid;

use crate::feed::{FeedRow, LanesSeen};
use crate::ids::ReplicaId;
use crate::{
    Clock, Deadline, FeedCursor, FeedItem, MatchId, MatchRow, MatchStatus, ReadError, RecordedTime, SeatRow,
    Seq, StoredEvent, Visibility,
};

/// The columns of `read_events.sql`.
#[derive(FromRow)]
pub(crate) struct EventColumns {
    seq: i32,
    recorded_time: i64,
    clock: i64,
    kind: i32,
    request_hash: Option<Vec<u8>>,
    hash: Vec<u8>,
    public: Vec<u8>,
    sealed: Option<Vec<u8>>,
}

/// The columns of `read_match.sql` and its like.
#[derive(FromRow)]
pub(crate) struct MatchColumns {
    match_id: Uuid,
    owner: String,
    create_request_hash: Option<Vec<u8>>,
    game: String,
    status: String,
    visibility: String,
    created_time: i64,
    started_time: Option<i64>,
    ended_time: Option<i64>,
    seat_0_player: Option<String>,
    seat_0_token_hash: Option<Vec<u8>>,
    seat_0_generation: i64,
    seat_1_player: Option<String>,
    seat_1_token_hash: Option<Vec<u8>>,
    seat_1_generation: i64,
    winner: Option<i16>,
    reason: Option<String>,
    parent_match_id: Option<Uuid>,
    parent_seq: Option<i32>,
}

/// The columns of `read_due.sql`.
#[derive(FromRow)]
pub(crate) struct DeadlineColumns {
    match_id: Uuid,
    seq: i32,
    due: i64,
}

/// The columns of `read_feed.sql` and `read_feed_of_scope.sql`.
#[derive(FromRow)]
pub(crate) struct FeedColumns {
    clock: i64,
    match_id: Uuid,
    seq: i32,
    recorded_time: i64,
    kind: i32,
    hash: Vec<u8>,
    /// None if the event is not of the reader's scope.
    public: Option<Vec<u8>>,
    sealed_hash: Option<Vec<u8>>,
}

impl TryFrom<FeedColumns> for FeedRow {
    type Error = ReadError;

    fn try_from(row: FeedColumns) -> Result<FeedRow, ReadError> {
        let cursor =
            FeedCursor { clock: Clock(row.clock), match_id: MatchId(row.match_id), seq: seq(row.seq)? };
        let Some(public) = row.public else { return Ok(FeedRow { cursor, item: None }) };
        let commitment = row.sealed_hash.map(|h| hash(h, "sealed_hash")).transpose()?;
        let event = RedactedEvent {
            seq: cursor.seq,
            recorded_time: RecordedTime(row.recorded_time),
            kind: row.kind.try_into().map_err(|_| corrupt("kind"))?,
            hash: hash(row.hash, "hash")?,
            public: Bytes::from(public),
            sealed: commitment.map(SealedPart::Closed),
        };
        Ok(FeedRow { cursor, item: Some(FeedItem { cursor, event }) })
    }
}

/// A row of `read_lanes.sql`: newest event, newest commit, and an open lane if there is one.
pub(crate) type LaneColumns = (i64, i64, Option<Uuid>, i64);

/// Puts the rows of one snapshot together.
pub(crate) fn lanes_seen(rows: &[LaneColumns]) -> LanesSeen {
    let lane = |&(_, _, replica, clock): &LaneColumns| Some((ReplicaId(replica?), Clock(clock)));
    let (newest_event, newest_commit) = rows.first().map_or((0, 0), |&(event, commit, _, _)| (event, commit));
    LanesSeen {
        open: rows.iter().filter_map(lane).collect(),
        newest_commit: Clock(newest_commit),
        newest_event: Clock(newest_event),
    }
}

impl TryFrom<EventColumns> for StoredEvent {
    type Error = ReadError;

    fn try_from(row: EventColumns) -> Result<StoredEvent, ReadError> {
        let event = Event {
            seq: seq(row.seq)?,
            recorded_time: RecordedTime(row.recorded_time),
            kind: row.kind.try_into().map_err(|_| corrupt("kind"))?,
            hash: hash(row.hash, "hash")?,
            public: Bytes::from(row.public),
            sealed: row.sealed.map(sealed).transpose()?,
        };
        let request_hash = row.request_hash.map(|h| hash(h, "request_hash")).transpose()?;
        Ok(StoredEvent { event, request_hash, clock: Clock(row.clock) })
    }
}

impl TryFrom<MatchColumns> for MatchRow {
    type Error = ReadError;

    fn try_from(row: MatchColumns) -> Result<MatchRow, ReadError> {
        let parent = match (row.parent_match_id, row.parent_seq) {
            (Some(id), Some(at)) => Some((MatchId(id), seq(at)?)),
            _ => None,
        };
        Ok(MatchRow {
            match_id: MatchId(row.match_id),
            owner: row.owner,
            create_request_hash: row
                .create_request_hash
                .map(|h| hash(h, "create_request_hash"))
                .transpose()?,
            game: row.game,
            status: MatchStatus::from_word(&row.status).ok_or_else(|| corrupt("status"))?,
            visibility: Visibility::from_word(&row.visibility).ok_or_else(|| corrupt("visibility"))?,
            created_time: RecordedTime(row.created_time),
            started_time: row.started_time.map(RecordedTime),
            ended_time: row.ended_time.map(RecordedTime),
            seats: [
                seat(row.seat_0_player, row.seat_0_token_hash, row.seat_0_generation)?,
                seat(row.seat_1_player, row.seat_1_token_hash, row.seat_1_generation)?,
            ],
            winner: row.winner.map(|w| w.try_into().map_err(|_| corrupt("winner"))).transpose()?,
            reason: row.reason,
            parent,
        })
    }
}

impl TryFrom<DeadlineColumns> for Deadline {
    type Error = ReadError;

    fn try_from(row: DeadlineColumns) -> Result<Deadline, ReadError> {
        Ok(Deadline { match_id: MatchId(row.match_id), seq: seq(row.seq)?, due: RecordedTime(row.due) })
    }
}

/// A seq as the databases keep it: `Append::check` has seen to it that it fits.
pub(crate) fn seq_column(seq: Seq) -> i32 {
    i32::try_from(seq.0).unwrap_or(i32::MAX)
}

/// Reads a seq.
pub(crate) fn seq(column: i32) -> Result<Seq, ReadError> {
    column.try_into().map(Seq).map_err(|_| corrupt("seq"))
}

/// Reads a hash.
pub(crate) fn hash(column: Vec<u8>, name: &str) -> Result<[u8; 32], ReadError> {
    column.try_into().map_err(|_| corrupt(name))
}

fn sealed(column: Vec<u8>) -> Result<Sealed, ReadError> {
    Sealed::from_bytes(Bytes::from(column)).ok_or_else(|| corrupt("sealed"))
}

fn seat(
    player_name: Option<String>,
    token_hash: Option<Vec<u8>>,
    generation: i64,
) -> Result<SeatRow, ReadError> {
    Ok(SeatRow {
        player_name,
        token_hash: token_hash.map(|h| hash(h, "token_hash")).transpose()?,
        generation: generation.try_into().map_err(|_| corrupt("generation"))?,
    })
}

fn corrupt(column: &str) -> ReadError {
    ReadError::Corrupt { what: column.to_owned() }
}
