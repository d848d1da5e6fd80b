//! Rows of the tables `webhook` and `webhook_delivery`, and the encoding of their values.

use uuid::Uuid;

use super::row::row;
use super::values::{corrupt, decode_hash};
use crate::{
    DeliveryRow, DeliveryStatus, FeedCursor, LeaseEpoch, LeasedWebhook, MatchId, ReadError, RecordTime, Seq,
    WebhookId, WebhookRow, WebhookState,
};

row! {
    /// A row of `webhook` that a query returns.
    pub(crate) struct StoredWebhook {
        webhook_id: Uuid,
        owner: String,
        url: String,
        kinds: String,
        state: String,
        key_fingerprint: Vec<u8>,
        secret_generation: i64,
        rotate_time: Option<i64>,
        create_time: i64,
        revision: i64,
        position: Vec<u8>,
        lease_epoch: i64,
    }
}

row! {
    /// A row of `webhook_delivery` that a query returns.
    pub(crate) struct StoredDelivery {
        position: Vec<u8>,
        kind: i32,
        status: String,
        attempts: i64,
        create_time: i64,
        next_time: i64,
        failure: String,
    }
}

impl TryFrom<StoredWebhook> for LeasedWebhook {
    type Error = ReadError;

    fn try_from(stored: StoredWebhook) -> Result<LeasedWebhook, ReadError> {
        let row = WebhookRow {
            webhook_id: WebhookId(stored.webhook_id),
            owner: stored.owner,
            url: stored.url,
            kinds: decode_kinds(&stored.kinds)?,
            state: WebhookState::from_word(&stored.state).ok_or_else(|| corrupt("state"))?,
            key_fingerprint: decode_hash(stored.key_fingerprint, "key_fingerprint")?,
            secret_generation: u32::try_from(stored.secret_generation)
                .map_err(|_| corrupt("secret_generation"))?,
            rotate_time: stored.rotate_time.map(RecordTime),
            create_time: RecordTime(stored.create_time),
            revision: stored.revision,
            position: decode_position(&stored.position)?,
        };
        Ok(LeasedWebhook { row, epoch: LeaseEpoch(stored.lease_epoch) })
    }
}

impl TryFrom<StoredWebhook> for WebhookRow {
    type Error = ReadError;

    fn try_from(stored: StoredWebhook) -> Result<WebhookRow, ReadError> {
        LeasedWebhook::try_from(stored).map(|leased| leased.row)
    }
}

impl TryFrom<StoredDelivery> for DeliveryRow {
    type Error = ReadError;

    fn try_from(stored: StoredDelivery) -> Result<DeliveryRow, ReadError> {
        Ok(DeliveryRow {
            position: decode_position(&stored.position)?,
            kind: u16::try_from(stored.kind).map_err(|_| corrupt("kind"))?,
            status: DeliveryStatus::from_word(&stored.status).ok_or_else(|| corrupt("status"))?,
            attempts: u32::try_from(stored.attempts).map_err(|_| corrupt("attempts"))?,
            create_time: RecordTime(stored.create_time),
            next_time: RecordTime(stored.next_time),
            failure: stored.failure,
        })
    }
}

/// Encodes kinds as numbers separated by commas.
pub(crate) fn encode_kinds(kinds: &[u16]) -> String {
    kinds.iter().map(u16::to_string).collect::<Vec<_>>().join(",")
}

fn decode_kinds(column: &str) -> Result<Vec<u16>, ReadError> {
    let numbers = column.split(',').filter(|number| !number.is_empty());
    numbers.map(|number| number.parse().map_err(|_| corrupt("kinds"))).collect()
}

/// Encodes an event's identity as the end of its position: match id, then seq.
pub(crate) fn encode_event((match_id, seq): (MatchId, Seq)) -> Vec<u8> {
    [&match_id.0.as_bytes()[..], &seq.0.to_be_bytes()].concat()
}

fn decode_position(column: &[u8]) -> Result<FeedCursor, ReadError> {
    let bytes = column.try_into().ok();
    bytes.and_then(FeedCursor::from_bytes).ok_or_else(|| corrupt("position"))
}
