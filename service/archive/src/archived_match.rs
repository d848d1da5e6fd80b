//! A match's log as the archive holds it.

use std::sync::Arc;

use event::{ChainHash, MatchId, SealedPart, Seq};
use journal::StoredEvent;

use crate::SegmentError;

/// The complete log of a match; cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedMatch {
    match_id: MatchId,
    events: Arc<[StoredEvent]>,
}

impl ArchivedMatch {
    /// Takes the events of a match, from the first one to the last. Fails unless they are a chain: the
    /// archive stores no hash but the last one and computes the others.
    pub fn new(match_id: MatchId, events: Vec<StoredEvent>) -> Result<Self, SegmentError> {
        let mut previous = None;
        let mut seq = Seq(0);
        for stored in &events {
            seq = seq.next();
            let event = &stored.event;
            if event.seq != seq || event.link(match_id, previous).hash() != event.hash {
                return Err(SegmentError::BrokenChain { match_id, seq });
            }
            previous = Some(event.hash);
        }
        match previous {
            Some(_) => Ok(Self { match_id, events: events.into() }),
            None => Err(SegmentError::BrokenChain { match_id, seq: Seq::FIRST }),
        }
    }

    /// Returns the match's id.
    pub fn match_id(&self) -> MatchId {
        self.match_id
    }

    /// Returns all events in order.
    pub fn events(&self) -> &[StoredEvent] {
        &self.events
    }

    /// Returns all events in order, to be shared.
    pub(crate) fn into_events(self) -> Arc<[StoredEvent]> {
        self.events
    }

    /// Returns the hash of the last event, which covers the whole log.
    pub fn head(&self) -> ChainHash {
        self.events.last().expect("`new` requires an event").event.hash
    }

    /// Returns roughly the bytes that the match takes in memory.
    pub(crate) fn weight(&self) -> usize {
        const EVENT: usize = 320;
        let sealed = |part: &SealedPart| match part {
            SealedPart::Closed(_) => 0,
            SealedPart::Open(sealed) => sealed.as_bytes().len(),
        };
        let parts = |StoredEvent { event, .. }: &StoredEvent| {
            EVENT + event.public.len() + event.sealed.as_ref().map_or(0, sealed)
        };
        self.events.iter().map(parts).sum()
    }
}
