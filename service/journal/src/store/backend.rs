//! A database opened for serving.

use std::sync::Arc;

use super::{Store, TailSource, WebhookStore};
use crate::Shards;

/// A store, and what differs between the kinds of databases.
pub(crate) struct Backend {
    pub(crate) store: Arc<dyn Store>,
    /// The same database, as the store of webhooks.
    pub(crate) webhooks: Arc<dyn WebhookStore>,
    /// Present if other replicas may write to the same database.
    pub(crate) tail: Option<Arc<dyn TailSource>>,
    pub(crate) shards: Shards,
    /// The database without its password.
    pub(crate) description: String,
}
