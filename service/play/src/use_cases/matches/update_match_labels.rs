//! `UpdateMatchLabels`: the labels of a match, replaced as a whole. They are notes of its owner outside the
//! log, so the last call wins.

use journal::Labels;
use prost_types::FieldMask;
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
        check_mask(request.update_mask, &labels)?;
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

/// Refuses a mask of other fields, and a request that would remove all labels without saying so (AIP-134).
fn check_mask(mask: Option<FieldMask>, labels: &Labels) -> Result<(), Refusal> {
    let paths = mask.map(|mask| mask.paths).unwrap_or_default();
    if paths.iter().any(|path| path != "labels" && path != "*") {
        return Err(Refusal::field("update_mask", "must be labels, or absent"));
    }
    if paths.is_empty() && labels.0.is_empty() {
        let must = "must have at least one label; to remove all labels, set update_mask to labels";
        return Err(Refusal::field("labels", must));
    }
    Ok(())
}
