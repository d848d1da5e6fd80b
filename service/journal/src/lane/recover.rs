//! After a lost connection: connect again, and make sure that the database still has what it acknowledged.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use bytes::Bytes;

use super::LaneTask;
use crate::request::Request;
use crate::status::StopReason;
use crate::store::{WriteError, pause_before_attempt};
use crate::{AppendError, LaneNo, MatchId, Seq};

/// For so long after a reconnect somebody may still append after an event that he saw before it.
const WARY: Duration = Duration::from_secs(60);

impl LaneTask {
    /// Brings the connection back after an error of a question, or waits a little before it is asked again.
    pub(super) async fn recover(&mut self, error: &WriteError, attempt: u32) -> Result<(), StopReason> {
        if self.link.is_up() {
            tracing::debug!(lane = self.lane.0, %error, "the database could not answer a lane, asking again");
            tokio::time::sleep(pause_before_attempt(attempt)).await;
            return Ok(());
        }
        self.reconnect(error).await
    }

    /// Connects until it succeeds, then compares the last acknowledged commit with what stands in its place.
    pub(super) async fn reconnect(&mut self, error: &WriteError) -> Result<(), StopReason> {
        tracing::warn!(lane = self.lane.0, %error, "a lane lost its connection to the database, connecting again");
        let context = self.context.clone();
        let _down = context.status.lane_is_down();
        let mut attempt = 0;
        let logged = loop {
            match self.connect_and_look().await {
                Ok(logged) => break logged,
                Err(_) => tokio::time::sleep(pause_before_attempt(attempt)).await,
            }
            attempt += 1;
        };
        if logged.as_ref() != Some(&self.acknowledged.body) {
            return Err(StopReason::AnotherHistory);
        }
        tracing::info!(lane = self.lane.0, attempts = attempt + 1, "the lane is connected again");
        self.wary_until = Some(Instant::now() + WARY);
        self.context.status.reset();
        Ok(())
    }

    async fn connect_and_look(&mut self) -> Result<Option<Bytes>, WriteError> {
        self.link.connect().await?;
        self.link.logged(self.lane, self.acknowledged.no).await
    }

    /// What stands in the commit log at a place of this lane, however often the connection is lost.
    pub(super) async fn logged(&mut self, no: LaneNo) -> Result<Option<Bytes>, StopReason> {
        let mut attempt = 0;
        loop {
            match self.link.logged(self.lane, no).await {
                Ok(body) => return Ok(body),
                Err(error) => self.recover(&error, attempt).await?,
            }
            attempt += 1;
        }
    }

    /// The last events of the matches of these requests, however often the connection is lost.
    pub(super) async fn heads(&mut self, requests: &[Request]) -> Result<HashMap<MatchId, Seq>, StopReason> {
        let mut ids: Vec<MatchId> = requests.iter().map(|request| request.append.match_id).collect();
        ids.sort_unstable();
        ids.dedup();
        let mut attempt = 0;
        loop {
            match self.link.heads(&ids).await {
                Ok(heads) => return Ok(heads.into_iter().collect()),
                Err(error) => self.recover(&error, attempt).await?,
            }
            attempt += 1;
        }
    }

    /// While the history is in doubt: answers the requests whose predecessor is not there, and gives the others.
    pub(super) async fn with_predecessors(
        &mut self,
        requests: Vec<Request>,
    ) -> Result<Vec<Request>, StopReason> {
        if self.wary_until.is_none_or(|until| Instant::now() > until) {
            self.wary_until = None;
            return Ok(requests);
        }
        let heads = self.heads(&requests).await?;
        let (rest, orphans): (Vec<_>, Vec<_>) =
            requests.into_iter().partition(|request| follows(request, &heads));
        orphans.into_iter().for_each(|orphan| orphan.answer(Err(AppendError::Conflict)));
        Ok(rest)
    }
}

/// Whether the event before the request's first is there.
pub(super) fn follows(request: &Request, heads: &HashMap<MatchId, Seq>) -> bool {
    let head = heads.get(&request.append.match_id).copied().unwrap_or_default();
    request.append.ends().0 <= head.next()
}
