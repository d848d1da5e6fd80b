//! The checks that hold for every kind of event, in any game.

use event::{ChainHash, Event, MatchId, Part, RecordTime, Seq};

use crate::{Entry, Fault, decode_entry};

/// The last event of a chain: what the next one must fit.
#[derive(Clone, Copy)]
pub struct ChainHead {
    match_id: MatchId,
    /// `None` before the first event.
    last: Option<Last>,
}

#[derive(Clone, Copy)]
struct Last {
    seq: Seq,
    hash: ChainHash,
    record_time: RecordTime,
}

impl ChainHead {
    /// Creates the head of an empty chain.
    pub fn before_first(match_id: MatchId) -> Self {
        Self { match_id, last: None }
    }

    pub(crate) fn at(match_id: MatchId, seq: Seq, hash: ChainHash, record_time: RecordTime) -> Self {
        Self { match_id, last: Some(Last { seq, hash, record_time }) }
    }

    /// Returns the head after an event.
    #[must_use]
    pub fn after<P>(&self, event: &Event<P>) -> Self {
        Self::at(self.match_id, event.seq, event.hash, event.record_time)
    }

    /// Checks that an event continues the chain, and decodes its public part.
    pub fn check<P: Part>(&self, event: &Event<P>) -> Result<Entry, Fault> {
        let expected = self.last.map_or(Seq::FIRST, |last| last.seq.next());
        if event.seq != expected {
            return Err(Fault::Gap { expected, found: event.seq });
        }
        if self.last.is_some_and(|last| event.record_time <= last.record_time) {
            return Err(Fault::TimeNotGrowing);
        }
        if event.link(self.match_id, self.last.map(|last| last.hash)).hash() != event.hash {
            return Err(Fault::BrokenChain);
        }
        decode_entry(event.kind, event.public.clone())
    }
}
