//! A batch: the appends that one commit writes, in the order and form that databases need.

mod body;
mod request;

use std::collections::BTreeMap;

use bytes::Bytes;
use event::{ChainHash, Seats};

use crate::directory::{LabelRow, MatchSeat};
use crate::ids::{BatchNumber, ReplicaId, WriterId};
use crate::{Deadline, DeadlineChange, Hlc, MatchId, MatchRow, NewEvent};

pub(crate) use self::body::{
    DecodedBody, Purpose, decode_body, encode_body, encode_empty_body, encode_erasing_body,
};
pub(crate) use self::request::{Delivery, Request, Started};

/// A batch is immutable: a retry sends the same bytes.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) id: BatchId,
    pub(crate) purpose: Purpose,
    pub(crate) body: Bytes,
    /// The players that the batch erases, sorted by (match, seat).
    pub(crate) erasures: Vec<Erasure>,
    requests: Vec<Request>,
    /// Every event as (index of the request, index of the event), sorted by (match, seq). Writers that insert
    /// in the same order do not deadlock.
    order: Vec<(usize, usize)>,
}

/// The identity of a batch in the commit log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BatchId {
    pub(crate) replica: ReplicaId,
    pub(crate) writer: WriterId,
    pub(crate) number: BatchNumber,
    pub(crate) hlc: Hlc,
    /// The `Hlc` of the writer's batch before, which the database must still have.
    pub(crate) previous_hlc: Hlc,
}

/// An event of a batch.
#[derive(Clone, Copy)]
pub(crate) struct BatchEvent<'a> {
    pub(crate) match_id: MatchId,
    pub(crate) new: &'a NewEvent,
    /// The hash that the event before must have in the database. `None` for a match's first event, and for
    /// an event whose predecessor is in the same append.
    pub(crate) previous_hash: Option<ChainHash>,
    /// The seats to act after it. `None` for an event that another one of the same append follows.
    pub(crate) to_act: Option<Seats>,
}

/// A seat whose player is erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Erasure {
    pub(crate) match_id: MatchId,
    pub(crate) seat: u8,
}

impl Batch {
    /// Creates a batch of the requests' events.
    pub(crate) fn of_events(id: BatchId, requests: Vec<Request>) -> Batch {
        let mut order: Vec<(usize, usize)> = requests
            .iter()
            .enumerate()
            .flat_map(|(r, request)| (0..request.append.events.len()).map(move |e| (r, e)))
            .collect();
        order.sort_by_key(|&(r, e)| (requests[r].append.match_id, requests[r].append.events[e].event.seq));
        let logged = events(&requests, &order).map(|event| (event.match_id, &event.new.event));
        let body = encode_body(id.replica, Purpose::Events, logged);
        Batch { id, purpose: Purpose::Events, body, erasures: Vec::new(), requests, order }
    }

    /// Creates a batch without events.
    pub(crate) fn empty(id: BatchId, purpose: Purpose) -> Batch {
        let body = encode_empty_body(id.replica, purpose);
        Batch { id, purpose, body, erasures: Vec::new(), requests: Vec::new(), order: Vec::new() }
    }

    /// Creates a batch that erases players.
    pub(crate) fn of_erasures(id: BatchId, mut erasures: Vec<Erasure>) -> Batch {
        erasures.sort_unstable();
        erasures.dedup();
        let mut matches: Vec<MatchId> = erasures.iter().map(|erasure| erasure.match_id).collect();
        matches.dedup();
        let body = encode_erasing_body(id.replica, &matches);
        Batch { body, erasures, ..Batch::empty(id, Purpose::Erasing) }
    }

    /// Returns all events, sorted by (match, seq).
    pub(crate) fn events(&self) -> impl ExactSizeIterator<Item = BatchEvent<'_>> {
        events(&self.requests, &self.order)
    }

    /// Returns the last row of each match whose row changes, sorted by match.
    pub(crate) fn match_rows(&self) -> Vec<&MatchRow> {
        let rows = self.requests.iter().filter_map(|r| r.append.match_row.as_ref());
        rows.map(|row| (row.match_id, row)).collect::<BTreeMap<_, _>>().into_values().collect()
    }

    /// Returns the claimed seats of these matches, sorted by match and seat.
    pub(crate) fn claimed_seats(rows: &[&MatchRow]) -> Vec<MatchSeat> {
        rows.iter().flat_map(|row| row.claimed_seats()).collect()
    }

    /// Returns the deadlines to set and the matches whose deadline to clear, both sorted by match and
    /// disjoint.
    pub(crate) fn deadlines(&self) -> (Vec<Deadline>, Vec<MatchId>) {
        let mut last = BTreeMap::new();
        for Request { append, .. } in &self.requests {
            match append.deadline {
                DeadlineChange::Keep => {}
                DeadlineChange::Clear => drop(last.insert(append.match_id, None)),
                DeadlineChange::Set { seq, due } => drop(last.insert(append.match_id, Some((seq, due)))),
            }
        }
        let set = last
            .iter()
            .filter_map(|(&match_id, deadline)| deadline.map(|(seq, due)| Deadline { match_id, seq, due }));
        let clear = last.iter().filter(|(_, deadline)| deadline.is_none()).map(|(&id, _)| id);
        (set.collect(), clear.collect())
    }

    /// Returns the labels of all new matches.
    pub(crate) fn labels(&self) -> Vec<LabelRow<'_>> {
        self.requests.iter().flat_map(|request| request.append.label_rows()).collect()
    }

    pub(crate) fn requests(&self) -> &[Request] {
        &self.requests
    }

    pub(crate) fn into_requests(self) -> Vec<Request> {
        self.requests
    }
}

fn events<'a>(
    requests: &'a [Request],
    order: &'a [(usize, usize)],
) -> impl ExactSizeIterator<Item = BatchEvent<'a>> {
    order.iter().map(|&(r, e)| {
        let append = &requests[r].append;
        let previous = append.after.filter(|_| e == 0);
        BatchEvent {
            match_id: append.match_id,
            new: &append.events[e],
            previous_hash: previous.map(|previous| previous.hash),
            to_act: (e + 1 == append.events.len()).then_some(append.to_act),
        }
    })
}
