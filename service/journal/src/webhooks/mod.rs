//! The rows of webhooks and of the events that their receivers have not taken. What is sent, where and when
//! is up to the caller.

mod delivery;
mod webhook;

pub use self::delivery::{DeliveryRow, DeliveryStatus};
pub use self::webhook::{LeaseEpoch, LeaseRequest, LeasedWebhook, WebhookId, WebhookRow, WebhookState};
