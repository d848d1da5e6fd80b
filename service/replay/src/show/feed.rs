//! What the feed shows: every event as it is stored, and of a sealed part the commitment alone, whoever reads.

use uuid::Uuid;
use wire::v1 as proto;
use wire::v1::stream_feed_response::Frame;

use crate::{Redacted, SealedPart};

impl Redacted {
    /// The event as the feed's frame at this place.
    pub fn shown_in_feed(&self, match_id: Uuid, cursor: String) -> proto::StreamFeedResponse {
        let event = proto::LogEvent {
            seq: self.seq,
            recorded_time: self.recorded_time,
            kind: u32::from(self.kind),
            public: self.public.to_vec(),
            commitment: self.sealed.as_ref().map(|sealed: &SealedPart| sealed.commitment().to_vec()),
            opened: None,
            hash: self.hash.to_vec(),
        };
        let event = proto::FeedEvent { match_id: match_id.to_string(), event: Some(event) };
        proto::StreamFeedResponse { cursor, frame: Some(Frame::Event(event)) }
    }
}
