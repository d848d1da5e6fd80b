//! Whether calls should be sent here. One task asks the journal, now and again; everybody else (`/readyz`, gRPC health) is
//! told what it found last, however often they ask. That the process lives is another question, with another answer.

use std::convert::Infallible;
use std::time::Duration;

use journal::{Journal, ReadError, Unready};
use play::Refusal;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;
use wire::v1::ErrorReason;

use crate::health;

/// How often the journal is asked.
const ASK_EVERY: Duration = Duration::from_secs(1);

/// How long it may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// One failure may be a connection that was cut; so many in a row are a database that is gone.
const FAILURES: u32 = 2;

/// What was found last; cheap to clone.
#[derive(Clone)]
pub(crate) struct Readiness {
    found: watch::Sender<Found>,
}

#[derive(Clone, PartialEq)]
enum Found {
    Ready,
    Unready(Unready),
    Stopping,
}

impl Readiness {
    /// Ready: the journal was opened just now.
    pub(crate) fn new() -> Self {
        Self { found: watch::Sender::new(Found::Ready) }
    }

    /// Whether calls should be sent here, and if not, why.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        match &*self.found.borrow() {
            Found::Ready => Ok(()),
            Found::Unready(why) => {
                Err(Refusal::new(ErrorReason::Overloaded, told(why)).retry_after(ASK_EVERY * FAILURES))
            }
            Found::Stopping => Err(Refusal::stopping("the service is shutting down")),
        }
    }

    /// From now on no more calls should be sent here.
    pub(crate) fn stop(&self) {
        self.found.send_replace(Found::Stopping);
    }

    /// Asks the journal again and again, and tells what changes.
    pub(crate) async fn follow(&self, journal: &Journal, reporter: &HealthReporter) -> Infallible {
        let mut failures = 0;
        loop {
            sleep(ASK_EVERY).await;
            let answer = timeout(PATIENCE, journal.check()).await.unwrap_or_else(|_| Err(late()));
            match answer {
                Ok(()) => {
                    failures = 0;
                    if self.tell(Found::Ready) {
                        tracing::info!("ready again: calls can be sent here");
                        health::report(reporter, ServingStatus::Serving).await;
                    }
                }
                Err(why) => {
                    failures += 1;
                    if failures >= FAILURES && self.is_ready() {
                        tracing::error!(error = %why, "not ready: calls should not be sent here");
                        self.tell(Found::Unready(why));
                        health::report(reporter, ServingStatus::NotServing).await;
                    }
                }
            }
        }
    }

    fn is_ready(&self) -> bool {
        *self.found.borrow() == Found::Ready
    }

    /// Keeps what was found; whether it is new.
    fn tell(&self, found: Found) -> bool {
        self.found.send_if_modified(|last| {
            let new = *last != found;
            *last = found;
            new
        })
    }
}

fn late() -> Unready {
    Unready::Database(ReadError::Unavailable { what: "no answer in time".to_owned() })
}

/// What everybody may know. The log has the database's own words.
fn told(why: &Unready) -> &'static str {
    match why {
        Unready::Stopping(_) => "the service has to stop",
        Unready::Database(_) | Unready::WriterDisconnected => "the database does not answer; try again",
        Unready::ReadOnly => "the database takes no writes now; try again",
        Unready::Schema(_) => "the database's tables are of another version than this service",
    }
}
