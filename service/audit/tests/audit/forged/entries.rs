//! Entries that a forger inserts.

use replay::Entry;
use wire::log::v1 as log;

pub(super) const DRAW: i32 = 1;
pub(super) const TAKEBACK: i32 = 2;

pub(super) fn rotation(seat: u32, generation: u32) -> Entry {
    Entry::SeatTokenRotated(log::SeatTokenRotated { seat: Some(seat), generation })
}

pub(super) fn proposal(seat: u32, kind: i32) -> Entry {
    Entry::ProposalMade(log::ProposalMade { seat: Some(seat), kind })
}

pub(super) fn decline(seat: u32, kind: i32) -> Entry {
    let (seat, accepted, state_digest) = (Some(seat), false, Vec::new());
    Entry::ProposalAnswered(log::ProposalAnswered { seat, kind, accepted, state_digest })
}

pub(super) fn accept(seat: u32, kind: i32) -> Entry {
    let (seat, accepted, state_digest) = (Some(seat), true, vec![7; 32]);
    Entry::ProposalAnswered(log::ProposalAnswered { seat, kind, accepted, state_digest })
}

/// Returns an outcome with each seat's rank, seat 0 first.
pub(super) fn result(outcome: log::Outcome, ranks: &[u32], reason: &str) -> log::MatchResult {
    let standings = (0..).zip(ranks).map(|(seat, rank)| log::Standing { seat: Some(seat), rank: *rank });
    log::MatchResult { outcome: outcome.into(), standings: standings.collect(), reason: reason.to_owned() }
}

/// Gives an end another result, and says that this seat caused it, or the service.
pub(super) fn end_by(entry: &mut Entry, seat: Option<u32>, result: log::MatchResult) {
    let Entry::MatchEnded(ended) = entry else { panic!("this event does not end the match") };
    ended.result = Some(result);
    ended.seat = seat;
    let by = if seat.is_some() { log::EndedBy::Seat } else { log::EndedBy::Service };
    ended.ended_by = by.into();
}
