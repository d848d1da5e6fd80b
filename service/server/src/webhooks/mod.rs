//! Sending to webhooks over HTTP: which URLs and addresses may be sent to, and one attempt. What is sent and
//! when is decided in `play`.

mod addresses;
mod client;
mod config;
mod metered;
mod resolver;
mod url;

use play::{KeyRing, WebhookSettings};

pub use config::{WebhookConfig, WebhookSwitch};

use client::WebhookClient;

/// Returns the settings of webhooks; `None` if they are off, or without API keys to own any.
pub(crate) fn settings(config: &WebhookConfig, keys: &KeyRing) -> Option<WebhookSettings> {
    let on = config.webhooks == WebhookSwitch::On && !keys.is_open();
    on.then(|| WebhookSettings {
        sender: std::sync::Arc::new(WebhookClient::new(config)),
        limits: config.limits(),
    })
}
