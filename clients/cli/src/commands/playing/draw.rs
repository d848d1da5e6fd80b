//! `matchbook draw`: offers a draw, or answers the other seat's offer.

use clap::{Args, ValueEnum};
use wire::v1::ProposalKind;

use super::proposal::{ProposalStep, take_step};
use crate::arguments::SeatName;
use crate::arguments::match_id;
use crate::failure::Failure;
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
        let step = match self.action {
            Action::Offer => ProposalStep::Make,
            Action::Accept => ProposalStep::Accept,
            Action::Decline => ProposalStep::Decline,
        };
        take_step(session, self.match_id, self.seat.as_ref(), ProposalKind::Draw, step).await
    }
}
