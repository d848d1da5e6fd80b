//! `ListEvents`: a match's log as the caller may see it.

use event::Seq;
use wire::v1 as proto;

use crate::access::requested_viewer;
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
        self.list_events_shown_to(caller, request, None).await
    }

    /// Returns the same page as `viewer` may see it, which must be one whose view the caller may get; by
    /// default the caller itself.
    pub async fn list_events_shown_to(
        &self,
        caller: &Caller,
        request: proto::ListEventsRequest,
        viewer: Option<&proto::Viewer>,
    ) -> Result<proto::ListEventsResponse, Refusal> {
        let limit = fields::events(request.page_size);
        let tokens = self.page_tokens.of("ListEvents", &without_page(&request));
        let continued = tokens.decode(&request.page_token)?.map(|seq| Seq(u32::from_be_bytes(seq)));
        let head = self.current(caller, fields::match_id(&request.match_id)?).await?;
        let own = self.access.party(caller, &head)?.viewer();
        let audience = head.audience(requested_viewer(own, &head, viewer)?);
        // A token says that more events follow, even if this replica does not have them yet.
        check_min_seq(fields::seq(request.min_seq).max(continued.map(Seq::next)), &head)?;
        let after = continued.unwrap_or(Seq(request.after_seq));
        let events = if after < head.seq() {
            self.matches.applied_events(&head, after, limit, caller.share_holder()).await?
        } else {
            Vec::new()
        };
        let last = events.last().map(|event| event.seq()).filter(|&last| last < head.seq());
        Ok(proto::ListEventsResponse {
            events: events.iter().map(|event| audience.event(event)).collect(),
            next_page_token: last.map(|last| tokens.encode(&last.0.to_be_bytes())).unwrap_or_default(),
            head_seq: head.seq().0,
        })
    }
}

/// Returns the request without its page.
fn without_page(request: &proto::ListEventsRequest) -> proto::ListEventsRequest {
    proto::ListEventsRequest { page_size: 0, page_token: String::new(), ..request.clone() }
}
