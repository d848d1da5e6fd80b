//! What the feed shows: every event as it is stored, and of a sealed part the commitment alone, whoever reads.

use event::{Event, MatchId, Part, RedactedEvent, Sealed};
use wire::v1 as proto;
use wire::v1::stream_feed_response::Frame;

/// Returns the feed's frame for an event, which stands at this cursor. The secret is left out even if it is at hand.
pub fn feed_frame(match_id: MatchId, event: &RedactedEvent, cursor: String) -> proto::StreamFeedResponse {
    let event = log_event_to_wire(event, None);
    let event = proto::FeedEvent { match_id: match_id.to_string(), event: Some(event) };
    proto::StreamFeedResponse { cursor, frame: Some(Frame::Event(event)) }
}

/// Returns a stored event as feed and log file have it, with the sealed part that it may show.
pub fn log_event_to_wire<P: Part>(event: &Event<P>, opened: Option<&Sealed>) -> proto::LogEvent {
    proto::LogEvent {
        seq: event.seq.0,
        recorded_time: event.recorded_time.0,
        kind: u32::from(event.kind),
        public: event.public.to_vec(),
        commitment: event.commitment().map(|commitment| commitment.to_vec()),
        opened: opened.map(|sealed| sealed.as_bytes().to_vec()),
        hash: event.hash.to_vec(),
    }
}
