//! Notices that the database was bound to another service key, so that a replica that only reads and signs
//! stops too.

use std::sync::Arc;
use std::time::Duration;

use crate::StopReason;
use crate::lifecycle::Lifecycle;
use crate::store::Store;

/// Stops the replica when the database is bound to a key with another fingerprint.
pub(crate) async fn check_key(
    store: Arc<dyn Store>,
    lifecycle: Lifecycle,
    interval: Duration,
    fingerprint: [u8; 32],
) {
    let _guard = lifecycle.stop_on_panic();
    while lifecycle.sleep(interval).await {
        // A failed read is logged elsewhere, and the next check follows.
        if let Ok(Some(bound)) = store.bound_key().await
            && bound.service.fingerprint != fingerprint
        {
            return lifecycle.stop(StopReason::KeyChanged);
        }
    }
}
