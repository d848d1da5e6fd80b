//! Calls on webhooks. Nothing about webhooks is cached: every call reads the database.

mod create_webhook;
mod delete_webhook;
mod get_webhook;
mod list_dead_letters;
mod list_webhooks;
mod ownership;
mod ping_webhook;
mod request_fields;
mod retry_dead_letters;
mod rotate_webhook_secret;
mod shown;
mod update_webhook;
