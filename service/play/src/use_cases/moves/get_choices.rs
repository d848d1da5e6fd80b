//! `GetChoices`: a move built by answering one question at a time.

use rules::Step;
use wire::v1::get_choices_response::Next;
use wire::v1::{self as proto, ErrorReason};

use crate::preconditions::{check_expected, running_with_seat_to_act};
use crate::requests::fields;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Returns the question that follows the answers so far, or the finished move.
    pub async fn get_choices(
        &self,
        caller: &Caller,
        request: proto::GetChoicesRequest,
    ) -> Result<proto::GetChoicesResponse, Refusal> {
        fields::path(&request.path)?;
        let head = self.current(caller, fields::match_id(&request.match_id)?).await?;
        let seat = self.access.party(caller, &head)?.require_seat()?;
        check_expected(fields::seq(request.expected_seq), &head)?;
        let step = running_with_seat_to_act(&head, seat)?.choices(seat, &request.path).map_err(|bad| {
            Refusal::new(ErrorReason::IllegalChoice, bad.illegal.text.clone())
                .with("index", bad.index)
                .with("paragraph", bad.illegal.paragraph)
        })?;
        let next = match step {
            Step::Ask(question) => Next::Question(replay::question_to_wire(&question)),
            Step::Done(finished) => Next::Finished(proto::LegalChoice {
                r#move: Some(replay::move_to_wire(&finished)),
                notation: finished.print(),
            }),
        };
        Ok(proto::GetChoicesResponse { seq: head.seq().0, next: Some(next) })
    }
}
