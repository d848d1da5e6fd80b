//! Picks the next batch: whatever has queued up, within the limits, and no two requests that exclude each other.

use std::collections::HashSet;

use super::{LaneTask, Role};
use crate::request::{Request, Started};
use crate::{Limits, MatchId};

/// What there is to do.
pub(super) enum Collected {
    /// A batch, and the requests for matches that an earlier one in the batch changes.
    Requests { requests: Vec<Request>, overtaken: Vec<Request> },
    /// Nothing for so long that others might take the lane for dead.
    Silence,
    /// Perhaps nothing, but readers of the feed want something.
    Wanted,
    /// The journal closes and everything is written.
    End,
}

impl LaneTask {
    /// Waits for work. What it took before it was dropped it has next time.
    pub(super) async fn collect(&mut self) -> Collected {
        loop {
            if let Some(first) = self.held.take() {
                return self.fill(first);
            }
            let silence = self.silence_left();
            let first = tokio::select! {
                biased;
                first = self.queue.next() => first,
                () = self.context.closing.cancelled(), if !self.queue.is_closed() => {
                    self.queue.close();
                    continue;
                }
                _ = self.wanted.changed() => return Collected::Wanted,
                () = tokio::time::sleep(silence.unwrap_or_default()), if silence.is_some() => {
                    return Collected::Silence;
                }
            };
            let Some(first) = first else { return Collected::End };
            if first.start() == Started::Yes {
                self.held = Some(first);
                // Callers that were answered together ask again together: let them, or this batch has one
                // request and theirs waits for it.
                tokio::task::yield_now().await;
            }
        }
    }

    fn fill(&mut self, first: Request) -> Collected {
        let mut claims = Claims::new(self.context.limits, self.role);
        let (mut requests, mut overtaken) = (Vec::new(), Vec::new());
        let mut next = Some(first);
        while let Some(request) = next {
            match claims.fit(&request) {
                Fit::Together => requests.push(request),
                Fit::Overtaken => overtaken.push(request),
                Fit::Later => {
                    self.held = Some(request);
                    break;
                }
            }
            next = self.next_started();
        }
        Collected::Requests { requests, overtaken }
    }

    fn next_started(&mut self) -> Option<Request> {
        std::iter::from_fn(|| self.queue.next_now()).find(|request| request.start() == Started::Yes)
    }
}

/// What the requests picked so far claim, and how much more may come.
struct Claims {
    matches: HashSet<MatchId>,
    creates: HashSet<(String, [u8; 32])>,
    requests_left: usize,
    events_left: usize,
    bytes_left: usize,
}

/// Whether a request goes with those before it.
#[derive(Debug, PartialEq, Eq)]
enum Fit {
    Together,
    /// A request before it changes the match, unknown to its caller.
    Overtaken,
    /// Not in this batch.
    Later,
}

impl Claims {
    fn new(limits: Limits, role: Role) -> Claims {
        Claims {
            matches: HashSet::new(),
            creates: HashSet::new(),
            requests_left: if role == Role::Solo { 1 } else { usize::MAX },
            events_left: limits.batch_events,
            bytes_left: limits.batch_bytes,
        }
    }

    fn fit(&mut self, request: &Request) -> Fit {
        let append = &request.append;
        if self.matches.contains(&append.match_id) {
            return Fit::Overtaken;
        }
        let create =
            append.match_row.as_ref().and_then(|row| Some((row.owner.clone(), row.create_request_hash?)));
        let full = self.requests_left == 0
            || self.events_left < append.events.len()
            || self.bytes_left < request.size;
        // The first of a batch always fits, or it never would. The database tells of two equal creates which is
        // the second, if they don't come together.
        if !self.matches.is_empty() && (full || create.as_ref().is_some_and(|c| self.creates.contains(c))) {
            return Fit::Later;
        }
        self.matches.insert(append.match_id);
        self.creates.extend(create);
        self.requests_left -= 1;
        self.events_left = self.events_left.saturating_sub(append.events.len());
        self.bytes_left = self.bytes_left.saturating_sub(request.size);
        Fit::Together
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lane::samples::{create, move_at};

    fn fits(claims: &mut Claims, append: crate::Append) -> Fit {
        claims.fit(&Request::new(append, tracing::Span::none()).0)
    }

    #[test]
    fn a_batch_has_one_request_a_match() {
        let mut claims = Claims::new(Limits::default(), Role::Writer);
        let id = crate::lane::samples::id;
        assert_eq!(fits(&mut claims, move_at(id(1), 5)), Fit::Together);
        assert_eq!(fits(&mut claims, move_at(id(1), 5)), Fit::Overtaken);
        assert_eq!(fits(&mut claims, move_at(id(1), 6)), Fit::Overtaken);
        assert_eq!(fits(&mut claims, move_at(id(2), 5)), Fit::Together);
    }

    #[test]
    fn equal_creates_and_what_is_too_much_come_later() {
        let limits = Limits { batch_events: 3, ..Limits::default() };
        let mut claims = Claims::new(limits, Role::Writer);
        let id = crate::lane::samples::id;
        assert_eq!(fits(&mut claims, create(id(1), [7; 32])), Fit::Together);
        assert_eq!(fits(&mut claims, create(id(2), [7; 32])), Fit::Later);
        assert_eq!(fits(&mut claims, create(id(3), [8; 32])), Fit::Together);
        assert_eq!(fits(&mut claims, move_at(id(4), 2)), Fit::Together);
        assert_eq!(fits(&mut claims, move_at(id(5), 2)), Fit::Later);
    }

    #[test]
    fn one_request_alone_fits_whatever_its_size_and_solo_takes_one() {
        let limits = Limits { batch_bytes: 1, ..Limits::default() };
        let id = crate::lane::samples::id;
        let mut claims = Claims::new(limits, Role::Writer);
        assert_eq!(fits(&mut claims, move_at(id(1), 2)), Fit::Together);
        assert_eq!(fits(&mut claims, move_at(id(2), 2)), Fit::Later);
        let mut claims = Claims::new(Limits::default(), Role::Solo);
        assert_eq!(fits(&mut claims, move_at(id(1), 2)), Fit::Together);
        assert_eq!(fits(&mut claims, move_at(id(2), 2)), Fit::Later);
    }
}
