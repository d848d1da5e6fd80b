//! `SampleMove`: one random legal move, for bots and for trying things out.

use rules::{Dice, Seed};
use wire::v1 as proto;

use super::list_legal_moves::state_to_act;
use crate::service_key::sha256;
use crate::{Caller, Play, Refusal, access, fields};

impl Play {
    /// A legal move of the token's seat; the same one for the same seed.
    pub async fn sample_move(
        &self,
        caller: &Caller,
        request: proto::SampleMoveRequest,
    ) -> Result<proto::SampleMoveResponse, Refusal> {
        let (_, head) = self.fresh(fields::match_id(&request.match_id)?).await?;
        let seat = access::party(&self.keys, caller, &head)?.own_seat()?;
        let state = state_to_act(&head, seat)?;
        let seed = match request.seed {
            Some(seed) => sha256(&[b"matchbook.sample.v1\0", &seed.to_be_bytes()]),
            None => self.secret(),
        };
        let made = state.sample(seat, &mut Dice::new(&Seed::new(seed))).ok_or_else(|| {
            tracing::error!(match.id = %head.position.match_id(), match.seq = head.seq(), "a seat to act has no move");
            Refusal::internal()
        })?;
        Ok(proto::SampleMoveResponse {
            seq: head.seq(),
            r#move: Some(replay::move_to_wire(&made)),
            notation: made.print(),
        })
    }
}
