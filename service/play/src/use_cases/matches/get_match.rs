//! `GetMatch`: a match without its position.

use wire::v1 as proto;

use crate::requests::fields;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Returns a match as it is now, the same for all callers apart from the owner's notes.
    pub async fn get_match(
        &self,
        caller: &Caller,
        request: proto::GetMatchRequest,
    ) -> Result<proto::GetMatchResponse, Refusal> {
        let (live, head) = self.current_live(caller, fields::match_id(&request.match_id)?).await?;
        self.access.party(caller, &head)?;
        Ok(proto::GetMatchResponse {
            r#match: Some(self.match_for(caller, &head.registration, &head.position).await?),
            spectator_count: live.spectator_count(),
        })
    }
}
