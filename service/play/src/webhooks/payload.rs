//! The bodies of deliveries: events as a spectator sees them, which is how the owner of a match sees it.

use event::{MatchId, Seq};
use journal::{FeedCursor, PageSize, WebhookId};
use prost::Message as _;
use replay::timestamp_to_wire;
use rules::Viewer;
use wire::log::v1::EventKind;
use wire::v1::{self as proto, ErrorReason};

use super::delivery_id;
use crate::{Play, Refusal};

/// Largest event, as a protobuf message, that is sent in a delivery.
const MAX_EVENT_BYTES: usize = 128 << 10;

/// An event to be sent.
#[derive(Clone, Copy)]
pub(super) struct EventToSend {
    pub position: FeedCursor,
    pub kind: u16,
}

impl Play {
    /// Returns the bodies for events of one match, which are in its order. The events between them are read
    /// too.
    pub(super) async fn webhook_payloads(
        &self,
        webhook_id: WebhookId,
        match_id: MatchId,
        events: &[EventToSend],
    ) -> Result<Vec<proto::WebhookPayload>, Refusal> {
        let (Some(first), Some(last)) = (events.first(), events.last()) else { return Ok(Vec::new()) };
        let (first, last) = (first.position.seq(), last.position.seq());
        let shown = match self.events_shown(match_id, first, last).await {
            Ok(shown) => shown,
            // The log cannot be folded here, or at all: the receiver learns of the event without it.
            Err(refusal) if is_of_this_log(&refusal) => Vec::new(),
            Err(refusal) => return Err(refusal),
        };
        let payload = |event: &EventToSend| {
            let shown = shown.iter().find(|shown| shown.seq == event.position.seq().0).cloned();
            self.webhook_payload(webhook_id, *event, shown)
        };
        Ok(events.iter().map(payload).collect())
    }

    async fn events_shown(
        &self,
        match_id: MatchId,
        first: Seq,
        last: Seq,
    ) -> Result<Vec<proto::Event>, Refusal> {
        let head = self.matches.current(match_id, None).await?;
        let count = PageSize(last.0.saturating_sub(first.0).saturating_add(1));
        let after = Seq(first.0.saturating_sub(1));
        let applied = self.matches.applied_events(&head, after, count, None).await?;
        let audience = head.audience(Viewer::Spectator);
        Ok(applied.iter().map(|event| audience.event(event)).collect())
    }

    fn webhook_payload(
        &self,
        webhook_id: WebhookId,
        event: EventToSend,
        shown: Option<proto::Event>,
    ) -> proto::WebhookPayload {
        let position = event.position;
        let timestamp = shown.as_ref().and_then(|shown| shown.record_time);
        proto::WebhookPayload {
            id: delivery_id(position),
            r#type: kind_word(event.kind),
            // Without the event, the commit's time is the nearest one known.
            timestamp: timestamp.or_else(|| Some(timestamp_to_wire(event::RecordTime(position.hlc().0)))),
            data: Some(proto::WebhookData {
                webhook_id: webhook_id.to_string(),
                match_id: position.match_id().to_string(),
                seq: position.seq().0,
                event: shown.filter(|shown| shown.encoded_len() <= MAX_EVENT_BYTES),
            }),
        }
    }

    /// Returns the body of a ping.
    pub(super) fn webhook_ping(&self, webhook_id: WebhookId, id: String) -> proto::WebhookPayload {
        let webhook_id = webhook_id.to_string();
        proto::WebhookPayload {
            id,
            r#type: "ping".to_owned(),
            timestamp: Some(timestamp_to_wire(self.now())),
            data: Some(proto::WebhookData { webhook_id, ..proto::WebhookData::default() }),
        }
    }
}

/// Returns the name of a kind of events; empty if this build does not know it.
pub(crate) fn kind_word(kind: u16) -> String {
    EventKind::from_number(kind).map(EventKind::word).unwrap_or_default()
}

/// Returns whether a match's log is the cause of a refusal, and not, for example, the database.
fn is_of_this_log(refusal: &Refusal) -> bool {
    use ErrorReason::{Internal, UnknownMatch, UnknownRulesVersion};
    matches!(refusal.reason, UnknownRulesVersion | Internal | UnknownMatch)
}
