//! `SignHead`: the service's word on a match's newest event.

use wire::v1 as proto;

use crate::{Caller, Play, Refusal, access, fields, judge};

impl Play {
    /// Signs the head, for whoever may see the match.
    pub async fn sign_head(
        &self,
        caller: &Caller,
        request: proto::SignHeadRequest,
    ) -> Result<proto::SignHeadResponse, Refusal> {
        let (_, head) = self.fresh(fields::match_id(&request.match_id)?).await?;
        access::party(&self.keys, caller, &head)?;
        judge::check_min(request.min_seq, &head)?;
        let signed = head.position.head_signed(&self.signing.signer);
        Ok(proto::SignHeadResponse { head: Some(signed), seq: head.seq() })
    }
}
