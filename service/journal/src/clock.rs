//! Compares the database's clock with the local one, at the start and again and again.

use std::sync::Arc;
use std::time::Instant;

use crate::ReadError;
use crate::context::Context;
use crate::status::PanicAlarm;
use crate::store::Store;
use crate::time::Comparison;

/// Of so many comparisons in a row the one with the shortest round trip counts.
const COMPARISONS: u32 = 3;

/// Asks the database for its time.
pub(crate) async fn compare(store: &dyn Store) -> Result<Comparison, ReadError> {
    let mut best: Option<Comparison> = None;
    for _ in 0..COMPARISONS {
        let sent = Instant::now();
        let shown = store.time().await?;
        let comparison = Comparison::new(sent, shown, Instant::now());
        if best.as_ref().is_none_or(|b| comparison.round_trip() < b.round_trip()) {
            best = Some(comparison);
        }
    }
    Ok(best.expect("there is at least one comparison"))
}

/// Compares until the journal closes.
pub(crate) async fn run(context: Arc<Context>) {
    let _alarm = PanicAlarm(context.clone());
    let pause = context.timing.clock_check;
    while context.closing.run_until_cancelled(tokio::time::sleep(pause)).await.is_some() {
        match compare(context.store.as_ref()).await {
            Ok(comparison) => context.time.adjust(&comparison),
            Err(error) => {
                tracing::warn!(%error, "the database's clock could not be read; the last offset stays");
            }
        }
    }
}
