//! A spectator that follows a match to its end. When a stream breaks, it resumes after its last event on
//! another route.
//!
//! It reads streams directly instead of through the client's `Watch`, which drops repeated events: the
//! referee must see them.

use std::time::{Duration, Instant};

use matchbook_client::v1::event::Kind;
use matchbook_client::v1::match_service_client::MatchServiceClient;
use matchbook_client::v1::watch_match_response::Frame;
use matchbook_client::{Refusal, v1};
use tonic::Status;

use crate::caller::delay_after;
use crate::history::{Fingerprint, Sighting, WatchHistory};
use crate::routes::{ServiceRoute, ServiceRoutes};

/// The maximum time between frames, with a reserve: the service sends a heartbeat every 15 s.
const FRAME_TIMEOUT: Duration = Duration::from_secs(20);

/// Follows a match from its first event until it ends, or until the deadline.
pub(crate) async fn watch(
    routes: ServiceRoutes,
    route: ServiceRoute,
    match_id: String,
    deadline: Instant,
) -> WatchHistory {
    let mut watcher = Watcher { routes, route, match_id, history: WatchHistory::default(), failures: 0 };
    // After the deadline, what was received so far counts.
    let _ = tokio::time::timeout_at(deadline.into(), watcher.follow()).await;
    watcher.history
}

struct Watcher {
    routes: ServiceRoutes,
    route: ServiceRoute,
    match_id: String,
    history: WatchHistory,
    /// Streams in a row without an event.
    failures: u32,
}

impl Watcher {
    async fn follow(&mut self) {
        loop {
            match self.read_stream().await {
                Ok(End::OfMatch) => return,
                Ok(End::OfStream) => {}
                Err(status) => {
                    self.history.refused = final_refusal(&status);
                    if self.history.refused.is_some() {
                        return;
                    }
                }
            }
            self.failures += 1;
            self.history.resumed += 1;
            self.route = self.routes.next_after(self.route);
            tokio::time::sleep(delay_after(self.failures, None)).await;
        }
    }

    async fn read_stream(&mut self) -> Result<End, Status> {
        let after_seq = Some(self.history.sightings.last().map_or(0, |sighting| sighting.seq));
        let message = v1::WatchMatchRequest {
            match_id: self.match_id.clone(),
            after_seq,
            include_view: false,
            after_hash: None,
        };
        let mut service = MatchServiceClient::new(self.routes.client(self.route).channel());
        let mut frames = with_timeout(service.watch_match(message)).await?.into_inner();
        while let Some(message) = with_timeout(frames.message()).await? {
            let Some(Frame::Event(event)) = message.frame else { continue };
            self.failures = 0;
            let (fingerprint, at) = (Fingerprint::of(&event), Instant::now());
            self.history.sightings.push(Sighting { seq: event.seq, fingerprint, route: self.route, at });
            if matches!(event.kind, Some(Kind::MatchEnded(_))) {
                return Ok(End::OfMatch);
            }
        }
        Ok(End::OfStream)
    }
}

enum End {
    OfMatch,
    OfStream,
}

/// Returns the service's reason if no other attempt can succeed.
fn final_refusal(status: &Status) -> Option<String> {
    let refusal = Refusal::from(status);
    if refusal.is_transient() { None } else { refusal.reason }
}

async fn with_timeout<T>(work: impl Future<Output = Result<T, Status>>) -> Result<T, Status> {
    tokio::time::timeout(FRAME_TIMEOUT, work)
        .await
        .unwrap_or_else(|_| Err(Status::cancelled("no frame in time")))
}
