//! `ListEvents`: the log as the caller may see it.

use wire::v1 as proto;

use crate::{Caller, Play, Refusal, access, fields, judge, limits};

impl Play {
    /// A page of events, in order and without gaps.
    pub async fn list_events(
        &self,
        caller: &Caller,
        request: proto::ListEventsRequest,
    ) -> Result<proto::ListEventsResponse, Refusal> {
        let count = limits::count("page_size", request.page_size, limits::EVENTS_PAGE)?;
        let (_, head) = self.fresh(fields::match_id(&request.match_id)?).await?;
        let viewer = access::party(&self.keys, caller, &head)?.viewer();
        judge::check_min(request.min_seq, &head)?;
        let told = match request.after_seq {
            after if after >= head.seq() => Vec::new(),
            after => self.events_told(&head, after, count).await?,
        };
        let events = told.iter().map(|told| told.shown(viewer)).collect();
        Ok(proto::ListEventsResponse { events, head_seq: head.seq() })
    }
}
