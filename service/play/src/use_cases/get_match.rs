//! `GetMatch`: a match without its position.

use wire::v1 as proto;

use crate::{Caller, Play, Refusal, access, fields};

impl Play {
    /// The match as it is now, the same for everybody.
    pub async fn get_match(
        &self,
        caller: &Caller,
        request: proto::GetMatchRequest,
    ) -> Result<proto::GetMatchResponse, Refusal> {
        let (_, head) = self.fresh(fields::match_id(&request.match_id)?).await?;
        access::party(&self.keys, caller, &head)?;
        Ok(proto::GetMatchResponse { r#match: Some(head.position.match_shown()) })
    }
}
