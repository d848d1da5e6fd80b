//! Appending a change to the journal and publishing it.

use std::sync::Arc;

use journal::{Append, AppendError, DeadlineChange, Labels, NewEvent};
use replay::{Decided, Entry, MatchPhase, Position};
use wire::Cause;

use super::{Accepted, MatchChange};
use crate::live::{LiveHead, LiveMatch, LiveMatches};
use crate::requests::RequestHash;

impl LiveMatches {
    /// Appends a change onto the head that it was judged on, then publishes the new head.
    pub(super) async fn append(
        &self,
        live: &LiveMatch,
        head: &LiveHead,
        change: MatchChange,
    ) -> Result<Accepted, AppendError> {
        let MatchChange { decided, request, registration, row_changes } = change;
        let append = Append {
            match_id: live.match_id,
            events: new_events(&decided, request),
            after: Some(head.predecessor()),
            match_row: row_changes.then(|| registration.row(&decided.position)),
            deadline: deadline_change(&head.position, &decided.position),
            labels: Labels::default(),
            to_act: decided.position.to_act(),
        };
        let committed = self.journal().append(append).await?;

        let mut next = head.clone();
        next.move_to(Arc::new(decided.position), committed.hlc);
        next.registration = registration.clone();
        let events: Vec<_> = decided.applied.into_iter().map(Arc::new).collect();
        for event in &events {
            next.remember(Arc::clone(event), request.filter(|_| identifies_request(event.entry())));
        }
        let position = Arc::clone(&next.position);
        live.publish(Arc::new(next));
        Ok(Accepted { position, registration, events, repeated: false })
    }
}

/// Returns what a change does to a match's deadline: the end of a seat's time, or the expiry before the
/// start.
fn deadline_change(before: &Position, after: &Position) -> DeadlineChange {
    let was_open = matches!(before.phase(), MatchPhase::Open);
    match (after.phase(), after.next_due()) {
        (MatchPhase::Running(_), Some(due)) => DeadlineChange::Set { seq: after.seq(), due },
        (MatchPhase::Running(_), None) if was_open => DeadlineChange::Clear,
        (MatchPhase::Over(_), _) if was_open || before.clock_settings().is_some() => DeadlineChange::Clear,
        (MatchPhase::Open | MatchPhase::Running(_) | MatchPhase::Over(_), _) => DeadlineChange::Keep,
    }
}

/// Returns decided events in the journal's form, with the call's request hash on those that identify it.
pub(crate) fn new_events(decided: &Decided, request: Option<RequestHash>) -> Vec<NewEvent> {
    let events = decided.applied.iter();
    events
        .map(|applied| NewEvent {
            event: applied.event().clone(),
            request_hash: request.filter(|_| identifies_request(applied.entry())).map(|request| request.0),
        })
        .collect()
}

/// Returns whether an event carries the request hash of its call. Both events of a create with a claim do;
/// events that merely follow from a call do not.
pub(crate) fn identifies_request(entry: &Entry) -> bool {
    entry.cause() == Cause::Request
}
