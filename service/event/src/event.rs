//! The event itself: the bytes that were hashed, and its place in the log.

use std::fmt;

use bytes::Bytes;

use crate::{ChainHash, Commitment, Link, MatchId, Part, RecordTime, Sealed, SealedPart, Seq};

/// An event of a match's log. `P` says how much of the sealed part is at hand: all of it ([`Sealed`]), or
/// perhaps only the commitment ([`SealedPart`]).
#[derive(Clone, PartialEq, Eq)]
pub struct Event<P = Sealed> {
    /// Number in the match.
    pub seq: Seq,
    /// Time at which the event was recorded; strictly increasing within a match.
    pub record_time: RecordTime,
    /// Number of the event's kind. A newer build may have written one that this build does not know.
    pub kind: u16,
    /// Exact bytes of the public part.
    pub public: Bytes,
    /// Sealed part, if the event has one.
    pub sealed: Option<P>,
    /// Hash of this event and of all events before it.
    pub hash: ChainHash,
}

/// An event whose sealed part may be reduced to its commitment.
pub type RedactedEvent = Event<SealedPart>;

impl<P: Part> Event<P> {
    /// Returns the commitment to the sealed part, or `None` if the event has no sealed part.
    pub fn commitment(&self) -> Option<Commitment> {
        self.sealed.as_ref().map(Part::commitment)
    }

    /// Returns the input of this event's hash, given its match and the previous event's hash.
    pub fn link(&self, match_id: MatchId, previous: Option<ChainHash>) -> Link<'_> {
        Link {
            previous,
            match_id,
            seq: self.seq,
            kind: self.kind,
            record_time: self.record_time,
            public: &self.public,
            commitment: self.commitment(),
        }
    }

    /// Copies the event without its secret: only the commitment remains.
    #[must_use]
    pub fn redacted(&self) -> RedactedEvent {
        self.map_sealed(|part| SealedPart::Closed(part.commitment()))
    }

    /// Copies the event with the type of [`RedactedEvent`] and everything that is at hand.
    #[must_use]
    pub fn to_part(&self) -> RedactedEvent {
        self.map_sealed(Part::to_part)
    }
}

impl<P> Event<P> {
    /// Copies the event with another representation of its sealed part.
    #[must_use]
    pub fn map_sealed<Q>(&self, map: impl FnOnce(&P) -> Q) -> Event<Q> {
        Event {
            seq: self.seq,
            record_time: self.record_time,
            kind: self.kind,
            public: self.public.clone(),
            sealed: self.sealed.as_ref().map(map),
            hash: self.hash,
        }
    }
}

/// Omits the contents, which don't belong in a log line: some are secret.
impl<P> fmt::Debug for Event<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event")
            .field("seq", &self.seq.0)
            .field("kind", &self.kind)
            .field("record_time", &self.record_time.0)
            .field("public_len", &self.public.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SALT_BYTES;

    fn event() -> Event {
        Event {
            seq: Seq(1),
            record_time: RecordTime(2),
            kind: 7,
            public: Bytes::from_static(b"queen"),
            sealed: Some(Sealed::new([1; SALT_BYTES], b"queen")),
            hash: [3; 32],
        }
    }

    #[test]
    fn redaction_keeps_the_commitment_and_drops_the_secret() {
        let event = event();
        let redacted = event.redacted();
        assert_eq!(redacted.commitment(), event.commitment());
        assert!(redacted.sealed.as_ref().unwrap().opened().is_none());
        assert_eq!(event.to_part().sealed.unwrap().opened(), event.sealed.as_ref());
        assert_eq!(redacted.to_part(), redacted);
    }

    #[test]
    fn a_change_of_any_field_changes_the_hash() {
        let original = event();
        let match_id = MatchId(uuid::Uuid::from_bytes([7; 16]));
        let hash = |event: &Event| event.link(match_id, Some([4; 32])).hash();
        let changed = [
            Event { seq: Seq(2), ..original.clone() },
            Event { record_time: RecordTime(3), ..original.clone() },
            Event { kind: 8, ..original.clone() },
            Event { public: Bytes::from_static(b"Queen"), ..original.clone() },
            Event { sealed: Some(Sealed::new([2; SALT_BYTES], b"queen")), ..original.clone() },
            Event { sealed: None, ..original.clone() },
        ];
        assert!(changed.iter().all(|changed| hash(changed) != hash(&original)));
        assert_ne!(original.link(match_id, None).hash(), hash(&original));
        // A redacted event has the same hash.
        assert_eq!(original.redacted().link(match_id, Some([4; 32])).hash(), hash(&original));
    }

    #[test]
    fn debug_output_shows_no_contents() {
        let text = format!("{:?} {:?}", event(), event().to_part());
        assert!(text.starts_with("Event { seq: 1, kind: 7, record_time: 2, public_len: 5, .. }"), "{text}");
        assert!(!text.contains("queen") && !text.contains("113, 117"), "{text}");
    }
}
