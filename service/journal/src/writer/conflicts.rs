//! Finds the requests of a batch that the database's events exclude, so that the others can be sent again.

use std::collections::HashMap;

use super::Writer;
use crate::batch::{Batch, Request};
use crate::store::MatchHead;
use crate::{AppendError, MatchId, Seq, StopReason};

impl Writer {
    /// Answers the requests that can't be appended, and returns the others. If there is only one, it gets
    /// `error` unless the database tells better.
    pub(super) async fn reject_conflicting(
        &mut self,
        batch: Batch,
        error: &AppendError,
    ) -> Result<Vec<Request>, StopReason> {
        let heads = self.heads(batch.requests()).await?;
        let alone = batch.requests().len() == 1;
        let mut rest = Vec::new();
        for request in batch.into_requests() {
            let conflict = conflict(&request, heads.get(&request.append.match_id));
            match conflict.or_else(|| alone.then(|| error.clone())) {
                Some(error) => self.reject(request, error),
                None => rest.push(request),
            }
        }
        Ok(rest)
    }

    fn reject(&self, request: Request, error: AppendError) {
        if error == AppendError::Conflict {
            let period = self.resources.timing.contention_period;
            self.resources.contention.mark(request.append.match_id, period);
        }
        request.answer(Err(error));
    }

    /// Reads the heads of the requests' matches, however often the connection is lost.
    async fn heads(&mut self, requests: &[Request]) -> Result<HashMap<MatchId, MatchHead>, StopReason> {
        let mut previous: Vec<(MatchId, Seq)> =
            requests.iter().map(|request| (request.append.match_id, request.append.previous_seq())).collect();
        previous.sort_unstable();
        previous.dedup();
        let mut attempt = 0;
        loop {
            match self.connection.heads(&previous).await {
                Ok(heads) => return Ok(heads.into_iter().map(|head| (head.match_id, head)).collect()),
                Err(error) => self.recover(&error, attempt).await?,
            }
            attempt += 1;
        }
    }
}

/// Returns why a request can't be appended to a match with this head; `None` if it can.
fn conflict(request: &Request, head: Option<&MatchHead>) -> Option<AppendError> {
    let stored = head.and_then(|head| head.previous_hash);
    if request.append.after.is_some_and(|after| stored != Some(after.hash)) {
        return Some(AppendError::HistoryChanged);
    }
    head.is_some_and(|head| request.append.first_seq() <= head.seq).then_some(AppendError::Conflict)
}
