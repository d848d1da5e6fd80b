//! Original answers to accepted calls, for callers that repeat them. The first repeat reads the log; those
//! after it do not.

use std::sync::Arc;

use event::ChainHash;
use journal::{Head, PageSize};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use replay::{AppliedEvent, Position};
use wire::Cause;

use super::weight::{Weight, cache_in_one_shard};
use super::{LiveHead, LiveMatches};
use crate::Refusal;
use crate::refusal::unknown_match;

/// Maximum events of one call: a choice, the reveal and the end.
const MAX_EVENTS_PER_CALL: PageSize = PageSize(3);

/// Expected number of remembered answers, for the size of the cache's tables.
const TYPICAL_ANSWERS: usize = 256;

/// What an accepted call led to.
pub(crate) struct Answer {
    /// The position after its events.
    pub position: Arc<Position>,
    pub events: Vec<Arc<AppliedEvent>>,
    /// That of the match, which the position may keep in memory alone.
    weight: Weight,
}

/// Remembered answers by the hash of their first event, which belongs to one match and one history.
pub(super) struct Answers(Cache<ChainHash, Arc<Answer>, AnswerWeight>);

/// Weighs remembered answers.
#[derive(Clone)]
struct AnswerWeight;

impl Weighter<ChainHash, Arc<Answer>> for AnswerWeight {
    fn weight(&self, _: &ChainHash, answer: &Arc<Answer>) -> u64 {
        answer.weight.0
    }
}

impl Answers {
    /// Remembers answers of this many bytes.
    pub(super) fn new(max_bytes: u64) -> Self {
        Self(cache_in_one_shard(TYPICAL_ANSWERS, max_bytes, AnswerWeight))
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
        let following = self.applied_events(head, first.seq.previous(), MAX_EVENTS_PER_CALL, None).await?;
        let follows = |event: &&Arc<AppliedEvent>| event.entry().cause() == Cause::PreviousEvent;
        let more = following.iter().skip(1).take_while(follows).count();
        let events: Vec<_> = following.into_iter().take(1 + more).collect();
        let last = events.last().ok_or_else(unknown_match)?.seq();
        let position = self.position_at(head, last, None).await?;
        Ok(Answer { position, events, weight: head.weight() })
    }
}
