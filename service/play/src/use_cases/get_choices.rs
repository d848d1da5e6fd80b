//! `GetChoices`: a move built by answering one question at a time.

use rules::Step;
use wire::v1::{self as proto, ErrorReason};

use super::list_legal_moves::state_to_act;
use crate::{Caller, Play, Refusal, access, fields, judge, limits};

impl Play {
    /// The next question, or the finished move.
    pub async fn get_choices(
        &self,
        caller: &Caller,
        request: proto::GetChoicesRequest,
    ) -> Result<proto::GetChoicesResponse, Refusal> {
        check_path(&request.path)?;
        let (_, head) = self.fresh(fields::match_id(&request.match_id)?).await?;
        let seat = access::party(&self.keys, caller, &head)?.own_seat()?;
        judge::check_expected(request.expected_seq, &head)?;
        let step = state_to_act(&head, seat)?.choices(seat, &request.path).map_err(|bad| {
            Refusal::new(ErrorReason::IllegalChoice, bad.illegal.text.clone())
                .with("index", bad.index)
                .with("paragraph", bad.illegal.paragraph)
        })?;
        let next = match step {
            Step::Ask(question) => {
                proto::get_choices_response::Next::Question(replay::question_to_wire(&question))
            }
            Step::Done(made) => proto::get_choices_response::Next::Finished(proto::LegalChoice {
                r#move: Some(replay::move_to_wire(&made)),
                notation: made.print(),
            }),
        };
        Ok(proto::GetChoicesResponse { seq: head.seq(), next: Some(next) })
    }
}

fn check_path(path: &[String]) -> Result<(), Refusal> {
    if path.len() > limits::PATH_ANSWERS {
        return Err(Refusal::field("path", format!("must have at most {} answers", limits::PATH_ANSWERS)));
    }
    match path.iter().position(|answer| answer.chars().count() > limits::TEXT_CHARS) {
        Some(index) => {
            let description = format!("must have at most {} characters", limits::TEXT_CHARS);
            Err(Refusal::field(format!("path[{index}]"), description))
        }
        None => Ok(()),
    }
}
