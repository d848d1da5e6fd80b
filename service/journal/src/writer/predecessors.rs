//! Verifies that the event before an append exists. A failover may lose events of other replicas, which this
//! writer can't notice by its own commits.

use std::collections::HashMap;
use std::time::Instant;

use super::Writer;
use crate::batch::{Batch, Request};
use crate::{AppendError, MatchId, Seq, StopReason};

impl Writer {
    /// Answers the requests whose predecessor is missing with a conflict, and returns the others. Does
    /// nothing unless the writer has reconnected recently.
    pub(super) async fn reject_orphans(
        &mut self,
        requests: Vec<Request>,
    ) -> Result<Vec<Request>, StopReason> {
        if self.verify_predecessors_until.is_none_or(|until| Instant::now() > until) {
            self.verify_predecessors_until = None;
            return Ok(requests);
        }
        let heads = self.heads(&requests).await?;
        let (rest, orphans): (Vec<_>, Vec<_>) =
            requests.into_iter().partition(|request| has_predecessor(request, &heads));
        orphans.into_iter().for_each(|orphan| orphan.answer(Err(AppendError::Conflict)));
        Ok(rest)
    }

    /// Returns whether the predecessor of any request is missing.
    pub(super) async fn has_orphans(&mut self, batch: &Batch) -> Result<bool, StopReason> {
        let heads = self.heads(batch.requests()).await?;
        Ok(!batch.requests().iter().all(|request| has_predecessor(request, &heads)))
    }

    /// Reads the last events of the requests' matches, however often the connection is lost.
    pub(super) async fn heads(&mut self, requests: &[Request]) -> Result<HashMap<MatchId, Seq>, StopReason> {
        let mut ids: Vec<MatchId> = requests.iter().map(|request| request.append.match_id).collect();
        ids.sort_unstable();
        ids.dedup();
        let mut attempt = 0;
        loop {
            match self.connection.heads(&ids).await {
                Ok(heads) => return Ok(heads.into_iter().collect()),
                Err(error) => self.recover(&error, attempt).await?,
            }
            attempt += 1;
        }
    }
}

fn has_predecessor(request: &Request, heads: &HashMap<MatchId, Seq>) -> bool {
    let head = heads.get(&request.append.match_id).copied().unwrap_or_default();
    request.append.first_seq() <= head.next()
}
