//! `GetView`: a current or past position as the caller may see it.

use event::Seq;
use wire::v1 as proto;

use crate::access::requested_viewer;
use crate::preconditions::{check_min_seq, check_reached};
use crate::requests::fields;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Returns the position after an event, by default the newest.
    pub async fn get_view(
        &self,
        caller: &Caller,
        request: proto::GetViewRequest,
    ) -> Result<proto::GetViewResponse, Refusal> {
        let head = self.current(caller, fields::match_id(&request.match_id)?).await?;
        let own = self.access.party(caller, &head)?.viewer();
        let viewer = requested_viewer(own, &head, request.viewer.as_ref())?;
        check_min_seq(fields::seq(request.min_seq), &head)?;
        let seq = fields::seq(request.at_seq).unwrap_or(head.seq());
        if seq == Seq(0) {
            return Err(Refusal::field("at_seq", "must be at least 1; there is no position before event 1"));
        }
        check_reached(Some(seq), &head)?;
        let position = self.matches.position_at(&head, seq, caller.share_holder()).await?;
        let timed = position.clock_settings().is_some();
        Ok(proto::GetViewResponse {
            view: Some(head.audience(viewer).view(&position)),
            head_seq: head.seq().0,
            server_time: timed.then(|| replay::timestamp_to_wire(self.now())),
        })
    }
}
