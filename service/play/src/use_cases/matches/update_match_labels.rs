//! `UpdateMatchLabels`: the labels of a match, replaced as a whole. They are notes of its owner outside the
//! log, so the last call wins.

use wire::v1 as proto;

use crate::refusal::of_failed_change;
use crate::registration::add_notes;
use crate::requests::{fields, labels};
use crate::{Caller, Play, Refusal};

impl Play {
    /// Replaces all labels of a match of the caller's.
    pub async fn update_match_labels(
        &self,
        caller: &Caller,
        request: proto::UpdateMatchLabelsRequest,
    ) -> Result<proto::UpdateMatchLabelsResponse, Refusal> {
        let match_id = fields::match_id(&request.match_id)?;
        let labels = labels::labels("labels", request.labels)?;
        let head = self.current(caller, match_id).await?;
        self.access.party(caller, &head)?.require_owner("this call")?;
        let play = self.clone();
        let written = labels.clone();
        let change = async move {
            play.journal
                .set_labels(match_id, written)
                .await
                .map_err(|error| of_failed_change(match_id, error))
        };
        self.detached(caller.share_holder(), match_id, change).await?;
        let mut shown = head.registration.match_shown_to_owner(&head.position);
        add_notes(&mut shown, &head.registration.registered, labels);
        Ok(proto::UpdateMatchLabelsResponse { r#match: Some(shown) })
    }
}
