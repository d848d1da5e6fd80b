//! `matchbook takeback`: asks for a takeback, or answers the other seat's request.

use clap::{Args, ValueEnum};
use wire::v1::ProposalKind;

use super::proposal::{ProposalStep, take_step};
use crate::arguments::SeatName;
use crate::arguments::match_id;
use crate::failure::Failure;
use crate::session::Session;

const AFTER_HELP: &str = "\
Examples:
  matchbook takeback MATCH             ask to take back your last move
  matchbook takeback MATCH accept      let the other seat take back its last move
  matchbook takeback MATCH decline     decline; the match continues
  matchbook takeback MATCH --seat white

A takeback returns to the position before the last move of the seat that asked: that
move and all later ones are taken back. It needs the other seat's consent and is not
possible in games with hidden information or chance, nor in a match that was created
with --no-takebacks. A seat can ask once between its own moves.";

/// Arguments of `matchbook takeback`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Takeback {
    /// Id of the match
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Ask for a takeback, or answer the other seat's request
    #[arg(value_enum, default_value_t)]
    action: Action,
    /// Seat to act for, if tokens of both are stored
    #[arg(long)]
    seat: Option<SeatName>,
}

/// An action about a takeback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Action {
    /// Ask for a takeback
    #[default]
    Ask,
    /// Accept the other seat's request
    Accept,
    /// Decline the other seat's request
    Decline,
}

impl Takeback {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let step = match self.action {
            Action::Ask => ProposalStep::Make,
            Action::Accept => ProposalStep::Accept,
            Action::Decline => ProposalStep::Decline,
        };
        take_step(session, self.match_id, self.seat.as_ref(), ProposalKind::Takeback, step).await
    }
}
