//! `matchbook show`: the board, now or at an earlier position.

use board::{Near, counted_to, text};
use clap::Args;
use wire::v1::{GetViewRequest, Seat};

use crate::{commands::match_id, credentials::Session, failure::Failure, seat_name::SeatName};

const AFTER_HELP: &str = "\
Examples:
  matchbook show MATCH
  matchbook show MATCH --at 7          the position after event 7
  matchbook show MATCH --open          everything, once the match is over
  matchbook show MATCH --near demons   with the Demons' edge at the bottom";

/// Arguments of `matchbook show`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Show {
    /// The match's id.
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// The position after this event; else the newest.
    #[arg(long, value_name = "SEQ")]
    at: Option<u32>,
    /// Everything that may ever be shown; only once the match is over.
    #[arg(long)]
    open: bool,
    /// Look as this seat, with its stored token.
    #[arg(long, conflicts_with = "open")]
    seat: Option<SeatName>,
    /// Whose edge of the board is at the bottom; else your own.
    #[arg(long, value_name = "SEAT")]
    near: Option<SeatName>,
}

impl Show {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let service = session.looking(&self.match_id, self.seat.as_ref()).await?;
        let near = match &self.near {
            None => Near::Viewer,
            Some(name) => match session.seat(&self.match_id, name).await? {
                Seat::One => Near::One,
                Seat::Zero | Seat::Unspecified => Near::Zero,
            },
        };
        let seat = match &self.seat {
            Some(name) => Some(session.seat(&self.match_id, name).await?.into()),
            None => None,
        };
        let request =
            GetViewRequest { match_id: self.match_id, at_seq: self.at, min_seq: None, seat, open: self.open };
        let answer = service.get_view(request).await?;
        session.output.json("GetViewResponse", &answer)?;
        let view = answer.view.unwrap_or_default();
        let view = match &answer.server_time {
            // Clocks of an earlier position show what they showed then.
            Some(now) if view.seq >= answer.head_seq => counted_to(view, now),
            _ => view,
        };
        let mut drawn = text(&view, session.output.style(near));
        if view.seq < answer.head_seq {
            drawn.push_str(&format!("\nPosition {} of {}\n", view.seq, answer.head_seq));
        }
        session.output.text(&drawn)
    }
}
