//! The service's shutdown, as a signal to streams and background tasks.

use std::sync::Arc;

use tokio::sync::watch;

/// Starts the shutdown; cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Shutdown(Arc<watch::Sender<bool>>);

/// Receives the start of the shutdown.
pub(crate) struct ShutdownSignal(watch::Receiver<bool>);

impl Shutdown {
    pub(crate) fn begin(&self) {
        self.0.send_replace(true);
    }

    pub(crate) fn signal(&self) -> ShutdownSignal {
        ShutdownSignal(self.0.subscribe())
    }
}

impl ShutdownSignal {
    /// Returns whether the shutdown has begun.
    pub(crate) fn has_begun(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits for the shutdown, or until the service is dropped.
    pub(crate) async fn begun(&mut self) {
        // The sender is dropped with the service, which is as final as a shutdown.
        let _ = self.0.wait_for(|begun| *begun).await;
    }
}
