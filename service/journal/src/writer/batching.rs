//! Picks the next batch: as many queued requests as fit, of which none excludes another.

use std::collections::HashSet;

use super::erasing::ErasureRequest;
use super::{Writer, WriterKind};
use crate::batch::{Request, Started};
use crate::directory::CreateKey;
use crate::{JournalLimits, MatchId};

/// What a writer does next.
pub(super) enum Work {
    /// Commit the requests' events. A request of the same batch precedes each `conflicting` one in its match.
    Append { requests: Vec<Request>, conflicting: Vec<Request> },
    /// Erase a player, with all others that wait.
    Erase(ErasureRequest),
    /// Commit an empty batch before other replicas take the writer for dead.
    KeepAlive,
    /// See what the feed's readers request.
    FrontierRequest,
    /// Close the writer: the journal closes and the queue is empty.
    Close,
}

impl Writer {
    /// Waits for work. Cancel-safe: the next call gets what a dropped one had received.
    pub(super) async fn next_work(&mut self) -> Work {
        loop {
            if let Some(first) = self.held.take() {
                return self.fill_batch(first);
            }
            let keep_alive = self.time_to_keep_alive();
            let first = tokio::select! {
                biased;
                first = self.queue.recv() => first,
                Some(erasure) = self.erasures.recv() => return Work::Erase(erasure),
                () = self.resources.lifecycle.closing(), if !self.queue.is_closed() => {
                    self.queue.close();
                    continue;
                }
                _ = self.frontier_requests.changed() => return Work::FrontierRequest,
                () = tokio::time::sleep(keep_alive.unwrap_or_default()), if keep_alive.is_some() => {
                    return Work::KeepAlive;
                }
            };
            let Some(first) = first else { return Work::Close };
            if first.start() == Started::Yes {
                self.held = Some(first);
                // Callers that were answered together append again together. Let them run first, or this
                // batch gets one request and theirs wait for it.
                tokio::task::yield_now().await;
            }
        }
    }

    fn fill_batch(&mut self, first: Request) -> Work {
        let mut room = Room::new(self.resources.limits, self.kind);
        let (mut requests, mut conflicting) = (Vec::new(), Vec::new());
        let mut next = Some(first);
        while let Some(request) = next {
            match room.take(&request) {
                Fit::Fits => requests.push(request),
                Fit::Conflicts => conflicting.push(request),
                Fit::NextBatch => {
                    self.held = Some(request);
                    break;
                }
            }
            next = self.next_queued();
        }
        Work::Append { requests, conflicting }
    }

    fn next_queued(&mut self) -> Option<Request> {
        std::iter::from_fn(|| self.queue.try_recv()).find(|request| request.start() == Started::Yes)
    }
}

/// What the requests of a batch occupy, and the room that is left.
struct Room {
    matches: HashSet<MatchId>,
    creates: HashSet<CreateKey>,
    requests_left: usize,
    events_left: usize,
    bytes_left: usize,
}

/// Whether a request fits into the batch.
#[derive(Debug, PartialEq, Eq)]
enum Fit {
    Fits,
    /// An earlier request of the batch appends to the same match.
    Conflicts,
    NextBatch,
}

impl Room {
    fn new(limits: JournalLimits, kind: WriterKind) -> Room {
        Room {
            matches: HashSet::new(),
            creates: HashSet::new(),
            requests_left: if kind == WriterKind::Contended { 1 } else { usize::MAX },
            events_left: limits.batch_events,
            bytes_left: limits.batch_bytes,
        }
    }

    fn take(&mut self, request: &Request) -> Fit {
        let append = &request.append;
        if self.matches.contains(&append.match_id) {
            return Fit::Conflicts;
        }
        let creates = append.match_row.iter().flat_map(|row| row.registered.create_keys());
        let creates: Vec<CreateKey> = creates.collect();
        let full = self.requests_left == 0
            || self.events_left < append.events.len()
            || self.bytes_left < request.size;
        // The first request always fits, or a large one never would. Equal creates go into separate batches,
        // so that the database rejects the second one only.
        if !self.matches.is_empty() && (full || creates.iter().any(|key| self.creates.contains(key))) {
            return Fit::NextBatch;
        }
        self.matches.insert(append.match_id);
        self.creates.extend(creates);
        self.requests_left -= 1;
        self.events_left = self.events_left.saturating_sub(append.events.len());
        self.bytes_left = self.bytes_left.saturating_sub(request.size);
        Fit::Fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{create, id, move_at};

    fn take(room: &mut Room, append: crate::Append) -> Fit {
        room.take(&Request::new(append, tracing::Span::none()).0)
    }

    #[test]
    fn a_batch_has_one_request_per_match() {
        let mut room = Room::new(JournalLimits::default(), WriterKind::Batching);
        assert_eq!(take(&mut room, move_at(id(1), 5)), Fit::Fits);
        assert_eq!(take(&mut room, move_at(id(1), 5)), Fit::Conflicts);
        assert_eq!(take(&mut room, move_at(id(1), 6)), Fit::Conflicts);
        assert_eq!(take(&mut room, move_at(id(2), 5)), Fit::Fits);
    }

    #[test]
    fn equal_creates_and_excess_events_go_into_the_next_batch() {
        let limits = JournalLimits { batch_events: 3, ..JournalLimits::default() };
        let mut room = Room::new(limits, WriterKind::Batching);
        assert_eq!(take(&mut room, create(id(1), [7; 32])), Fit::Fits);
        assert_eq!(take(&mut room, create(id(2), [7; 32])), Fit::NextBatch);
        assert_eq!(take(&mut room, create(id(3), [8; 32])), Fit::Fits);
        assert_eq!(take(&mut room, move_at(id(4), 2)), Fit::Fits);
        assert_eq!(take(&mut room, move_at(id(5), 2)), Fit::NextBatch);
    }

    #[test]
    fn the_first_request_always_fits_and_contended_batches_have_one() {
        let limits = JournalLimits { batch_bytes: 1, ..JournalLimits::default() };
        let mut room = Room::new(limits, WriterKind::Batching);
        assert_eq!(take(&mut room, move_at(id(1), 2)), Fit::Fits);
        assert_eq!(take(&mut room, move_at(id(2), 2)), Fit::NextBatch);
        let mut room = Room::new(JournalLimits::default(), WriterKind::Contended);
        assert_eq!(take(&mut room, move_at(id(1), 2)), Fit::Fits);
        assert_eq!(take(&mut room, move_at(id(2), 2)), Fit::NextBatch);
    }
}
