//! A spectator who follows a match to its end, over as many streams as it takes, beginning on one way and
//! going on where it was cut on another.

use std::time::{Duration, Instant};

use tonic::Status;
use wire::v1;
use wire::v1::event::Kind;
use wire::v1::match_service_client::MatchServiceClient;
use wire::v1::watch_match_response::Frame;

use crate::caller::{refusal, request, wait_after};
use crate::record::{Print, Sighting, Watched};
use crate::routes::{Routes, Way};

/// No watch is silent for longer, since the service sends heartbeats.
const SILENCE: Duration = Duration::from_secs(20);

/// Follows from the first event. Ends with the match, or when patience ends.
pub(crate) async fn watch(routes: Routes, way: Way, match_id: String, patience: Instant) -> Watched {
    let mut watcher = Watcher { routes, way, match_id, watched: Watched::default(), failures: 0 };
    // What was seen so far counts, however it ends.
    let _ = tokio::time::timeout_at(patience.into(), watcher.follow()).await;
    watcher.watched
}

struct Watcher {
    routes: Routes,
    way: Way,
    match_id: String,
    watched: Watched,
    /// Streams in a row that brought nothing.
    failures: u32,
}

impl Watcher {
    async fn follow(&mut self) {
        loop {
            match self.stream().await {
                Ok(End::OfMatch) => return,
                Ok(End::OfStream) => {}
                Err(status) => {
                    self.watched.refused = refusal(&status);
                    if self.watched.refused.is_some() {
                        return;
                    }
                }
            }
            self.failures += 1;
            self.watched.resumed += 1;
            self.way = self.routes.other_than(self.way);
            tokio::time::sleep(wait_after(self.failures)).await;
        }
    }

    async fn stream(&mut self) -> Result<End, Status> {
        let after_seq = Some(self.watched.sightings.last().map_or(0, |sighting| sighting.seq));
        let message = v1::WatchMatchRequest { match_id: self.match_id.clone(), after_seq };
        let mut client = MatchServiceClient::new(self.routes.channel(self.way));
        let opened = within(client.watch_match(request(message, None))).await?;
        let mut frames = opened.into_inner();
        while let Some(message) = within(frames.message()).await? {
            let Some(Frame::Event(event)) = message.frame else { continue };
            self.failures = 0;
            let (print, at) = (Print::of(&event), Instant::now());
            self.watched.sightings.push(Sighting { seq: event.seq, print, way: self.way, at });
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

async fn within<T>(work: impl Future<Output = Result<T, Status>>) -> Result<T, Status> {
    tokio::time::timeout(SILENCE, work).await.unwrap_or_else(|_| Err(Status::cancelled("silence")))
}
