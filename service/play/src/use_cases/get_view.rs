//! `GetView`: a position, now or in the past, as the caller may see it.

use rules::Viewer;
use wire::v1::{self as proto, ErrorReason};

use crate::live::Head;
use crate::{Caller, Play, Refusal, access, fields, judge};

impl Play {
    /// The position asked for.
    pub async fn get_view(
        &self,
        caller: &Caller,
        request: proto::GetViewRequest,
    ) -> Result<proto::GetViewResponse, Refusal> {
        let (_, head) = self.fresh(fields::match_id(&request.match_id)?).await?;
        let own = access::party(&self.keys, caller, &head)?.viewer();
        let viewer = viewer_asked(own, &head, &request)?;
        judge::check_min(request.min_seq, &head)?;
        let seq = request.at_seq.unwrap_or(head.seq());
        if seq == 0 {
            return Err(Refusal::field("at_seq", "must be 1 or more: positions begin with the first event"));
        }
        judge::check_min(Some(seq), &head)?;
        let position = self.position_at(&head, seq).await?;
        let timed = position.timing().is_some();
        Ok(proto::GetViewResponse {
            view: Some(position.shown(viewer)),
            head_seq: head.seq(),
            server_time: timed.then(|| replay::timestamp_to_wire(journal::RecordedTime(self.now()))),
        })
    }
}

fn viewer_asked(own: Viewer, head: &Head, request: &proto::GetViewRequest) -> Result<Viewer, Refusal> {
    let seat = request.seat.map(|seat| fields::seat("seat", seat)).transpose()?;
    match (request.open, seat) {
        (true, Some(_)) => Err(Refusal::field("seat", "can't be combined with `open`")),
        (true, None) if head.position.result().is_some() => Ok(Viewer::Open),
        (true, None) => {
            let message = "the open view is for matches that are over";
            Err(Refusal::new(ErrorReason::MatchNotOver, message).with("paragraph", "G-9"))
        }
        (false, None) => Ok(own),
        (false, Some(seat)) if own == Viewer::Seat(seat) => Ok(own),
        (false, Some(_)) => Err(access::not_your_seat("the view")),
    }
}
