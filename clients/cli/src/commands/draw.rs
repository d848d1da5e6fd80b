//! `matchbook draw`: offer a draw, or answer the other seat's offer.

use clap::{Args, ValueEnum};
use wire::v1::{AcceptDrawRequest, DeclineDrawRequest, OfferDrawRequest};

use crate::commands::outcome::told;
use crate::commands::{match_id, request_id};
use crate::credentials::Session;
use crate::failure::Failure;
use crate::seat_name::SeatName;

const AFTER_HELP: &str = "\
Examples:
  matchbook draw MATCH                 offers a draw
  matchbook draw MATCH accept          the match ends in a draw
  matchbook draw MATCH decline         the match goes on
  matchbook draw MATCH --seat demons

`matchbook show MATCH` and `matchbook watch MATCH` tell of an offer. It stands
until it is answered or the seat that made it moves; a seat can make one between
its own moves, whoever's turn it is.";

/// Arguments of `matchbook draw`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Draw {
    /// The match's id.
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// What to do about a draw.
    #[arg(value_enum, default_value_t)]
    what: What,
    /// Which of your seats, if you have both.
    #[arg(long)]
    seat: Option<SeatName>,
}

/// What a seat can do about a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum What {
    /// Make an offer.
    #[default]
    Offer,
    /// Take the other seat's offer.
    Accept,
    /// Refuse the other seat's offer.
    Decline,
}

impl Draw {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let service = session.acting(&self.match_id, self.seat.as_ref()).await?;
        let (match_id, request_id) = (self.match_id, request_id());
        let (events, view) = match self.what {
            What::Offer => {
                let answer = service.offer_draw(OfferDrawRequest { match_id, request_id }).await?;
                session.output.json("OfferDrawResponse", &answer)?;
                (answer.events, answer.view)
            }
            What::Accept => {
                let answer = service.accept_draw(AcceptDrawRequest { match_id, request_id }).await?;
                session.output.json("AcceptDrawResponse", &answer)?;
                (answer.events, answer.view)
            }
            What::Decline => {
                let answer = service.decline_draw(DeclineDrawRequest { match_id, request_id }).await?;
                session.output.json("DeclineDrawResponse", &answer)?;
                (answer.events, answer.view)
            }
        };
        session.output.text(&told(session, &events, view))
    }
}
