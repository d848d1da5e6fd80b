//! Measures the database's time, at the start and regularly.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::ReadError;
use crate::database_time::{DatabaseTime, Measurement};
use crate::lifecycle::Lifecycle;
use crate::store::Store;

/// Number of measurements of which the one with the shortest round trip counts.
const MEASUREMENTS: u32 = 3;

/// Measures the database's time.
pub(crate) async fn measure_time(store: &dyn Store) -> Result<Measurement, ReadError> {
    let mut best: Option<Measurement> = None;
    for _ in 0..MEASUREMENTS {
        let sent = Instant::now();
        let database = store.time().await?;
        let measurement = Measurement::new(sent, database, Instant::now());
        if best.as_ref().is_none_or(|b| measurement.round_trip() < b.round_trip()) {
            best = Some(measurement);
        }
    }
    Ok(best.expect("there is at least one measurement"))
}

/// Measures regularly until the journal closes.
pub(crate) async fn sync_time(
    store: Arc<dyn Store>,
    time: Arc<DatabaseTime>,
    lifecycle: Lifecycle,
    interval: Duration,
) {
    let _guard = lifecycle.stop_on_panic();
    while lifecycle.sleep(interval).await {
        match measure_time(store.as_ref()).await {
            Ok(measurement) => time.adjust(&measurement),
            Err(error) => {
                tracing::warn!(%error, "the database's time can't be read; the last offset stays in use");
            }
        }
    }
}
