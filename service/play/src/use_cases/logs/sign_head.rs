//! `SignHead`: a signature on a match's newest event.

use wire::v1 as proto;

use crate::preconditions::check_min_seq;
use crate::requests::fields;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Signs a match's head for any caller that may see the match.
    pub async fn sign_head(
        &self,
        caller: &Caller,
        request: proto::SignHeadRequest,
    ) -> Result<proto::SignHeadResponse, Refusal> {
        let head = self.current(caller, fields::match_id(&request.match_id)?).await?;
        self.access.party(caller, &head)?;
        check_min_seq(fields::seq(request.min_seq), &head)?;
        let signed = audit::sign_head(&head.position, &self.signing.signer);
        Ok(proto::SignHeadResponse { head: Some(signed), seq: head.seq().0 })
    }
}
