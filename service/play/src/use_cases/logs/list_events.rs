//! `ListEvents`: a match's log as the caller may see it.

use event::Seq;
use wire::v1 as proto;

use crate::preconditions::check_min_seq;
use crate::requests::fields;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Returns a page of events, in order and without gaps.
    pub async fn list_events(
        &self,
        caller: &Caller,
        request: proto::ListEventsRequest,
    ) -> Result<proto::ListEventsResponse, Refusal> {
        let limit = fields::events(request.page_size);
        let head = self.matches.current(fields::match_id(&request.match_id)?).await?;
        let viewer = self.access.party(caller, &head)?.viewer();
        check_min_seq(fields::seq(request.min_seq), &head)?;
        let after = Seq(request.after_seq);
        let events = if after < head.seq() {
            self.matches.applied_events(&head, after, limit).await?
        } else {
            Vec::new()
        };
        let events = events.iter().map(|event| event.shown(viewer)).collect();
        Ok(proto::ListEventsResponse { events, head_seq: head.seq().0 })
    }
}
