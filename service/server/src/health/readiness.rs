//! Readiness: whether load balancers should send calls here. One task checks the journal periodically;
//! `/readyz` and gRPC health report its last result.

use std::convert::Infallible;
use std::time::Duration;

use journal::{Journal, ReadError, Unready};
use play::Refusal;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;
use wire::v1::ErrorReason;

use super::grpc_health;

/// Interval between checks of the journal.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Time limit for a check.
const CHECK_TIMEOUT: Duration = Duration::from_secs(2);

/// Consecutive failures that make the service unready; a single one may be just a lost connection.
const MAX_FAILURES: u32 = 2;

/// The last result; cheap to clone.
#[derive(Clone)]
pub(crate) struct Readiness {
    state: watch::Sender<ReadinessState>,
}

#[derive(Clone, PartialEq)]
enum ReadinessState {
    Ready,
    Unready(Unready),
    Stopping,
}

impl Readiness {
    /// Starts as ready, as the journal has just been opened.
    pub(crate) fn new() -> Self {
        Self { state: watch::Sender::new(ReadinessState::Ready) }
    }

    /// Returns why calls should not be sent here, if so.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        match &*self.state.borrow() {
            ReadinessState::Ready => Ok(()),
            ReadinessState::Unready(why) => Err(Refusal::new(ErrorReason::Overloaded, public_reason(why))
                .retry_after(CHECK_INTERVAL * MAX_FAILURES)),
            ReadinessState::Stopping => Err(Refusal::stopping("the service is shutting down")),
        }
    }

    /// Makes the service unready for the rest of its life.
    pub(crate) fn stop(&self) {
        self.state.send_replace(ReadinessState::Stopping);
    }

    /// Checks the journal periodically, and reports changes.
    pub(crate) async fn follow(&self, journal: &Journal, reporter: &HealthReporter) -> Infallible {
        let mut failures = 0;
        loop {
            sleep(CHECK_INTERVAL).await;
            let result = timeout(CHECK_TIMEOUT, journal.check()).await.unwrap_or_else(|_| Err(timed_out()));
            match result {
                Ok(()) => {
                    failures = 0;
                    if self.set(ReadinessState::Ready) {
                        tracing::info!("ready again");
                        grpc_health::report(reporter, ServingStatus::Serving).await;
                    }
                }
                Err(why) => {
                    failures += 1;
                    if failures >= MAX_FAILURES && self.is_ready() {
                        tracing::error!(error = %why, "not ready");
                        self.set(ReadinessState::Unready(why));
                        grpc_health::report(reporter, ServingStatus::NotServing).await;
                    }
                }
            }
        }
    }

    fn is_ready(&self) -> bool {
        *self.state.borrow() == ReadinessState::Ready
    }

    /// Sets the state, and returns whether it changed.
    fn set(&self, state: ReadinessState) -> bool {
        self.state.send_if_modified(|last| {
            let changed = *last != state;
            *last = state;
            changed
        })
    }
}

fn timed_out() -> Unready {
    Unready::Database(ReadError::Unavailable { what: "the check timed out".to_owned() })
}

/// Returns the reason without details of the database, which only the log contains.
fn public_reason(why: &Unready) -> &'static str {
    match why {
        Unready::Stopping(_) => "the service cannot continue and is stopping",
        Unready::Database(_) | Unready::WriterDisconnected => "the database is not responding; retry later",
        Unready::ReadOnly => "the database is read-only; retry later",
        Unready::Schema(_) => "the database has a schema version that this service does not support",
    }
}
