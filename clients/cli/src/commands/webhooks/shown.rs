//! A webhook as text.

use std::fmt::Write as _;

use wire::v1::{Webhook, WebhookState};

/// Returns a webhook on several lines.
pub(super) fn webhook_text(webhook: &Webhook) -> String {
    let kinds = if webhook.kinds.is_empty() { "all".to_owned() } else { webhook.kinds.join(", ") };
    let mut text = format!(
        "Webhook {}\n  URL      {}\n  kinds    {}\n  state    {}\n",
        board::printable(&webhook.webhook_id),
        board::printable(&webhook.url),
        board::printable(&kinds),
        state(webhook.state()),
    );
    if webhook.pending_count > 0 || webhook.dead_letter_count > 0 {
        let (pending, dead) = (webhook.pending_count, webhook.dead_letter_count);
        let _ = writeln!(text, "  waiting  {pending} to be sent again, {dead} dead letters");
    }
    if let Some(until) = webhook.previous_secret_until {
        let _ = writeln!(text, "  secrets  the previous one signs until {until}");
    }
    text
}

fn state(state: WebhookState) -> &'static str {
    match state {
        WebhookState::Enabled => "enabled",
        WebhookState::Disabled => "disabled",
        WebhookState::Gone => "gone: the receiver answered 410; enable it once the receiver is back",
        WebhookState::TooManyDeadLetters => "too many dead letters; repair the receiver, then enable it",
        WebhookState::NeedsSecret => "needs a new secret: `matchbook webhook rotate`",
        WebhookState::Unspecified => "unknown to this client",
    }
}
