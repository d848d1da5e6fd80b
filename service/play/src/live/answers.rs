//! Original answers to accepted calls, for callers that repeat them. The first repeat reads the log; those
//! after it do not.

use std::sync::Arc;

use event::ChainHash;
use journal::{Head, PageSize};
use quick_cache::sync::Cache;
use replay::{AppliedEvent, Position};
use wire::Cause;

use super::{LiveHead, LiveMatches};
use crate::Refusal;
use crate::refusal::unknown_match;

/// Maximum events of one call: a choice, the reveal and the end.
const MAX_EVENTS_PER_CALL: PageSize = PageSize(3);

/// Maximum answers remembered. Positions share most of their memory with those of their live match.
const REMEMBERED: usize = 256;

/// What an accepted call led to.
pub(crate) struct Answer {
    /// The position after its events.
    pub position: Arc<Position>,
    pub events: Vec<Arc<AppliedEvent>>,
}

/// Remembered answers by the hash of their first event, which belongs to one match and one history.
pub(super) struct Answers(Cache<ChainHash, Arc<Answer>>);

impl Default for Answers {
    fn default() -> Self {
        Self(Cache::new(REMEMBERED))
    }
}

impl LiveMatches {
    /// Returns the original answer to an accepted call, whose events begin with `first`.
    pub(crate) async fn original_answer(&self, head: &LiveHead, first: Head) -> Result<Arc<Answer>, Refusal> {
        let read = async { self.read_answer(head, first).await.map(Arc::new) };
        // Repeats at the same time wait for one of them to read.
        self.answers.0.get_or_insert_async(&first.hash, read).await
    }

    async fn read_answer(&self, head: &LiveHead, first: Head) -> Result<Answer, Refusal> {
        let following = self.applied_events(head, first.seq.previous(), MAX_EVENTS_PER_CALL).await?;
        let follows = |event: &&Arc<AppliedEvent>| event.entry().cause() == Cause::PreviousEvent;
        let more = following.iter().skip(1).take_while(follows).count();
        let events: Vec<_> = following.into_iter().take(1 + more).collect();
        let last = events.last().ok_or_else(unknown_match)?.seq();
        Ok(Answer { position: self.position_at(head, last).await?, events })
    }
}
