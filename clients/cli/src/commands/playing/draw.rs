//! `matchbook draw`: offers a draw, or answers the other seat's offer.

use clap::{Args, ValueEnum};
use matchbook_client::request_id;
use wire::v1::{AnswerProposalRequest, MakeProposalRequest, ProposalKind};

use crate::arguments::SeatName;
use crate::arguments::match_id;
use crate::failure::Failure;
use crate::output::move_outcome;
use crate::session::Session;

const AFTER_HELP: &str = "\
Examples:
  matchbook draw MATCH                 offer a draw
  matchbook draw MATCH accept          end the match in a draw
  matchbook draw MATCH decline         decline; the match continues
  matchbook draw MATCH --seat demons

`matchbook show MATCH` and `matchbook watch MATCH` show an offer. It stands until
it is answered or the offering seat moves. A seat can offer once between its own
moves, on either seat's turn.";

/// Arguments of `matchbook draw`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Draw {
    /// Id of the match
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Offer a draw, or answer the other seat's offer
    #[arg(value_enum, default_value_t)]
    action: Action,
    /// Seat to act for, if tokens of both are stored
    #[arg(long)]
    seat: Option<SeatName>,
}

/// An action about a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Action {
    /// Offer a draw
    #[default]
    Offer,
    /// Accept the other seat's offer
    Accept,
    /// Decline the other seat's offer
    Decline,
}

impl Draw {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let client = session.seat_client(&self.match_id, self.seat.as_ref()).await?;
        let (match_id, request_id) = (self.match_id, Some(request_id()));
        let kind = ProposalKind::Draw.into();
        let accept = match self.action {
            Action::Offer => None,
            Action::Accept => Some(true),
            Action::Decline => Some(false),
        };
        let (events, view) = if accept.is_none() {
            let request = MakeProposalRequest { match_id, kind, request_id };
            let response = client.make_proposal(request).await?;
            session.output.json("MakeProposalResponse", &response)?;
            (response.events, response.view)
        } else {
            let request = AnswerProposalRequest { match_id, kind, accept, request_id };
            let response = client.answer_proposal(request).await?;
            session.output.json("AnswerProposalResponse", &response)?;
            (response.events, response.view)
        };
        session.output.text(&move_outcome(session, &events, view))
    }
}
