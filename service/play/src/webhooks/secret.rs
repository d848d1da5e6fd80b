//! Secrets of webhooks. They derive from the service key, so that no table holds them.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use event::RecordTime;
use journal::{WebhookId, WebhookRow};

use crate::ServiceKey;
use crate::keys::MacKey;

/// Prefix of every secret, as Standard Webhooks spells it, so that its libraries accept the secret as it is.
const SECRET_PREFIX: &str = "whsec_";

/// How long after a rotation deliveries are signed with the previous secret as well, in microseconds.
const SECRET_OVERLAP_MICROS: i64 = 24 * 60 * 60 * 1_000_000;

/// Makes the secrets of all webhooks under one service key.
pub(crate) struct WebhookSecrets(MacKey);

/// A secret that deliveries are signed with.
pub(crate) struct WebhookSecret(MacKey);

impl WebhookSecrets {
    pub(crate) fn new(key: &ServiceKey) -> Self {
        Self(key.webhook_key())
    }

    /// Returns the secret of a webhook's generation.
    pub(crate) fn secret(&self, webhook_id: WebhookId, generation: u32) -> WebhookSecret {
        WebhookSecret(MacKey::new(self.0.mac(&[webhook_id.0.as_bytes(), &generation.to_be_bytes()])))
    }

    /// Returns the secrets that sign a webhook's deliveries at a time, the current one first.
    pub(super) fn in_use(&self, row: &WebhookRow, now: RecordTime) -> Vec<WebhookSecret> {
        let current = row.secret_generation;
        let overlap = previous_until(row).is_some_and(|until| now < until);
        let previous = overlap.then(|| current.saturating_sub(1)).filter(|generation| *generation > 0);
        let generations = [Some(current), previous].into_iter().flatten();
        generations.map(|generation| self.secret(row.webhook_id, generation)).collect()
    }
}

/// Returns until when deliveries are signed with the previous secret as well, if there is one.
pub(crate) fn previous_until(row: &WebhookRow) -> Option<RecordTime> {
    row.rotate_time.map(|rotated| RecordTime(rotated.0.saturating_add(SECRET_OVERLAP_MICROS)))
}

impl WebhookSecret {
    /// Returns the secret as its owner gets it.
    pub(crate) fn text(&self) -> String {
        SECRET_PREFIX.to_owned() + &STANDARD.encode(self.0.as_bytes())
    }

    /// Returns one signature of the concatenated parts.
    pub(super) fn sign(&self, content: &[&[u8]]) -> String {
        format!("v1,{}", STANDARD.encode(self.0.mac(content)))
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret")
    }
}

#[cfg(test)]
mod tests {
    use journal::{FeedCursor, WebhookState};
    use uuid::Uuid;

    use super::*;
    use crate::webhooks::OutgoingWebhook;

    fn row(secret_generation: u32, rotate_time: Option<i64>) -> WebhookRow {
        WebhookRow {
            webhook_id: WebhookId(Uuid::nil()),
            owner: "shop".to_owned(),
            url: String::new(),
            kinds: Vec::new(),
            state: WebhookState::Enabled,
            key_fingerprint: [0; 32],
            secret_generation,
            rotate_time: rotate_time.map(RecordTime),
            create_time: RecordTime(0),
            revision: 1,
            position: FeedCursor::from_bytes(&[1; FeedCursor::BYTES]).unwrap(),
        }
    }

    fn texts(secrets: &[WebhookSecret]) -> Vec<String> {
        secrets.iter().map(WebhookSecret::text).collect()
    }

    #[test]
    fn a_secret_is_specific_to_its_webhook_generation_and_service_key() {
        let secrets = WebhookSecrets::new(&ServiceKey::from_bytes([1; 32]));
        let one = secrets.secret(WebhookId(Uuid::nil()), 1).text();
        assert_eq!(one, secrets.secret(WebhookId(Uuid::nil()), 1).text());
        assert_eq!(STANDARD.decode(one.strip_prefix("whsec_").unwrap()).unwrap().len(), 32);
        let other = WebhookSecrets::new(&ServiceKey::from_bytes([2; 32]));
        for different in [
            secrets.secret(WebhookId(Uuid::nil()), 2),
            secrets.secret(WebhookId(Uuid::max()), 1),
            other.secret(WebhookId(Uuid::nil()), 1),
        ] {
            assert_ne!(one, different.text());
        }
    }

    #[test]
    fn the_previous_secret_signs_for_a_day_after_a_rotation() {
        let secrets = WebhookSecrets::new(&ServiceKey::from_bytes([1; 32]));
        let secret = |generation| secrets.secret(WebhookId(Uuid::nil()), generation).text();
        let used = |row: &WebhookRow, now| texts(&secrets.in_use(row, RecordTime(now)));
        assert_eq!(used(&row(1, None), 5), [secret(1)]);
        assert_eq!(used(&row(3, Some(5)), 5), [secret(3), secret(2)]);
        const DAY: i64 = 86_400_000_000;
        assert_eq!(used(&row(3, Some(5)), 4 + DAY), [secret(3), secret(2)]);
        assert_eq!(used(&row(3, Some(5)), 5 + DAY), [secret(3)]);
    }

    #[test]
    fn signatures_are_those_of_standard_webhooks() {
        // The example of the specification's reference libraries.
        let key = STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        // HMAC pads a short key with zeros.
        let mut padded = [0; 32];
        padded[..key.len()].copy_from_slice(&key);
        let outgoing = OutgoingWebhook {
            url: String::new(),
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek".to_owned(),
            timestamp_s: 1_614_265_330,
            payload: wire::v1::WebhookPayload::default(),
            secrets: vec![WebhookSecret(MacKey::new(padded))],
        };
        let signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(outgoing.signature(br#"{"test": 2432232314}"#), signature);
    }
}
