//! Prunes old commits, which only other replicas need, in small steps. The log itself stays.

use std::sync::Arc;
use std::time::Duration;

use crate::database_time::{DatabaseTime, micros};
use crate::lifecycle::Lifecycle;
use crate::store::Store;
use crate::{Hlc, JournalTiming, ReadError};

/// Commits deleted per step: few enough to delay nobody.
const STEP: u32 = 500;

/// Pause between two steps, for other statements.
const PAUSE: Duration = Duration::from_millis(20);

/// Prunes regularly until the journal closes.
pub(crate) async fn prune_commits(
    store: Arc<dyn Store>,
    time: Arc<DatabaseTime>,
    lifecycle: Lifecycle,
    timing: JournalTiming,
) {
    let _guard = lifecycle.stop_on_panic();
    while lifecycle.sleep(timing.prune_interval).await {
        let before = Hlc(time.now().0 - micros(timing.commit_retention));
        if let Some(Err(error)) = lifecycle.until_closing(prune(store.as_ref(), before)).await {
            tracing::warn!(%error, "old commits can't be pruned; the next attempt follows");
        }
    }
}

async fn prune(store: &dyn Store, before: Hlc) -> Result<(), ReadError> {
    while store.prune_commits(before, STEP).await? == u64::from(STEP) {
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}
