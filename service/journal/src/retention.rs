//! Deletes old commits, which are only for other replicas to read, a bounded step at a time. The log itself stays.

use std::sync::Arc;
use std::time::Duration;

use crate::context::Context;
use crate::status::PanicAlarm;
use crate::store::Store;
use crate::time::micros;
use crate::{Clock, ReadError};

/// Commits a step deletes: few enough to keep nobody waiting.
const STEP: u32 = 500;

/// Between two steps others have their turn.
const BREATH: Duration = Duration::from_millis(20);

/// Deletes what is old, now and again, until the journal closes.
pub(crate) async fn run(context: Arc<Context>) {
    let _alarm = PanicAlarm(context.clone());
    let pause = context.timing.forget_every;
    while context.closing.run_until_cancelled(tokio::time::sleep(pause)).await.is_some() {
        let before = Clock(context.time.now().0 - micros(context.timing.commits_kept));
        let forgotten = context.closing.run_until_cancelled(forget(context.store.as_ref(), before)).await;
        if let Some(Err(error)) = forgotten {
            tracing::warn!(%error, "old commits could not be deleted; tried again later");
        }
    }
}

async fn forget(store: &dyn Store, before: Clock) -> Result<(), ReadError> {
    while store.forget(before, STEP).await? == u64::from(STEP) {
        tokio::time::sleep(BREATH).await;
    }
    Ok(())
}
