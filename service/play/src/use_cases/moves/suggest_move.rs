//! `SuggestMove`: a legal move chosen by a strategy, for bots and experiments.

use rules::{Dice, Seed};
use wire::v1 as proto;

use crate::keys::sha256;
use crate::preconditions::running_with_seat_to_act;
use crate::requests::fields;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Returns a legal move of the caller's seat; the same move for the same strategy and seed.
    pub async fn suggest_move(
        &self,
        caller: &Caller,
        request: proto::SuggestMoveRequest,
    ) -> Result<proto::SuggestMoveResponse, Refusal> {
        let strategy = fields::strategy(request.strategy)?;
        let head = self.current(caller, fields::match_id(&request.match_id)?).await?;
        let seat = self.access.party(caller, &head)?.require_seat()?;
        let state = running_with_seat_to_act(&head, seat)?;
        let seed = match request.seed {
            Some(seed) => sha256(&[b"matchbook.sample.v1\0", &seed.to_be_bytes()]),
            None => self.secret(),
        };
        let mut dice = Dice::new(&Seed::new(seed));
        let suggested = match strategy {
            proto::Strategy::Unspecified | proto::Strategy::Random => state.sample(seat, &mut dice),
        };
        let suggested = suggested.ok_or_else(|| {
            let (match_id, seq) = (head.match_id(), head.seq());
            tracing::error!(match.id = %match_id, match.seq = seq.0, "a seat to act has no legal move");
            Refusal::internal()
        })?;
        Ok(proto::SuggestMoveResponse {
            seq: head.seq().0,
            r#move: Some(replay::move_to_wire(&suggested)),
            notation: suggested.print(),
        })
    }
}
