//! A batch: requests that commit together under one (lane, no), in the order and form in which databases take them.

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::commit_log::{self, Purpose};
use crate::ids::ReplicaId;
use crate::request::Request;
use crate::{Clock, Deadline, DeadlineChange, Lane, LaneNo, MatchId, MatchRow, NewEvent};

/// Never changes once formed: sending it again sends the same bytes.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) lane: Lane,
    pub(crate) no: LaneNo,
    pub(crate) clock: Clock,
    pub(crate) purpose: Purpose,
    pub(crate) body: Bytes,
    requests: Vec<Request>,
    /// Every event as (request, event in it), sorted by (match, seq): writers that sort alike don't deadlock.
    order: Vec<(usize, usize)>,
}

/// Where a batch goes in the log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) replica: ReplicaId,
    pub(crate) lane: Lane,
    pub(crate) no: LaneNo,
    pub(crate) clock: Clock,
}

impl Batch {
    /// A batch that carries these requests.
    pub(crate) fn of(place: Place, requests: Vec<Request>) -> Batch {
        let mut order: Vec<(usize, usize)> = requests
            .iter()
            .enumerate()
            .flat_map(|(r, request)| (0..request.append.events.len()).map(move |e| (r, e)))
            .collect();
        order.sort_by_key(|&(r, e)| (requests[r].append.match_id, requests[r].append.events[e].event.seq));
        let body = commit_log::encode(
            place.replica,
            Purpose::Events,
            events(&requests, &order).map(|(id, new)| (id, &new.event)),
        );
        Batch {
            lane: place.lane,
            no: place.no,
            clock: place.clock,
            purpose: Purpose::Events,
            body,
            requests,
            order,
        }
    }

    /// A batch without events.
    pub(crate) fn empty(place: Place, purpose: Purpose) -> Batch {
        let body = commit_log::encode(place.replica, purpose, std::iter::empty());
        let (requests, order) = (Vec::new(), Vec::new());
        Batch { lane: place.lane, no: place.no, clock: place.clock, purpose, body, requests, order }
    }

    /// All events, sorted by (match, seq).
    pub(crate) fn events(&self) -> impl ExactSizeIterator<Item = (MatchId, &NewEvent)> {
        events(&self.requests, &self.order)
    }

    /// The last row of each match that has one, sorted.
    pub(crate) fn match_rows(&self) -> Vec<&MatchRow> {
        let rows = self.requests.iter().filter_map(|r| r.append.match_row.as_ref());
        rows.map(|row| (row.match_id, row)).collect::<BTreeMap<_, _>>().into_values().collect()
    }

    /// The deadlines to set and those to clear, each match in one of them at most, sorted.
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
) -> impl ExactSizeIterator<Item = (MatchId, &'a NewEvent)> {
    order.iter().map(|&(r, e)| (requests[r].append.match_id, &requests[r].append.events[e]))
}
