//! `SuggestMove`: a legal move chosen by a strategy, for bots and experiments.

use std::sync::Arc;

use bots::{Evaluation, Knowledge};
use event::Seat;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;
use replay::GameState;
use rules::{Dice, Move, Seed, Viewer};
use wire::v1 as proto;

use crate::keys::sha256;
use crate::live::LiveHead;
use crate::preconditions::running_with_seat_to_act;
use crate::requests::fields;
use crate::{Caller, Play, Refusal};

/// A seed of one choice, for one strategy.
type ChoiceSeed = [u8; 32];

/// A move that a strategy has chosen, if there is one, and what it thinks of the position.
struct Suggestion {
    suggested: Option<Move>,
    prospects: proto::Prospects,
}

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
        let suggestion = match strategy {
            proto::Strategy::Unspecified | proto::Strategy::Random => {
                random(state, seat, self.seed(b"matchbook.sample.v1\0", request.seed))
            }
            proto::Strategy::Greedy => {
                let seed = self.seed(b"matchbook.greedy.v1\0", request.seed);
                let (head, state) = (Arc::clone(&head), state.clone());
                self.matches.think(caller.share_holder(), move || greedy(&head, &state, seat, seed)).await?
            }
        };
        let suggested = suggestion.suggested.ok_or_else(|| {
            let (match_id, seq) = (head.match_id(), head.seq());
            tracing::error!(match.id = %match_id, match.seq = seq.0, "a seat to act has no legal move");
            Refusal::internal()
        })?;
        Ok(proto::SuggestMoveResponse {
            seq: head.seq().0,
            r#move: Some(replay::move_to_wire(&suggested)),
            notation: suggested.print(),
            prospects: suggestion.prospects.into(),
        })
    }

    /// Returns the seed of a choice: derived from the caller's, or a new one.
    fn seed(&self, domain: &[u8], given: Option<u64>) -> ChoiceSeed {
        given.map_or_else(|| self.secret(), |seed| sha256(&[domain, &seed.to_be_bytes()]))
    }
}

fn random(state: &GameState, seat: Seat, seed: ChoiceSeed) -> Suggestion {
    let suggested = state.sample(seat, &mut Dice::new(&Seed::new(seed)));
    Suggestion { suggested, prospects: proto::Prospects::Unspecified }
}

/// Chooses the move with the best prospects from what the seat may see; a random one if none can be judged.
fn greedy(head: &LiveHead, state: &GameState, seat: Seat, seed: ChoiceSeed) -> Suggestion {
    let (view, moves): (_, Vec<proto::Move>);
    let knowledge = match state.open_to_everybody() {
        Some(state) => Some(Knowledge::Complete(state)),
        None => {
            view = head.position.shown(Viewer::Seat(seat)).game_view;
            moves = state.legal(seat).moves.iter().map(replay::move_to_wire).collect();
            view.as_ref().map(|view| Knowledge::Partial { view, moves: &moves })
        }
    };
    let (Some(knowledge), Some(side)) = (knowledge, replay::side_of_seat(seat)) else {
        return random(state, seat, seed);
    };
    let chosen = bots::choose(knowledge, side, &mut ChaCha8Rng::from_seed(seed));
    let suggested = chosen.and_then(|chosen| replay::move_from_wire(&chosen).ok());
    Suggestion {
        suggested: suggested.or_else(|| random(state, seat, seed).suggested),
        prospects: bots::evaluate(knowledge, side).map_or(proto::Prospects::Unspecified, prospects),
    }
}

fn prospects(evaluation: Evaluation) -> proto::Prospects {
    match evaluation {
        Evaluation::Better => proto::Prospects::Better,
        Evaluation::Even => proto::Prospects::Even,
        Evaluation::Worse => proto::Prospects::Worse,
    }
}
