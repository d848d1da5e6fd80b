//! `GetMatch`: a match without its position.

use wire::v1 as proto;

use crate::requests::fields;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Returns a match as it is now, the same for all callers.
    pub async fn get_match(
        &self,
        caller: &Caller,
        request: proto::GetMatchRequest,
    ) -> Result<proto::GetMatchResponse, Refusal> {
        let (live, head) = self.matches.current_live(fields::match_id(&request.match_id)?).await?;
        self.access.party(caller, &head)?;
        Ok(proto::GetMatchResponse {
            r#match: Some(head.match_shown_at(&head.position)),
            spectator_count: live.spectator_count(),
        })
    }
}
